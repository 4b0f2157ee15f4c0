import { html, nothing, type TemplateResult } from 'lit';
import type { TableStatistics } from 'posenc';
import { fixed, group, noBreak, readout } from '../../plots/format.js';
import { texts } from '../../texts/index.js';
import type { Fact } from '../answer/facts.js';
import { extent } from '../answer/layer-view.js';
import { renderFacts } from '../answer/render-answer.js';
import type { TableEntry } from './table-file.js';

/** One minus the score that still counts as “distance alone”; the text says why. */
export const TOLERANCE = 0.01;
const SCORE_DIGITS = 6;
/** More reserved rows than this are counted, not listed. */
const MOST_LISTED = 6;
/** Rows that models of the RoBERTa, BART and OPT families keep before that of position 0. */
const OFFSET = 2;
const LEAST_POSITIONS = 64;

/** What there is to say of some rows of a table, of which `first` is the first. */
export function renderTableFacts(
  entry: TableEntry,
  first: number,
  { norms, toeplitz, reserved }: TableStatistics,
): TemplateResult {
  const text = texts().table;
  const [least, most] = extent(norms);
  const middle = norms.slice().sort()[norms.length >> 1]!;
  const shape = `${group(entry.rows)} × ${group(entry.dim)}`;
  const offset = firstRow(entry.rows, first, reserved);
  const facts: readonly Fact[] = [
    ['shape', text.facts.shape, entry.dtype === undefined ? shape : `${shape} · ${entry.dtype}`],
    ['score', text.facts.score, readout(toeplitz, SCORE_DIGITS)],
    ['reserved', text.facts.reserved, listed(reserved.map((row) => row + first))],
    ['norms', text.facts.norms, text.between(readout(least, 4), readout(most, 4))],
    ['middle', text.facts.middle, readout(middle, 4)],
    ...(offset === undefined ? [] : [['first', text.facts.first, group(offset)] as const]),
  ];
  const leavesTwo = offset === OFFSET && hasOffset(entry.rows);
  return html`${renderFacts(facts)} ${reserved.length > 0 ? html`<p class="note">${text.reservedNote}</p>` : nothing}
  ${
    leavesTwo
      ? html`<p class="note">${text.offsetNote(noBreak(group(entry.rows)), noBreak(group(entry.rows - OFFSET)))}</p>`
      : nothing
  }`;
}

/** What a table is like, in one sentence. */
export function tableVerdict({ rows, dim }: TableEntry, { toeplitz }: TableStatistics): string {
  const words = texts().table.verdict;
  const [count, width] = [noBreak(group(rows)), noBreak(group(dim))];
  if (Number.isNaN(toeplitz)) return words.constant(count, width);
  return 1 - toeplitz <= TOLERANCE ? words.striped(count, width) : words.learned(count, width, percent(toeplitz));
}

/** A share of one as per cent, not rounded up to a hundred. */
export function percent(share: number): string {
  return fixed(Math.floor(1000 * share) / 10, 1);
}

/** Rows by their numbers, runs of them as `0–3`. */
function listed(rows: readonly number[]): string {
  const text = texts().table;
  if (rows.length === 0) return text.noReserved;
  const runs: [from: number, to: number][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last?.[1] === row - 1) last[1] = row;
    else runs.push([row, row]);
  }
  const shown = runs.slice(0, MOST_LISTED);
  const left = runs.slice(MOST_LISTED).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  const names = shown.map(([from, to]) => (from === to ? group(from) : `${group(from)}–${group(to)}`));
  return [...names, ...(left > 0 ? [text.more(group(left))] : [])].join(text.comma);
}

/** The row of position 0, where the table tells: after the reserved rows that it begins with, or after an offset. */
function firstRow(rows: number, shownFrom: number, reserved: readonly number[]): number | undefined {
  if (shownFrom > 0) return undefined;
  let leading = 0;
  while (reserved[leading] === leading) leading++;
  return hasOffset(rows) ? Math.max(leading, OFFSET) : leading;
}

/** Whether a table has two rows more than a power of two. */
function hasOffset(rows: number): boolean {
  return rows - OFFSET >= LEAST_POSITIONS && Number.isInteger(Math.log2(rows - OFFSET));
}
