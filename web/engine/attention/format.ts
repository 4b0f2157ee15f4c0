import type { Engine } from '../runtime/engine.js';
import type { TensorFormat } from '../runtime/glue.js';

/**
 * Axes of a tensor of queries or keys, outermost first: `bshd` is `[batch, length, heads, headDim]`, as a projection
 * leaves it; `bhsd` is `[batch, heads, length, headDim]`, as PyTorch's attention takes it.
 */
export type Format = 'bshd' | 'bhsd';

/** The formats as the core names them. */
export function tensorFormats({ wasm }: Engine): Readonly<Record<Format, TensorFormat>> {
  return { bshd: wasm.TensorFormat.Bshd, bhsd: wasm.TensorFormat.Bhsd };
}
