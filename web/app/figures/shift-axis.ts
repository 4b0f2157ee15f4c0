// The axis of a shift in tokens: logarithmic, with 0 at its start. A slider with the scale `log1p` runs the same way.
import { powerOfTen } from '../plots/format.js';
import type { LineAxis } from '../plots/line-plot.js';

/** The largest shift that figures offer, tokens. */
export const LARGEST_SHIFT = 1_000_000;

/** Place of a shift on the axis. */
export function along(shift: number): number {
  return Math.log10(1 + shift);
}

export const shiftAxis: LineAxis = {
  title: '',
  minimum: 0,
  maximum: along(LARGEST_SHIFT),
  ticks: [0, 1, 10, 100, 1000, 1e4, 1e5, 1e6].map((shift) => ({
    at: along(shift),
    label: shift === 0 ? '0' : powerOfTen(Math.round(Math.log10(shift))),
  })),
};

/** At most `count` whole shifts evenly spaced on the axis, without 0, where nothing has changed yet. */
export function spacedShifts(count: number): number[] {
  const shifts = Array.from({ length: count }, (_, k) =>
    Math.round(10 ** (((k + 1) / count) * along(LARGEST_SHIFT)) - 1),
  );
  return [...new Set(shifts)].filter((shift) => shift > 0);
}

/** Index of the shift nearest on the axis; undefined for 0. */
export function nearestShift(shifts: readonly number[], shift: number): number | undefined {
  if (shift === 0) return undefined;
  const distances = shifts.map((s) => Math.abs(along(s) - along(shift)));
  return distances.indexOf(Math.min(...distances));
}

/** Lets the slider under a plot, inside `around`, run along the plot's axis: `area` is the plotted area's distance from both edges. */
export function alignSlider(around: Element | null, area: { left: number; right: number } | undefined): void {
  const slider = around?.querySelector<HTMLElement>('.axis-slider');
  slider?.style.setProperty('--inset-left', `${area?.left ?? 0}px`);
  slider?.style.setProperty('--inset-right', `${Math.max(0, area?.right ?? 0)}px`);
}
