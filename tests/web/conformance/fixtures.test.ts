import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCases } from '../support/data.ts';

/** What the tests open: names of fixtures, with the operators where a test takes only some. */
const tests = new URL('../', import.meta.url);
const opened = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(name, tests), 'utf8'))
  .flatMap((source) => [...source.matchAll(/openFixture[^(]*\('(\w+)'([^)]*)\)/g)])
  .map(([, name, operators = '']) => ({ name, operators: [...(operators.match(/\w+/g) ?? [])] }));

const fixtures = readdirSync(new URL('../../fixtures/', import.meta.url))
  .filter((name) => name.endsWith('.json') && name !== 'model_configs.json')
  .map((name) => name.slice(0, -'.json'.length));

// What a test opens it takes whole: openFixture adds a test that sees to it.
test.each(fixtures)('%s is opened once', (name) => {
  const parts = opened.filter((part) => part.name === name);
  for (const entry of readCases<{ op?: string }>(`../../fixtures/${name}.json`)) {
    const takers = parts.filter(({ operators }) => operators.length === 0 || operators.includes(entry.op ?? ''));
    expect(takers, entry.op).toHaveLength(1);
  }
});
