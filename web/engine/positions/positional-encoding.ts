import {
  requireCount,
  requireFinite,
  requireInteger,
  requireOptions,
  withDefault,
  type Names,
} from '../../common/check.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { badArgument } from '../../common/errors.js';
import { sinusoidalSeries } from '../../rotary/frequencies.js';
import { withHeap, type FloatTensor, type Into, type Tensor } from '../runtime/heap.js';

export interface PositionalEncodingOptions {
  /** `[batch, length, dim]`. */
  x: Tensor;
  /** 1 by default. */
  batch?: number;
  length: number;
  dim: number;
  /** The longest sequence that the module takes; a longer one is an error. No limit by default. */
  maxLength?: number;
  /** 10000 by default. */
  base?: number;
  /** Probability that an element is dropped, from 0 to below 1; 0 (default) is evaluation. */
  dropout?: number;
  /** Which elements are dropped: a whole number from 0 to 2^53 − 1, 0 by default. The same seed drops the same ones. */
  seed?: number;
}

export interface PositionalEncoding {
  /**
   * The textbook module: dropout(x + PE), where a kept element is divided by 1 − dropout. Rows of padding come out as
   * the bare encoding, so they still have to be masked in attention.
   *
   * Returns `[batch, length, dim]`; `out` may be `x`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: one float rounding for the sum, one for the division.
   * Source: Vaswani et al. 2017, arXiv:1706.03762, sections 3.5 and 5.4.
   */
  positionalEncoding<Out extends FloatTensor = Float32Array>(
    options: PositionalEncodingOptions & Into<Out>,
  ): NoInfer<Out>;
}

const OPTIONS: Names<PositionalEncodingOptions & Into<unknown>> = {
  x: true,
  batch: true,
  length: true,
  dim: true,
  maxLength: true,
  base: true,
  dropout: true,
  seed: true,
  out: true,
};

export function positionalEncoding(engine: Engine): PositionalEncoding['positionalEncoding'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const batch = requireCount(withDefault(options.batch, 1), 'batch');
    const length = requireCount(options.length, 'length');
    const dim = requireCount(options.dim, 'dim');
    if (options.maxLength !== undefined && length > requireCount(options.maxLength, 'maxLength')) {
      throw badArgument('length', { kind: 'at-most', of: 'maxLength', value: options.maxLength }, length);
    }
    const dropout = requireFinite(withDefault(options.dropout, 0), 'dropout');
    if (dropout < 0 || dropout >= 1) throw badArgument('dropout', { kind: 'share' }, dropout);
    const seed = requireInteger(withDefault(options.seed, 0), 'seed', 0, Number.MAX_SAFE_INTEGER);
    return withHeap(engine, (heap) => {
      const x = heap.floats(options.x, 'x', { batch, length, dim });
      const target = heap.floatTarget(options.out, { batch, length, dim });
      const table = heap.newFloats({ length, dim });
      const invFreq = heap.doubles(sinusoidalSeries(dim, options.base), 'dim');
      const { wasm, none } = engine;
      const order = wasm.AngleLayout.SinCosInterleaved;
      throwUnlessOk(engine, wasm.sinusoidal(table, invFreq, length, 0, none.doubles, dim, order), 'positionalEncoding');
      const status = wasm.positionalEncoding(target.handle, x, table, batch, length, dim, dropout, seed);
      throwUnlessOk(engine, status, 'positionalEncoding');
      return target.take();
    });
  };
}
