// Where ticks and labels go. Pure arithmetic, so that it can be tested without a canvas.

/** Round numbers 1, 2 or 5 × 10ᵏ apart within [minimum, maximum], at most `count` + 1 of them. */
export function linearTicks(minimum: number, maximum: number, count: number): number[] {
  const step = roundStep((maximum - minimum) / count);
  const ticks: number[] = [];
  for (let i = Math.ceil(minimum / step - 1e-9); i * step <= maximum + step * 1e-9; i++) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}

/** Powers of ten within [minimum, maximum]. */
export function decadeTicks(minimum: number, maximum: number): number[] {
  const ticks: number[] = [];
  for (let e = Math.ceil(Math.log10(minimum) - 1e-9); e <= Math.log10(maximum) + 1e-9; e++)
    ticks.push(Number(`1e${e}`));
  return ticks;
}

/** 2 to 9 times each power of ten within [minimum, maximum]: the unlabelled ticks of a log axis. */
export function decadeMinorTicks(minimum: number, maximum: number): number[] {
  const ticks: number[] = [];
  for (let e = Math.floor(Math.log10(minimum)); e <= Math.log10(maximum); e++) {
    for (let k = 2; k < 10; k++) {
      const tick = Number(`${k}e${e}`);
      if (tick >= minimum && tick <= maximum) ticks.push(tick);
    }
  }
  return ticks;
}

/**
 * Whole numbers to label on an axis of cells start … start + length − 1: round numbers at least `spacing` cells apart,
 * the first cell, and the last one, which pushes out a round number too close before it.
 */
export function cellTicks(start: number, length: number, spacing: number): number[] {
  if (length <= 0) return [];
  const last = start + length - 1;
  const step = Math.max(1, roundStep(spacing));
  const ticks: number[] = [];
  for (let i = Math.ceil(start / step) * step; i <= last; i += step) ticks.push(i);
  if (ticks[0] !== start) {
    if (ticks[0] !== undefined && ticks[0] - start < spacing) ticks.shift();
    ticks.unshift(start);
  }
  while (ticks.length > 1 && last - (ticks.at(-1) ?? 0) < spacing && ticks.at(-1) !== last) ticks.pop();
  if (ticks.at(-1) !== last && last - start >= spacing) ticks.push(last);
  return ticks;
}

/** The least of 1, 2, 5, 10, 20, 50 … that is at least `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const digit = [1, 2, 5, 10].find((d) => d * power >= step * (1 - 1e-9)) ?? 10;
  return digit * power;
}

/** A label on an axis: the middle it wants, how wide it is, and how much it matters (more is kept first). */
export interface AxisLabel {
  readonly middle: number;
  readonly width: number;
  readonly weight?: number;
}

/**
 * The labels that fit beside each other with `gap` between them inside [lower, upper], and where their middles go. A
 * label is moved only to stay inside the limits; of two that collide the heavier stays, then the earlier.
 */
export function placeLabels<T extends AxisLabel>(
  labels: readonly T[],
  gap: number,
  lower: number,
  upper: number,
): { label: T; middle: number }[] {
  const order = [...labels.keys()].sort((a, b) => weightOf(labels[b]) - weightOf(labels[a]) || a - b);
  const placed: { label: T; middle: number; index: number }[] = [];
  for (const index of order) {
    const label = labels[index];
    if (label === undefined || label.width > upper - lower) continue;
    const middle = Math.min(Math.max(label.middle, lower + label.width / 2), upper - label.width / 2);
    const free = placed.every(
      (other) => Math.abs(other.middle - middle) >= (other.label.width + label.width) / 2 + gap,
    );
    if (free) placed.push({ label, middle, index });
  }
  return placed.sort((a, b) => a.index - b.index).map(({ label, middle }) => ({ label, middle }));
}

function weightOf(label: AxisLabel | undefined): number {
  return label?.weight ?? 0;
}

/**
 * Moves marks along a line so that neighbours are at least `gap` apart and all lie in [lower, upper], each as near to
 * where it wants to be as its group allows. The order of `wanted` is kept in the answer.
 */
export function spread(wanted: readonly number[], gap: number, lower: number, upper: number): number[] {
  // Groups of touching marks, merged until none overlap: each stands at the mean of what its members want.
  interface Group {
    members: number[];
    start: number;
  }
  const span = (g: Group): number => (g.members.length - 1) * gap;
  const settle = (members: number[]): Group => {
    const mean = members.reduce((sum, m, k) => sum + (wanted[m] ?? 0) - k * gap, 0) / members.length;
    const group = { members, start: mean };
    group.start = Math.max(lower, Math.min(upper - span(group), mean));
    return group;
  };
  const groups: Group[] = [];
  for (const index of [...wanted.keys()].sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))) {
    let next = settle([index]);
    for (let last = groups.at(-1); last && last.start + span(last) + gap > next.start; last = groups.at(-1)) {
      groups.pop();
      next = settle([...last.members, ...next.members]);
    }
    groups.push(next);
  }
  const places = new Array<number>(wanted.length).fill(0);
  for (const group of groups) group.members.forEach((member, k) => (places[member] = group.start + k * gap));
  return places;
}
