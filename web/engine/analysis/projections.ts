import { badArgument } from '../../common/errors.js';
import { requireTensorLength, type Tensor } from '../runtime/heap.js';

/** How contents that carry a position become queries and keys. */
export interface Projections {
  /** `[dim, projected]`: projection of the queries. The identity by default. */
  wq?: Tensor;
  /** `[dim, projected]`: projection of the keys. The identity by default. */
  wk?: Tensor;
}

/** Columns of the projections, which must agree; an identity has `dim`. */
export function requireProjected({ wq, wk }: Projections, dim: number): number {
  const columns = (projection: unknown, argument: string): number => {
    if (projection === undefined) return dim;
    const length = requireTensorLength(projection, argument);
    if (length === 0 || length % dim !== 0) {
      throw badArgument(argument, { kind: 'projection', dim }, projection);
    }
    return length / dim;
  };
  const projected = columns(wq, 'wq');
  if (columns(wk, 'wk') !== projected) {
    throw badArgument('wk', { kind: 'as-wide', as: wq === undefined ? 'dim' : 'wq', columns: projected }, wk);
  }
  return projected;
}
