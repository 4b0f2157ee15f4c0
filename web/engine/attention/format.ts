import { requireChoice, withDefault } from '../../common/check.js';
import type { Engine } from '../runtime/engine.js';
import type { TensorFormat } from '../runtime/glue.js';

/**
 * Axes of a tensor of queries or keys, outermost first: `bshd` is `[batch, length, heads, headDim]`, as a projection
 * leaves it; `bhsd` is `[batch, heads, length, headDim]`, as PyTorch's attention takes it.
 */
export type Format = 'bshd' | 'bhsd';

/** A format, checked; `bshd` by default. */
export function requireFormat(format: unknown): Format {
  return requireChoice(withDefault(format, 'bshd'), 'format', { bshd: 'bshd', bhsd: 'bhsd' } as const);
}

/** The formats as the core names them. */
export function tensorFormats({ wasm }: Engine): Readonly<Record<Format, TensorFormat>> {
  return { bshd: wasm.TensorFormat.Bshd, bhsd: wasm.TensorFormat.Bhsd };
}
