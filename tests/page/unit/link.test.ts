import { describe, expect, test } from 'vitest';
import { listOf, oneOf, range, textUpTo } from '../../../web/app/state/fields.ts';
import { readLink, writeLink } from '../../../web/app/state/link.ts';

describe('a field reads what its control would take', () => {
  test.each([
    [range(2, 512, 2), '64', 64],
    [range(2, 512, 2), '2', 2],
    [range(2, 512, 2), '512', 512],
    [range(-4, 4), '-3', -3],
    [range(0, 6.28, 0.01), '0.29', 0.29],
    [range(0, 6.28, 0.01), '6.28', 6.28],
    [oneOf(['half', 'x + PE']), 'x%20%2B%20PE', 'x + PE'],
    [textUpTo(5), '%E6%88%91', '我'],
    [listOf(range(0, 9), 1, 3), '1,2,9', [1, 2, 9]],
    [listOf(textUpTo(4), 0, 2), '', []],
    [listOf(textUpTo(4), 1, 2), 'a%2Cb,c%2F', ['a,b', 'c/']],
  ])('%#: %s', (field, text, value) => {
    expect(field.read(text)).toEqual(value);
    expect(field.write(value as never)).toBe(text);
  });

  test.each([
    [range(2, 512, 2), ['7', '0', '514', '-2', '64.5', '1e2', '0x40', ' 64', '', 'NaN', 'Infinity', '６４']],
    [range(0, 6.28, 0.01), ['6.29', '0.005', '-0.01', '.5']],
    [oneOf(['half', 'interleaved']), ['', 'Half', 'constructor', 'half,half', '%E6']],
    [textUpTo(3), ['', 'abcd', '%20a', '%', '%E6%88']],
    [listOf(range(0, 9), 1, 3), ['', '1,', '1,2,3,4', '1;2', '1,10']],
  ] as const)('and nothing else: %#', (field, texts) => {
    for (const text of texts) expect(field.read(text), text).toBeUndefined();
  });
});

describe('a link', () => {
  test('holds figures and their values in order', () => {
    const fragment = 'v1&slide&shift=5000&mode=bf16&waves&dim=64';
    const figures = [
      ['slide', new Map(Object.entries({ shift: '5000', mode: 'bf16' }))],
      ['waves', new Map(Object.entries({ dim: '64' }))],
    ] as const;
    expect(writeLink(figures)).toBe(fragment);
    expect([...readLink(`#${fragment}`)!]).toEqual(figures);
    expect([...readLink('#v1&slide')!]).toEqual([['slide', new Map()]]);
  });

  test('is not seen in another fragment', () => {
    for (const fragment of [
      '',
      '#',
      '#slide',
      '#v1',
      '#v2&slide&shift=1',
      '#v10&slide',
      '#v1&shift=1',
      '#v1&slide&shift=1&shift=2',
      '#v1&&slide',
      '#v1&slide&=1',
      '#v1&slide&shift=1&',
      '#v1&<b>',
      '#:~:text=v1&slide',
    ]) {
      expect(readLink(fragment), fragment).toBeUndefined();
    }
  });
});
