import { expect, test } from 'vitest';
import { readCases } from './data.ts';

/** The cases of a fixture, or of some of its operators, as tests take them. */
export interface Fixture<Entry> {
  /** All of them. */
  readonly all: Entry[];
  /** Those that a test is for. */
  where<Wanted extends Entry>(isWanted: (entry: Entry) => entry is Wanted): Wanted[];
  where(isWanted: (entry: Entry) => boolean): Entry[];
}

/**
 * Opens tests/fixtures/`name`.json for the tests of a file, and adds a test that fails where they leave out a case. Where
 * several files share a fixture, each names its operators.
 */
export function openFixture<Entry extends object>(name: string, ...operators: string[]): Fixture<Entry> {
  const cases = readCases<Entry>(`../../fixtures/${name}.json`).filter(
    (entry) => operators.length === 0 || operators.includes((entry as { op: string }).op),
  );
  const left = new Set(cases);
  const take = <Wanted extends Entry>(wanted: Wanted[]): Wanted[] => {
    for (const entry of wanted) left.delete(entry);
    return wanted;
  };
  test(`no case of ${[name, ...operators].join(', ')} is left out`, () => {
    expect(cases).not.toEqual([]);
    expect([...left]).toEqual([]);
  });
  return {
    get all() {
      return take(cases);
    },
    where: (isWanted: (entry: Entry) => boolean) => take(cases.filter(isWanted)),
  };
}
