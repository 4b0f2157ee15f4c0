import type { Encodings } from 'posenc';

/** How far a long task is. `partial` is what a figure can draw already. */
export interface Progress<Partial> {
  /** 0 … 1. */
  readonly share: number;
  readonly partial?: Partial;
}

/**
 * One computation of a figure: a pure function of the engine and a request, run in the worker. A long one is a generator
 * that yields after every slice of some tens of milliseconds; between slices the worker answers other figures, and drops
 * the task when its figure has asked for something newer. One that fetches its code first is a promise.
 */
export type Task<Request, Result, Partial = never> = (
  encodings: Encodings,
  request: Request,
) => Result | Promise<Result> | Generator<Progress<Partial>, Result>;

export type RequestOf<T> = T extends (encodings: Encodings, request: infer Request) => unknown ? Request : never;
export type ResultOf<T> = T extends (...values: never[]) => Generator<unknown, infer Result>
  ? Result
  : T extends (...values: never[]) => infer Result
    ? Awaited<Result>
    : never;
export type PartialOf<T> = T extends (...values: never[]) => Generator<Progress<infer Partial>> ? Partial : never;
