// The axes of a plot of lines, and the small ticks under it.

import { type LineLayout, type LinePlotSpec, RUG_ROW, isPale, ticksOf } from './line-layout.js';
import { LABEL_GAP, type Pen, TEXT } from './pen.js';
import { decadeMinorTicks, placeLabels } from './ticks.js';

/** CSS pixels between two labels of the x axis, in a narrow and in a wide plot. */
const SPACING = { compact: 40, wide: 90 };

export function drawAxes(at: LineLayout, pen: Pen, spec: LinePlotSpec): void {
  const { left, top, width, height } = at;
  const [right, bottom] = [left + width, top + height];
  const px = (length: number): number => pen.px(length);
  const title = { size: TEXT.title, color: 'ink-2' } as const;

  for (const { at: value, label } of ticksOf(spec.yAxis, 5)) {
    const y = Math.round(at.y.place(value));
    pen.horizontal(left, right, y, 'rule');
    if (value === 0 && spec.yAxis.minimum < 0) pen.horizontal(left, right, y + pen.hairline, 'rule');
    pen.text(label, left - px(8), y, { align: 'right' });
  }
  pen.text(spec.yAxis.title, Math.min(left, px(spec.left ?? 58)), px(12), { ...title, align: 'left' });

  const axisY = bottom + px(6);
  const place = (value: number): number => Math.round(at.x.place(value));
  if (spec.xAxis.scale === 'log') {
    pen.horizontal(left, right, axisY, 'edge');
    for (const tick of decadeMinorTicks(spec.xAxis.minimum, spec.xAxis.maximum)) {
      pen.vertical(Math.min(place(tick), right - 1), axisY, axisY + px(3), 'edge');
    }
  }
  const count = Math.max(2, Math.floor(width / px(SPACING[at.compact ? 'compact' : 'wide'])));
  const labels = ticksOf(spec.xAxis, count).map(({ at: value, label }) => ({
    text: label,
    tick: Math.min(place(value), right - 1),
    middle: place(value),
    width: pen.measure(label),
  }));
  for (const { label, middle } of placeLabels(labels, px(LABEL_GAP), 0, at.whole.width)) {
    pen.vertical(label.tick, axisY, axisY + px(5), 'ink-3');
    pen.text(label.text, middle, axisY + px(15));
  }
  pen.text(spec.xAxis.title, right, axisY + px(33), { ...title, align: 'right' });
  if (spec.rugs) drawRugs(at, pen, spec.rugs, axisY + px(33));
}

function drawRugs(at: LineLayout, pen: Pen, rugs: NonNullable<LinePlotSpec['rugs']>, titleY: number): void {
  const { left, width } = at;
  const title = { size: TEXT.title, align: 'left' } as const;
  pen.text(rugs.title, left, titleY, { ...title, color: 'ink-2' });
  rugs.rows.forEach(({ name, color, at: values }, row) => {
    const y = titleY + pen.px(12 + row * RUG_ROW);
    pen.horizontal(left, left + width, y + pen.px(9), 'rule');
    const thickness = values.length < 20 ? pen.px(2.5) : 1;
    for (let i = 0; i < values.length; i++) {
      const x = at.x.place(values[i]!) - thickness / 2;
      if (x <= left + width) pen.vertical(Math.round(x), y, y + pen.px(9), color, thickness);
    }
    if (at.compact) return;
    const style = { ...title, color: isPale(color, pen.theme) ? 'ink-2' : color } as const;
    pen.text(name, left + width + pen.px(12), y + pen.px(5), style);
  });
}
