import type { Encodings } from '../encodings.js';
import type { Variant } from '../runtime/engine.js';
import type { PosencErrorCode, PosencErrorDetails } from '../../common/errors.js';

/** A function of `Encodings` that takes options and answers with numbers: what another thread can run. */
export type FunctionName = Exclude<keyof Encodings, 'variant' | 'buffer' | 'kvCache'>;

/** What a pool tells a worker. */
export type Order =
  | { kind: 'load'; variant: Variant; module: WebAssembly.Module }
  /** Keeps options for the calls that name this key, so that they travel once. */
  | { kind: 'keep'; key: number; options: object }
  | { kind: 'drop'; key: number }
  | { kind: 'call'; name: FunctionName; kept: number | undefined; options: object };

/** What a worker answers to `load` and to `call`, one answer per order. */
export type Reply = { kind: 'ready' } | { kind: 'result'; result: unknown } | { kind: 'error'; error: PlainError };

/** An error that can travel between threads. */
export interface PlainError extends Omit<PosencErrorDetails, 'cause'> {
  message: string;
  code?: PosencErrorCode;
}

/** The side of a worker, or of a pool, that messages go through. */
export interface Port<Sent, Received> {
  post(message: Sent, transfer: ArrayBuffer[]): void;
  listen(onMessage: (message: Received) => void): void;
}

/** The memory of every array in a value that a message may take along. */
export function memoryOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(memoryOf);
}
