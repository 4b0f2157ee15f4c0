import { type ColorScale, type ColorSummary, type ColorTable, colorize } from './colormap.js';
import { type Theme, themedTable } from './theme.js';

/** Numbers as they are coloured: row-major [rows, columns]; those that are not finite stay transparent. */
export interface Cells {
  readonly values: ArrayLike<number>;
  readonly rows: number;
  readonly columns: number;
  readonly scale: ColorScale;
}

/** Cells as a bitmap of one pixel each, painted anew only when the numbers, their scale or the paper are others. */
export class CellPicture {
  readonly bitmap = document.createElement('canvas');
  readonly #context = this.bitmap.getContext('2d')!;
  #painted: (Cells & { readonly table: ColorTable; readonly summary: ColorSummary }) | undefined;

  /** Makes sure that the bitmap shows the cells. Answers with what their colours do not tell. */
  show(cells: Cells, theme: Theme): ColorSummary {
    const { values, rows, columns, scale } = cells;
    const table = themedTable(scale.map, theme.paper);
    const painted = this.#painted;
    if (
      painted?.values === values &&
      painted.table === table &&
      painted.rows === rows &&
      painted.columns === columns &&
      limitOf(painted.scale) === limitOf(scale)
    ) {
      return painted.summary;
    }
    if (this.bitmap.width !== columns) this.bitmap.width = columns;
    if (this.bitmap.height !== rows) this.bitmap.height = rows;
    const image = this.#context.createImageData(columns, rows);
    const summary = colorize(values, scale, table, new Uint32Array(image.data.buffer));
    this.#context.putImageData(image, 0, 0);
    this.#painted = { ...cells, table, summary };
    return summary;
  }
}

function limitOf(scale: ColorScale): number | undefined {
  return scale.map === 'cyclic' ? undefined : scale.limit;
}

const bars = new WeakMap<ColorTable, Map<string, CellPicture>>();

/** The colours of a bar, one pixel per step of its length. */
export function barPicture({ map }: ColorScale, length: number, vertical: boolean, theme: Theme): HTMLCanvasElement {
  const table = themedTable(map, theme.paper);
  let known = bars.get(table);
  if (!known) bars.set(table, (known = new Map()));
  const key = `${length} ${vertical}`;
  let bar = known.get(key);
  if (!bar) {
    known.set(key, (bar = new CellPicture()));
    const high = map === 'cyclic' ? 2 * Math.PI * (1 - 1e-9) : 1;
    const low = map === 'diverging' ? -high : 0;
    const values = Array.from({ length }, (_, k) => {
      const share = (vertical ? length - 1 - k : k) / (length - 1);
      return low + (high - low) * share;
    });
    const [rows, columns] = vertical ? [length, 1] : [1, length];
    bar.show({ values, rows, columns, scale: { map, limit: 1 } }, theme);
  }
  return bar.bitmap;
}
