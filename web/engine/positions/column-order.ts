import { requireChoice, withDefault } from '../../common/check.js';
import type { Engine } from '../runtime/engine.js';
import type { AngleLayout } from '../runtime/glue.js';

/**
 * The columns of sines and cosines: sin, cos, sin, cos, … (`interleaved`: the paper, XLM, DETR), all sines, then all cosines
 * (`concat`: tensor2tensor, fairseq, Marian, Transformer-XL, MAE), or all cosines, then all sines (`cos-first`: MusicGen).
 */
export type ColumnOrder = 'interleaved' | 'concat' | 'cos-first';

/** The order as the core names it. */
export function requireColumnOrder({ wasm }: Engine, order: unknown): AngleLayout {
  const { SinCosInterleaved, SinThenCos, CosThenSin } = wasm.AngleLayout;
  const orders = { interleaved: SinCosInterleaved, concat: SinThenCos, 'cos-first': CosThenSin };
  return requireChoice(withDefault(order, 'interleaved'), 'order', orders);
}
