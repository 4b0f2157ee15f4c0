import type { PosencError } from 'posenc';
import { expect, test } from 'vitest';
import { randomFloats } from '../../support/oracle.ts';
import { describeVariants } from '../../support/variants.ts';

const [query, key] = [randomFloats(8, 21), randomFloats(8, 22)];
const wq = randomFloats(48, 23);
const table = randomFloats(50 * 8, 25);

await describeVariants('verifyRelative of an encoding', (encodings) => {
  test('refuses what has no score', () => {
    const call = { query, key, distance: 5, shifts: [0, 1] };
    const refusal = (options: object): { argument?: string; message: string } => {
      try {
        encodings.verifyRelative({ ...call, ...options } as never);
      } catch (error) {
        return error as PosencError;
      }
      throw new Error('nothing was refused');
    };
    const rope = { params: { headDim: 8 } };
    expect(refusal({ encoding: {} })).toMatchObject({ code: 'bad-argument', argument: 'encoding' });
    expect(refusal({ encoding: { rope, alibi: { heads: 8 } } })).toMatchObject({ argument: 'encoding' });
    expect(refusal({ encoding: { ropes: rope } })).toMatchObject({ code: 'bad-argument', argument: 'encoding.ropes' });
    for (const encoding of [null, 'rope', 7]) {
      expect(refusal({ encoding })).toMatchObject({ code: 'bad-argument', argument: 'encoding' });
    }
    expect(refusal({ encoding: { rope }, params: rope.params })).toMatchObject({ argument: 'params' });
    expect(refusal({ encoding: { rope }, precision: {} })).toMatchObject({ argument: 'precision' });
    expect(refusal({ encoding: { rope: null } })).toMatchObject({ argument: 'encoding.rope' });
    expect(refusal({ encoding: { rope: { ...rope, pairing: 'half' } } })).toMatchObject({
      argument: 'encoding.rope.pairing',
    });
    expect(refusal({ encoding: { rope: { params: { headDim: 16 } } } })).toMatchObject({
      code: 'wrong-length',
      argument: 'query',
    });
    expect(refusal({ encoding: { rope }, key: new Float32Array(7) })).toMatchObject({ argument: 'key' });
    expect(refusal({ encoding: { rope }, query: new Float32Array(0), key: new Float32Array(0) })).toMatchObject({
      argument: 'query',
    });
    expect(refusal({ encoding: { alibi: { heads: 4, head: 4 } } })).toMatchObject({ argument: 'encoding.alibi.head' });
    expect(refusal({ encoding: { sinusoidal: { start: 4 } } })).toMatchObject({
      argument: 'encoding.sinusoidal.start',
    });
    expect(refusal({ encoding: { sinusoidal: { wq, wk: wq.subarray(8) } } })).toMatchObject({
      argument: 'encoding.sinusoidal.wk',
    });
    const odd = { rope: { params: { headDim: 8, rotaryDim: 3 } } };
    expect(refusal({ encoding: odd })).toMatchObject({ argument: 'encoding.rope.params.rotaryDim' });
    const linear = { params: { headDim: 8, type: 'linear' } };
    for (const name of ['rope', 'xpos']) {
      expect(refusal({ encoding: { [name]: linear } })).toMatchObject({
        argument: `encoding.${name}.params.factor`,
        message: expect.stringMatching(/^encoding\.\w+\.params\.factor must be/) as string,
      });
    }
    expect(refusal({ encoding: { alibi: {} } })).toMatchObject({ argument: 'encoding.alibi.heads' });
    expect(refusal({ encoding: { learned: { table, rows: 0 } } })).toMatchObject({ argument: 'encoding.learned.rows' });
    expect(refusal({ encoding: { index: { length: 0 } } })).toMatchObject({ argument: 'encoding.index.length' });
    expect(refusal({ encoding: { shaw: { keyTable: table, clip: -1 } } })).toMatchObject({
      argument: 'encoding.shaw.clip',
    });
    const six = new Float32Array(6);
    expect(refusal({ encoding: { sinusoidal_2d: {} }, query: six, key: six })).toMatchObject({ argument: 'query' });
    // Positions that an encoding does not have.
    expect(refusal({ encoding: { learned: { table, rows: 50 } }, shifts: [45] })).toMatchObject({ argument: 'shifts' });
    expect(refusal({ encoding: { one_hot: { maxLength: 8 } }, shifts: [3] })).toMatchObject({ argument: 'shifts' });
    expect(refusal({ encoding: { learned: { table, rows: 50 } }, distance: -1, shifts: [5] })).toMatchObject({
      argument: 'distance',
    });
    const detached = new Float32Array(8);
    structuredClone(detached, { transfer: [detached.buffer] });
    expect(refusal({ encoding: { rope }, query: detached })).toMatchObject({
      code: 'bad-argument',
      argument: 'query',
      got: 'a detached array',
    });
    expect(refusal({ encoding: { index: { length: 9 } }, shifts: [4] })).toMatchObject({ argument: 'shifts' });
    expect(refusal({ encoding: { xpos: rope }, shifts: [1e6] }).message).toContain('of center = 0');
  });
});
