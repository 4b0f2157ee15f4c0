import { describe, expect, test } from 'vitest';
import { afterComments, leadingObject } from '../../../../web/app/model/commented-json.ts';

describe('the object that a text begins with', () => {
  test.each([
    ['{"a": 1}', '{"a": 1}', '', false],
    ['  {"a": {"b": "}"}} --rope-scale 2 ', '{"a": {"b": "}"}}', '--rope-scale 2', false],
    ['// of {\n# 2025\n/* } */\n{"a": 1}', '{"a": 1}', '', true],
    ['{"a": 1, // "b": {\n "c": 2 /* } */}', '{"a": 1, \n "c": 2 }', '', true],
    ['{"a": "https://x#y/*z*/"}', '{"a": "https://x#y/*z*/"}', '', false],
    ['{"a\\"}": "\\\\"} x', '{"a\\"}": "\\\\"}', 'x', false],
    ['{"a": 1 / 2}', '{"a": 1 / 2}', '', false],
    ['{"a": ', '{"a":', '', false],
    ['{"a', '{"a', '', false],
    ['{"a\\', '{"a\\', '', false],
    ['{ /* open', '{ /* open', '', false],
  ])('%j', (text, json, rest, hasComments) => {
    expect(leadingObject(text)).toEqual({ json, rest, hasComments });
  });

  test.each(['', '# {', '/* {', '[{}]', '--rope-scale 2', 'null'])('there is none: %j', (text) => {
    expect(leadingObject(text)).toBeUndefined();
  });

  test('may be as long as a text can be', () => {
    const length = 9_000_000;
    for (const part of ['a', '\\\\', '"', '/', '#', '{', '// \n', '/*', '*/']) {
      const long = part.repeat(length / part.length);
      expect(leadingObject(`{"a": "${long}`)?.rest.length).toBeLessThan(length);
      expect(leadingObject(`{${long}`)).toBeDefined();
      expect(afterComments(long)).toBeLessThanOrEqual(long.length);
    }
  });
});
