import {
  allocate,
  requireCount,
  requireIntegers,
  requireOptions,
  requirePositive,
  withDefault,
} from '../../common/check.js';

export interface GridCoordinatesOptions {
  /** Rows of the grid. */
  height: number;
  /** Columns of the grid. */
  width: number;
  /** 1 by default. */
  batch?: number;
  /** `[batch, height, width]`: 1 where a cell belongs to the image, 0 where it is padding. All belong to it by default. */
  mask?: ArrayLike<number>;
  /**
   * Divides the counts by that of the last row or column, and multiplies by this: 2π in DETR, so that an image of any size
   * takes one turn. By default the counts stay as they are.
   */
  scale?: number;
}

/** The row and the column of each point. */
export interface PlaneCoordinates {
  rows: Float64Array;
  columns: Float64Array;
}

/** Added to a count before it divides, for images without a cell. */
const EPSILON = 1e-6;

/**
 * Coordinates of the cells of a grid as DETR has them, for `sinusoidal2d`: the number of cells of the image from the edge
 * down to a cell, that one included, so that padding does not count; along columns and along rows.
 *
 * Returns `{ rows, columns }`, each `[batch, height, width]`.
 *
 * Needs no engine.
 *
 * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
 * Source: Carion et al. 2020, arXiv:2005.12872, and the code published with it, PositionEmbeddingSine.
 */
export function gridCoordinates(given: GridCoordinatesOptions): PlaneCoordinates {
  const options = requireOptions(given, { height: true, width: true, batch: true, mask: true, scale: true });
  const height = requireCount(options.height, 'height');
  const width = requireCount(options.width, 'width');
  const batch = requireCount(withDefault(options.batch, 1), 'batch');
  const sizes = { batch, height, width };
  const scale = options.scale === undefined ? undefined : requirePositive(options.scale, 'scale');
  const mask = options.mask === undefined ? undefined : requireIntegers(options.mask, 'mask', sizes, 0, 1);
  const [rows, columns] = [allocate(Float64Array, sizes), allocate(Float64Array, sizes)];

  /** Counts along a line of cells, which are `step` apart. */
  const count = (into: Float64Array, first: number, length: number, step: number) => {
    const end = first + length * step;
    let counted = 0;
    for (let cell = first; cell < end; cell += step) into[cell] = counted += mask?.[cell] ?? 1;
    if (scale === undefined) return;
    for (let cell = first; cell < end; cell += step) into[cell] = (into[cell]! / (counted + EPSILON)) * scale;
  };
  for (let image = 0; image < rows.length; image += height * width) {
    for (let column = 0; column < width; ++column) count(rows, image + column, height, width);
    for (let row = 0; row < height; ++row) count(columns, image + row * width, width, 1);
  }
  return { rows, columns };
}
