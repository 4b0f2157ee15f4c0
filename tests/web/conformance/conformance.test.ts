import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { alibi } from './alibi.ts';
import { attention } from './attention.ts';
import type { ConformanceCase, Run } from './case.ts';
import { deberta } from './deberta.ts';
import { ggmlAttention } from './ggml-attention.ts';
import { ggmlRope } from './ggml-rope.ts';
import { hfRopeParameters } from './hf-rope-parameters.ts';
import { hfRotary } from './hf-rotary.ts';
import { lucidrains } from './lucidrains.ts';
import { onnxRotary } from './onnx-rotary.ts';
import { shaw } from './shaw.ts';
import { sinusoidal } from './sinusoidal.ts';
import { t5 } from './t5.ts';
import { transformerXl } from './transformer-xl.ts';
import { xpos } from './xpos.ts';
import { later } from './later.ts';
import { readCases } from '../support/data.ts';
import { describeVariants } from '../support/variants.ts';

const parts = [
  ...[hfRopeParameters, hfRotary, lucidrains, onnxRotary, xpos, ggmlRope],
  ...[sinusoidal, alibi, t5, shaw, transformerXl, deberta],
  ...[attention, ggmlAttention],
];

const files = readdirSync(new URL('../../conformance/', import.meta.url))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

const casesOf = (file: string) => readCases<ConformanceCase>(`../../conformance/${file}.json`);
const leftOut = Object.entries(later).flatMap(([file, reasons]) =>
  Object.entries(reasons).map(([name, reason]) => ({ file, name, reason })),
);

/** The ways to run the cases of an operator. There is one, in one of the parts, or none. */
function runsOf(file: string, op: string): Run<unknown>[] {
  return parts.flatMap((suites) => (suites[file]?.[op] as Run<unknown> | undefined) ?? []);
}

// Every case of every file is a test here, or stands in later.ts.
for (const file of files) {
  const cases = casesOf(file).filter(({ name }) => later[file]?.[name] === undefined);
  await describeVariants(file, (encodings) => {
    test.each(cases)('$name', (entry) => {
      const [run] = runsOf(file, entry.op);
      if (run === undefined) expect.fail(`nothing runs ${entry.op}`);
      run(encodings, entry);
    });
  });
}

describe('the cases of other projects', () => {
  test('have names of their own, so that each is run or left out by its name', () => {
    for (const file of files) {
      const names = casesOf(file).map(({ name }) => name);
      expect(new Set(names).size, file).toBe(names.length);
    }
  });

  test('are left out for a reason, if they exist', () => {
    for (const { file, name, reason } of leftOut) {
      expect(files).toContain(file);
      expect(casesOf(file).map((entry) => entry.name)).toContain(name);
      expect(reason).not.toBe('');
    }
  });

  test('are each run in one way, or left out', () => {
    for (const file of files) {
      for (const { name, op } of casesOf(file)) {
        const isLeftOut = leftOut.some((entry) => entry.file === file && entry.name === name);
        expect(runsOf(file, op).length, `${file}: ${name}`).toBe(isLeftOut ? 0 : 1);
      }
    }
  });

  test('are run but for 26 at most', () => {
    expect(leftOut.length).toBeLessThanOrEqual(26);
  });

  test('have no way to run them that nothing takes', () => {
    const taken = files.flatMap((file) => casesOf(file).map(({ op }) => `${file}/${op}`));
    for (const suites of parts) {
      for (const [file, runs] of Object.entries(suites)) {
        for (const op of Object.keys(runs)) expect(taken).toContain(`${file}/${op}`);
      }
    }
  });
});
