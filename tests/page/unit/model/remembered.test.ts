import { expect, test } from 'vitest';
import { remembered } from '../../../../web/app/model/remembered.ts';

test('a question is answered once until another is asked', () => {
  const asked: string[] = [];
  const join = remembered((left: object, right: number | undefined) => {
    asked.push(`${JSON.stringify(left)} ${right}`);
    return { left, right };
  });
  const model = { name: 'a' };
  const first = join(model, undefined);
  expect(join(model, undefined)).toBe(first);
  expect(join(model, NaN)).not.toBe(first);
  expect(join(model, NaN)).toEqual({ left: model, right: NaN });
  expect(asked).toEqual(['{"name":"a"} undefined', '{"name":"a"} NaN']);
  // Not what is equal, but what is the same: a text that is pasted again is read again.
  join({ name: 'a' }, NaN);
  expect(asked).toHaveLength(3);
});

test('a failure is no answer', () => {
  let calls = 0;
  const failing = remembered((value: number) => {
    calls++;
    if (value < 0) throw new RangeError('below 0');
    return value;
  });
  expect(failing(1)).toBe(1);
  expect(() => failing(-1)).toThrow(RangeError);
  expect(() => failing(-1)).toThrow(RangeError);
  expect(failing(1)).toBe(1);
  expect(calls).toBe(3);
});
