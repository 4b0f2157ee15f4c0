import { requireCount, requireOptions, type Names } from '../../common/check.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { requireApart, withHeap, type FloatTensor, type Into, type Tensor } from '../runtime/heap.js';

export interface SimilarityOptions {
  /** `[rows, dim]`. */
  table: Tensor;
  rows: number;
  dim: number;
}

export interface Similarity {
  /**
   * Cosine similarity of every two rows of a table. A row of zeros has similarity 0 to every row.
   *
   * Returns `[rows, rows]`, symmetric.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: sums in float64, rounded once.
   */
  similarity<Out extends FloatTensor = Float32Array>(options: SimilarityOptions & Into<Out>): NoInfer<Out>;
}

const OPTIONS: Names<SimilarityOptions & Into<unknown>> = { table: true, rows: true, dim: true, out: true };

export function similarity(engine: Engine): Similarity['similarity'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const rows = requireCount(options.rows, 'rows');
    const dim = requireCount(options.dim, 'dim');
    requireApart(options.out, { table: options.table });
    return withHeap(engine, (heap) => {
      const target = heap.floatTarget(options.out, { rows, columns: rows });
      const table = heap.floats(options.table, 'table', { rows, dim });
      throwUnlessOk(engine, engine.wasm.similarity(target.handle, table, rows, dim), 'similarity');
      return target.take();
    });
  };
}
