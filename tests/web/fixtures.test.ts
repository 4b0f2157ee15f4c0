import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCases } from './support/data.ts';

const names = (folder: string, ending: string): string[] =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length));

/** What the tests open: names of fixtures, with the operators where a test takes only some. */
const opened = names('.', '.test.ts')
  .map((name) => readFileSync(new URL(`${name}.test.ts`, import.meta.url), 'utf8'))
  .flatMap((source) => [...source.matchAll(/openFixture[^(]*\('(\w+)'([^)]*)\)/g)])
  .map(([, name, operators = '']) => ({ name, operators: [...(operators.match(/\w+/g) ?? [])] }));

// What a test opens it takes whole: openFixture adds a test that sees to it.
test.each(names('../fixtures/', '.json').filter((name) => name !== 'model_configs'))('%s is opened once', (name) => {
  const parts = opened.filter((part) => part.name === name);
  for (const entry of readCases<{ op?: string }>(`../../fixtures/${name}.json`)) {
    const takers = parts.filter(({ operators }) => operators.length === 0 || operators.includes(entry.op ?? ''));
    expect(takers, entry.op).toHaveLength(1);
  }
});
