import { requireCount, requireOptions, type Names, namesOf } from '../../common/check.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { sinusoidalSeries } from '../../rotary/frequencies.js';
import { requireApart, requireParts, withHeap, type FloatTensor, type Into, type Tensor } from '../runtime/heap.js';
import { requireProjected, type Projections } from './projections.js';

export interface DecomposeOptions extends Projections {
  /** `[length, dim]`: contents of the tokens, without positions. */
  x: Tensor;
  length: number;
  dim: number;
  /** Base of the sinusoidal encoding that gives the positions; 10000 by default. */
  base?: number;
}

/** The four terms, each `[length, length]`, row m the query and column n the key. The first word is what the query gives. */
export interface FourTerms<Values = Float32Array> {
  contentContent: Values;
  positionContent: Values;
  contentPosition: Values;
  positionPosition: Values;
}

export interface Decompose {
  /**
   * The four terms of the score between tokens whose contents x carry a sinusoidal encoding p:
   * (x_m + p_m) Wq Wkᵀ (x_n + p_n)ᵀ, without the division by √dim. Their sum is the score, exactly.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: sums in float64, rounded once.
   * Source: Ke et al. 2020, arXiv:2006.15595, section 2.
   */
  decompose<Out extends FloatTensor = Float32Array>(
    options: DecomposeOptions & Into<FourTerms<Out>>,
  ): FourTerms<NoInfer<Out>>;
}

const OPTIONS: Names<DecomposeOptions & Into<unknown>> = {
  x: true,
  length: true,
  dim: true,
  base: true,
  wq: true,
  wk: true,
  out: true,
};

const TERMS: Names<FourTerms> = {
  contentContent: true,
  positionContent: true,
  contentPosition: true,
  positionPosition: true,
};

export function decompose(engine: Engine): Decompose['decompose'] {
  const { wasm, none } = engine;
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const length = requireCount(options.length, 'length');
    const dim = requireCount(options.dim, 'dim');
    const { wq, wk } = options;
    const projected = requireProjected(options, dim);
    const out = requireParts(options.out, TERMS);
    for (const term of namesOf(TERMS)) requireApart(out[term], { x: options.x, wq, wk }, `out.${term}`);
    return withHeap(engine, (heap) => {
      const x = heap.floats(options.x, 'x', { length, dim });
      const target = (term: keyof FourTerms) => heap.floatTarget(out[term], { length, columns: length }, `out.${term}`);
      const contentContent = target('contentContent');
      const positionContent = target('positionContent');
      const contentPosition = target('contentPosition');
      const positionPosition = target('positionPosition');

      const p = heap.newFloats({ length, dim });
      const invFreq = heap.doubles(sinusoidalSeries(dim, options.base), 'dim');
      const order = wasm.AngleLayout.SinCosInterleaved;
      throwUnlessOk(engine, wasm.sinusoidal(p, invFreq, length, 0, none.doubles, dim, order), 'decompose');

      const status = wasm.decompose(
        contentContent.handle,
        positionContent.handle,
        contentPosition.handle,
        positionPosition.handle,
        x,
        p,
        wq === undefined ? none.floats : heap.floats(wq, 'wq', { dim, projected }),
        wk === undefined ? none.floats : heap.floats(wk, 'wk', { dim, projected }),
        heap.newDoubles({ scratch: wasm.decomposeScratch(length, dim, projected) }),
        length,
        dim,
        projected,
      );
      throwUnlessOk(engine, status, 'decompose');
      return {
        contentContent: contentContent.take(),
        positionContent: positionContent.take(),
        contentPosition: contentPosition.take(),
        positionPosition: positionPosition.take(),
      };
    });
  };
}
