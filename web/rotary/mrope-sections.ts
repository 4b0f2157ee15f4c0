import { requireInteger } from '../common/check.js';
import { badArgument, PosencError } from '../common/errors.js';

/** How many pairs turn by time, height and width: all of them together. */
export function requireSections(section: unknown, pairs: number): [time: number, height: number, width: number] {
  const expected = `three whole numbers whose sum is rotaryDim / 2 = ${pairs}`;
  if (!Array.isArray(section) || section.length !== 3) throw badArgument('mropeSection', expected, section);
  const [time, height, width] = section.map((count) => requireInteger(count, 'mropeSection', 0, pairs)) as [
    number,
    number,
    number,
  ];
  const sum = time + height + width;
  if (sum !== pairs) {
    throw new PosencError('bad-argument', `mropeSection must be ${expected}, got ${section.join(' + ')} = ${sum}`, {
      argument: 'mropeSection',
      expected,
      got: section,
    });
  }
  return [time, height, width];
}
