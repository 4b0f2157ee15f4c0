// The numbers, names and titles around a heat map.

import { short } from './format.js';
import { type CellAxis, type HeatMapSpec, nameStyle } from './heatmap-layout.js';
import { type Drawing, lensY, placeIn } from './heatmap-cells.js';
import { LABEL_GAP, TEXT } from './pen.js';
import { cellTicks, placeLabels } from './ticks.js';

/** Under a panel whose left edge is at x: numbers as close as the widest allows, or names, and the cursor's column. */
export function drawColumnTicks({ pen, spec, at, cursor }: Drawing, x: number): void {
  const { start = 0, labels, color, columnNames } = spec.columnAxis;
  const { columns, cellWidth } = at;
  const middle = (column: number): number => x + (column - columns.first + 0.5) * cellWidth;
  const bottom = at.top + at.mapHeight;
  const chosen = cursor && placeIn(columns, cursor.column) !== undefined ? cursor.column : undefined;
  const labelOf = (column: number, weight: number) => {
    const text = labels?.[column] ?? short(start + column);
    return { text, middle: middle(column), width: pen.measure(text), weight, column };
  };
  const numbers = (): number[] => {
    const spacing = (pen.measure(short(start + columns.first + columns.count - 1)) + pen.px(44)) / cellWidth;
    return cellTicks(start + columns.first, columns.count, spacing);
  };
  const named = columnNames === 'all' ? columns.count : 0;
  const wanted = labels
    ? Array.from({ length: named }, (_, k) => labelOf(columns.first + k, 0)).filter((l) => l.column !== chosen)
    : numbers().map((number, k) => labelOf(number - start, k === 0 ? 1 : 0));
  if (chosen !== undefined && (labels || color)) wanted.push(labelOf(chosen, 2));
  // Labels of neighbouring panels keep to their own side of the gap.
  const overhang = at.panels.length > 1 && at.compact ? pen.px(1) : pen.px(30);
  const limits = [x - overhang, Math.min(at.width, x + at.mapWidth + overhang)] as const;
  for (const { label, middle: place } of placeLabels(wanted, pen.px(LABEL_GAP), ...limits)) {
    if (!labels) pen.vertical(Math.floor(middle(label.column)), bottom + 1, bottom + pen.px(5), 'ink-3');
    pen.text(label.text, place, at.ticksY, label.column === chosen && color ? { color, weight: 650 } : {});
  }
}

export function drawRowLabels({ pen, spec, at, cursor }: Drawing): void {
  const { start = 0, labels, color } = spec.rowAxis;
  const { rows, cellHeight } = at;
  const x = at.panels[0]!.x;
  const chosen = cursor && placeIn(rows, cursor.row) !== undefined ? cursor.row : undefined;
  const style = nameStyle(spec, at.compact);
  const height = pen.px(labels ? style.size + 1 : 15);
  const labelOf = (row: number, weight: number) => ({
    row,
    middle: at.top + (row - rows.first + 0.5) * cellHeight,
    width: height,
    weight,
  });
  const wanted = labels
    ? Array.from({ length: rows.count }, (_, k) => labelOf(rows.first + k, 0))
    : cellTicks(start + rows.first, rows.count, (height + pen.px(18)) / cellHeight).map((n) => labelOf(n - start, 0));
  if (chosen !== undefined && color) wanted.unshift(labelOf(chosen, 2));
  const limits = [at.top - height, at.top + at.mapHeight + height] as const;
  const done = new Set<number>();
  for (const { label, middle: y } of placeLabels(wanted, labels ? 0 : pen.px(4), ...limits)) {
    if (done.has(label.row)) continue;
    done.add(label.row);
    if (!labels) pen.horizontal(x - pen.px(5), x - 1, Math.floor(y), 'ink-3');
    const base = labels ? style : { size: TEXT.tick };
    const name = labels?.[label.row];
    const text = name === undefined ? short(start + label.row) : pen.shorten(name, at.nameWidth, base);
    const own = label.row === chosen && color ? { color, weight: 650 } : {};
    pen.text(text, x - pen.px(8), y, { ...base, align: 'right', ...own });
  }
}

export function drawTitles({ pen, spec: { rowAxis, columnAxis }, at }: Drawing): void {
  const x = at.panels[0]!.x;
  const style = (axis: CellAxis) => ({ size: TEXT.title, color: axis.color ?? 'ink-2' }) as const;
  const gap = pen.px(LABEL_GAP);
  const [rowWidth, columnWidth] = [rowAxis, columnAxis].map(({ title }) => pen.measure(title, { size: TEXT.title }));
  // Under a narrow panel the titles reach out of it: first to the left, then to the right.
  const left = Math.max(0, Math.min(x, x + at.mapWidth - columnWidth! - gap - rowWidth!));
  const right = Math.min(at.width, Math.max(x + at.mapWidth, left + rowWidth! + gap + columnWidth!));
  pen.text(rowAxis.title, left, at.titlesY, { ...style(rowAxis), align: 'left' });
  pen.text(columnAxis.title, right, at.titlesY, { ...style(columnAxis), align: 'right' });
}

export function drawTopAxis({ pen, at }: Drawing, axis: NonNullable<HeatMapSpec['topAxis']>): void {
  const x = at.panels[0]!.x;
  const y = at.lens.top - pen.px(8);
  pen.text(axis.title, x, pen.px(9), { size: TEXT.title, align: 'left', color: 'ink-2' });
  pen.horizontal(x, x + at.mapWidth, y, 'rule');
  const labels = axis.ticks
    .filter(({ column }) => column >= at.columns.first && column <= at.columns.first + at.columns.count - 1)
    .map(({ column, label }, index) => ({
      text: label,
      middle: x + (column - at.columns.first + 0.5) * at.cellWidth,
      width: pen.measure(label),
      weight: index === 0 || index === axis.ticks.length - 1 ? 1 : 0, // both ends of the range are always named
    }));
  for (const { label, middle } of placeLabels(labels, pen.px(LABEL_GAP), x - pen.px(12), x + at.mapWidth)) {
    pen.vertical(Math.floor(label.middle), y - pen.px(4), y, 'ink-3');
    pen.text(label.text, middle, y - pen.px(11));
  }
}

/** The names of the enlarged rows, which stand on the map that they come from. */
export function drawLensFrame({ pen, spec, at }: Drawing, lens: NonNullable<HeatMapSpec['lens']>): void {
  const style = { ...nameStyle(spec, at.compact), align: 'right' } as const;
  const x = at.panels[0]!.x;
  lens.labels.forEach((label, row) => {
    const name = pen.shorten(label, at.nameWidth, style);
    pen.text(name, x - pen.px(9), lensY(at, row) + at.lens.height / 2, style);
  });
  const bottom = lensY(at, lens.labels.length - 1) + at.lens.height;
  for (const side of [x - pen.hairline, x + at.mapWidth]) {
    pen.vertical(side, bottom + pen.px(3), at.top - pen.px(2), 'edge');
  }
  pen.text(lens.caption, x + at.mapWidth / 2, (bottom + at.top) / 2 + pen.px(1));
}
