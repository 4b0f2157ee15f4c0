import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { alibi } from './conformance/alibi.ts';
import { attention } from './conformance/attention.ts';
import type { ConformanceCase, Run } from './conformance/case.ts';
import { deberta } from './conformance/deberta.ts';
import { ggmlAttention } from './conformance/ggml-attention.ts';
import { ggmlRope } from './conformance/ggml-rope.ts';
import { hfRopeParameters } from './conformance/hf-rope-parameters.ts';
import { hfRotary } from './conformance/hf-rotary.ts';
import { lucidrains } from './conformance/lucidrains.ts';
import { onnxRotary } from './conformance/onnx-rotary.ts';
import { shaw } from './conformance/shaw.ts';
import { sinusoidal } from './conformance/sinusoidal.ts';
import { t5 } from './conformance/t5.ts';
import { transformerXl } from './conformance/transformer-xl.ts';
import { xpos } from './conformance/xpos.ts';
import { later } from './later.ts';
import { readCases } from './support/data.ts';
import { describeVariants } from './support/variants.ts';

const parts = [
  ...[hfRopeParameters, hfRotary, lucidrains, onnxRotary, xpos, ggmlRope],
  ...[sinusoidal, alibi, t5, shaw, transformerXl, deberta],
  ...[attention, ggmlAttention],
];

const files = readdirSync(new URL('../conformance/', import.meta.url))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

const casesOf = (file: string) => readCases<ConformanceCase>(`../../conformance/${file}.json`);
const leftOut = Object.entries(later).flatMap(([file, reasons]) =>
  Object.entries(reasons).map(([name, reason]) => ({ file, name, reason })),
);

/** How the cases of an operator are run. There is one way, in one of the parts. */
function runOf(file: string, op: string): Run<unknown> {
  const found = parts.flatMap((suites) => suites[file]?.[op] ?? []);
  if (found.length !== 1) throw new Error(`${found.length} ways to run ${op} of ${file}.json`);
  return found[0] as Run<unknown>;
}

// Every case of every file is a test here, or stands in later.ts.
for (const file of files) {
  const cases = casesOf(file).filter(({ name }) => later[file]?.[name] === undefined);
  await describeVariants(file, (encodings) => {
    test.each(cases)('$name', (entry) => runOf(file, entry.op)(encodings, entry));
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

  test('are not left out where their operator is run', () => {
    for (const { file, name } of leftOut) {
      const { op } = casesOf(file).find((entry) => entry.name === name) as ConformanceCase;
      expect(() => runOf(file, op), name).toThrow();
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
