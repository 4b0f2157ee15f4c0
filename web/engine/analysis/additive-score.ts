import type { Engine } from '../runtime/engine.js';
import { copyOfTensor } from '../runtime/heap.js';
import { requireProjected, type Projections } from './projections.js';
import { dotProduct, type Contents, type Placed, type ScoreAt } from './score.js';

/** The code of a position, one number per channel, and the greatest error of any. */
export interface PositionCode {
  readonly values: ArrayLike<number>;
  readonly rounding: number;
}

/**
 * The score where a position is added to the contents: (query + code) Wq · (key + code) Wk, in double over the codes as
 * the encoding gives them.
 */
export function additiveScore(
  engine: Engine,
  contents: Contents,
  projections: Projections,
  codeAt: (position: number) => PositionCode,
): ScoreAt {
  const dim = contents.query.length;
  requireProjected(projections, dim);
  const [wq, wk] = (['wq', 'wk'] as const).map(
    (name) => projections[name] && copyOfTensor(engine, projections[name], name),
  );
  const place = (content: Float32Array, position: number, projection: Float32Array | undefined): Placed => {
    const code = codeAt(position);
    const sum = Float64Array.from(content, (value, c) => value + (code.values[c] as number));
    return projection === undefined
      ? { values: sum, errors: new Float64Array(dim).fill(code.rounding) }
      : project(sum, code.rounding, projection);
  };
  return (queryPosition, keyPosition) =>
    dotProduct(place(contents.query, queryPosition, wq), place(contents.key, keyPosition, wk));
}

/** A row vector times a matrix with a row for each of its elements, which are off by `rounding` at most. */
function project(vector: Float64Array, rounding: number, matrix: Float32Array): Placed {
  const rows = vector.length;
  const columns = matrix.length / rows;
  const [values, errors] = [new Float64Array(columns), new Float64Array(columns)];
  for (let column = 0; column < columns; ++column) {
    let [sum, error] = [0, 0];
    for (let row = 0; row < rows; ++row) {
      const weight = matrix[row * columns + column] as number;
      const element = vector[row] as number;
      sum += element * weight;
      error += Math.abs(weight) * (rounding + (rows + 1) * 2 ** -53 * Math.abs(element));
    }
    values[column] = sum;
    errors[column] = error;
  }
  return { values, errors };
}
