import { requireInteger } from '../common/check.js';
import { badArgument, refusal } from '../common/errors.js';

/** How many pairs turn by time, height and width: all of them together. */
export function requireSections(section: unknown, pairs: number): [time: number, height: number, width: number] {
  const rule = { kind: 'sections', pairs } as const;
  if (!Array.isArray(section) || section.length !== 3) throw badArgument('mropeSection', rule, section);
  const [time, height, width] = section.map((count) => requireInteger(count, 'mropeSection', 0, pairs)) as [
    number,
    number,
    number,
  ];
  const sum = time + height + width;
  if (sum !== pairs) {
    const state = { kind: 'sum', parts: section as number[], total: sum } as const;
    throw refusal('bad-argument', { argument: 'mropeSection', rule, got: section, state });
  }
  return [time, height, width];
}
