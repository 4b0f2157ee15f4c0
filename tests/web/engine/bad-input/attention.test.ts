import { expect, test } from 'vitest';
import { detached, validCalls, validFire, hostile, strings } from '../../support/hostile.ts';
import { describeVariants } from '../../support/variants.ts';

await describeVariants('bad options of attention and what encodings add to it', (typed) => {
  const { encodings, expectRefusal } = hostile(typed);

  test('what attention does not take as a bias or relative term of an encoding', () => {
    const refuse = (options: object, argument: string, code: 'bad-argument' | 'wrong-length' = 'bad-argument') =>
      expectRefusal('attention', options, argument, code);
    refuse({ bias: { t5: null } }, 'bias.t5');
    refuse({ bias: { t5: { table: new Float32Array(64), bucket: 3 } } }, 'bias.t5.bucket');
    refuse({ bias: { t5: { table: new Float32Array(63) } } }, 'bias.t5.table', 'wrong-length');
    refuse({ bias: { t5: { table: new Float32Array(64), buckets: 1 } } }, 'bias.t5.buckets');
    refuse({ bias: { t5: { table: new Float32Array(64) }, alibi: Float64Array.of(1, 1) } }, 'bias.t5');
    const [one, two] = [new Float32Array(2).fill(1), new Float32Array(2).fill(2.5)];
    refuse({ bias: { kerple: { kind: 'cubic', a: one, p: one } } }, 'bias.kerple.kind');
    refuse({ bias: { kerple: { kind: 'power', a: one, p: two } } }, 'bias.kerple.p');
    refuse({ bias: { fire: { ...validFire(), c: NaN } } }, 'bias.fire.c');
    refuse({ bias: { fire: { ...validFire(), w2: new Float32Array(3) } } }, 'bias.fire.w2', 'wrong-length');
    const alibi = Float64Array.of(1, 1);
    for (const positions of [null, 3, []]) refuse({ bias: { alibi, positions } }, 'bias.positions');
    refuse({ bias: { alibi, positions: [0, 1] } }, 'bias.positions', 'wrong-length');
    refuse({ bias: { alibi, positions: [0, 1, 2, 3, 0.5] } }, 'bias.positions');
    refuse({ bias: { alibi, positions: [0, 1, 2, 3, 4] }, queryStart: 3 }, 'queryStart');
    refuse({ bias: { alibi: Float64Array.of(1, 1e38), positions: [0, 0, 0, 0, 9] } }, 'bias.alibi');

    for (const relative of [null, 1, []]) refuse({ relative }, 'relative');
    refuse({ relative: {} }, 'relative');
    refuse({ relative: { shawn: {} } }, 'relative.shawn');
    refuse(
      { relative: { shaw: { keyTable: new Float32Array(19), clip: 2 } } },
      'relative.shaw.keyTable',
      'wrong-length',
    );
    refuse({ relative: { shaw: { keyTable: new Float32Array(20), clip: -1 } } }, 'relative.shaw.clip');
    const vectors = { u: new Float32Array(8), v: new Float32Array(8), relativeKeys: new Float32Array(64) };
    const xl = (options: object) => ({ relative: { transformerXl: { ...vectors, ...options } } });
    refuse(xl({ u: new Float32Array(7) }), 'relative.transformerXl.u', 'wrong-length');
    refuse(xl({ dim: 3 }), 'relative.transformerXl.dim');
    refuse(xl({ relativeKeys: undefined }), 'relative.transformerXl.relative');
    refuse(xl({ segmentBias: new Float32Array(8) }), 'relative.transformerXl.segmentTable');
    const segments = { segmentBias: new Float32Array(8), segmentTable: new Float32Array(16), querySegments: [0, 0, 1] };
    refuse(xl({ ...segments, keySegments: [0, 0, 1, 1] }), 'relative.transformerXl.keySegments', 'wrong-length');
    refuse(xl({ ...segments, keySegments: [0, 0, 1, 1, -1] }), 'relative.transformerXl.keySegments');
    const table = new Float32Array(32);
    const deberta = (options: object) => ({ relative: { deberta: { span: 2, relativeKey: table, ...options } } });
    refuse(deberta({ span: 0 }), 'relative.deberta.span');
    refuse(deberta({ span: 3 }), 'relative.deberta.relativeKey', 'wrong-length');
    refuse(deberta({ clamp: true }), 'relative.deberta.clamp');
    refuse(deberta({ bucketSize: 1, maxPosition: 9 }), 'relative.deberta.bucketSize');

    const out = typed.buffer(24);
    refuse({ out, relative: { deberta: { span: 2, relativeKey: out } } }, 'out');
    out.dispose();
  });

  test('what T5 does not take', () => {
    for (const name of ['t5Buckets', 't5Bias'] as const) {
      for (const bidirectional of [0, 'no', null]) {
        expectRefusal(name, { bidirectional }, 'bidirectional', 'bad-argument');
      }
      for (const buckets of [0, -1, 3, 32.5, 65_537, NaN, '32', null]) {
        expectRefusal(name, { buckets }, 'buckets', 'bad-argument');
      }
      expectRefusal(name, { bidirectional: false, buckets: 1 }, 'buckets', 'bad-argument');
      for (const maxDistance of [0, 8, 128.5, 2 ** 31, NaN, '128', null]) {
        expectRefusal(name, { maxDistance }, 'maxDistance', 'bad-argument');
      }
      expectRefusal(name, { bidirectional: false, maxDistance: 16 }, 'maxDistance', 'bad-argument');
    }
    expectRefusal('t5Bias', { buckets: 16 }, 'table', 'wrong-length');
    for (const queryStart of [0.5, NaN, '0', null, 2 ** 31 + 1]) {
      expectRefusal('t5Bias', { queryStart }, 'queryStart', 'bad-argument');
    }
  });

  test('what KERPLE does not take', () => {
    for (const kind of ['exp', 'toString', 0, null, undefined]) {
      expectRefusal('kerpleBias', { kind }, 'kind', 'bad-argument');
    }
    for (const name of ['a', 'p'] as const) {
      for (const value of [0, -1, NaN, Infinity]) {
        const error = expectRefusal('kerpleBias', { [name]: Float32Array.of(1, value, 1) }, name, 'bad-argument');
        expect(error.message).toContain('index 1');
        const buffer = typed.buffer(3);
        buffer.set([1, value, 1]);
        expectRefusal('kerpleBias', { [name]: buffer }, name, 'bad-argument');
        buffer.dispose();
      }
    }
    expectRefusal('kerpleBias', { kind: 'power', p: Float32Array.of(1, 1, 2.5) }, 'p', 'bad-argument');
  });

  test('what FIRE does not take', () => {
    for (const w1 of [new Float32Array(0), strings, [1, 2, 3, 4], new Float64Array(4), null, undefined, {}]) {
      expectRefusal('fireBias', { w1 }, 'w1', 'bad-argument');
    }
    expectRefusal('fireBias', { w1: detached(new Float32Array(4)) }, 'w1', 'bad-argument');
    expectRefusal('fireBias', { w1: new Float32Array(5) }, 'b1', 'wrong-length');
    for (const [name, length] of [
      ['w1', 4],
      ['b1', 4],
      ['w2', 8],
      ['b2', 2],
    ] as const) {
      for (const value of [NaN, Infinity]) {
        const spoilt = new Float32Array(length);
        spoilt[1] = value;
        const error = expectRefusal('fireBias', { [name]: spoilt }, name, 'bad-argument');
        expect(error.message).toContain('index 1');
      }
    }
    for (const value of [NaN, Infinity, 1e101, '1', null]) {
      for (const name of ['c', 'threshold', 'epsilon']) {
        expectRefusal('fireBias', { [name]: value }, name, 'bad-argument');
      }
    }
    for (const name of ['c', 'threshold']) expectRefusal('fireBias', { [name]: undefined }, name, 'bad-argument');
    for (const epsilon of [0, -1e-6, 1e-31]) expectRefusal('fireBias', { epsilon }, 'epsilon', 'bad-argument');
  });

  test('what attention does not take', () => {
    expectRefusal('attention', { heads: 3, kvHeads: 2 }, 'kvHeads', 'bad-argument');
    expectRefusal('attention', { causal: 'yes' }, 'causal', 'bad-argument');
    for (const window of [0, -1, 1.5, '3', { left: 1 }, { left: -1, right: 0 }, { left: 1, rigth: 2 }, null]) {
      const argument =
        typeof window === 'object' && window !== null
          ? 'rigth' in window
            ? 'window.rigth'
            : /window\.(left|right)/
          : 'window';
      expect(() => encodings.attention({ ...validCalls.attention(), window })).toThrowError(
        expect.objectContaining({
          name: 'PosencError',
          argument: typeof argument === 'string' ? argument : (expect.stringMatching(argument) as string),
        }),
      );
    }
    for (const scale of [NaN, Infinity, '1', 1e39, -1e39, 1e-40]) {
      expect(expectRefusal('attention', { scale }, 'scale', 'bad-argument').message).toMatch(/2\^-126 to 3\.4e38/);
    }
    for (const softcap of [0, -1, NaN, Infinity, 1e300, 1e-300]) {
      expect(expectRefusal('attention', { softcap }, 'softcap', 'bad-argument').message).toMatch(/2\^-126 to 3\.4e38/);
    }
    for (const scale of [0, -1, 2 ** -126, 1e38]) {
      expect(() => encodings.attention({ ...validCalls.attention(), scale })).not.toThrow();
    }
    expectRefusal('attention', { bias: new Float32Array(15) }, 'bias', 'wrong-length');
    for (const bias of [strings, {}, null]) {
      expect(expectRefusal('attention', { bias }, 'bias', 'bad-argument').message).toMatch(
        /PosencBuffer or one of { alibi }/,
      );
    }
    expectRefusal('attention', { bias: { alibi: [0.5, 0.25] } }, 'bias.alibi', 'bad-argument');
    expectRefusal('attention', { bias: { alibi: Float64Array.of(0.5) } }, 'bias.alibi', 'wrong-length');
    expectRefusal('attention', { bias: { alibi: Float64Array.of(0.5, NaN) } }, 'bias.alibi', 'bad-argument');
    for (const slope of [Infinity, 1e300, -1e39]) {
      const alibi = Float64Array.of(0.5, slope);
      expectRefusal('attention', { bias: { alibi } }, 'bias.alibi', 'bad-argument');
    }
    // Finite as a float, but not at a distance of 4.
    expectRefusal('attention', { bias: { alibi: Float64Array.of(0.5, 1e38) } }, 'bias.alibi', 'bad-argument');
    const steep = encodings.attention({ ...validCalls.attention(), bias: { alibi: Float64Array.of(0.5, 8e37) } });
    expect((steep as Float32Array).every(Number.isFinite)).toBe(true);
    expectRefusal('attention', { mask: new Uint8Array(14) }, 'mask', 'wrong-length');
    expectRefusal('attention', { mask: new Float32Array(14) }, 'mask', 'wrong-length');
    for (const mask of [new Int8Array(15), [1, 0]]) {
      expect(expectRefusal('attention', { mask }, 'mask', 'bad-argument').message).toMatch(/Uint8Array.*Float32Array/);
    }
    expectRefusal('attention', { keyValid: new Uint8Array(4) }, 'keyValid', 'wrong-length');
    expectRefusal('attention', { keyValid: [1, 1, 1, 1, 1] }, 'keyValid', 'bad-argument');
    expectRefusal('attention', { keyValid: detached(new Uint8Array(5)) }, 'keyValid', 'bad-argument');
    const bytes = new Uint8Array(15);
    const shapes = [[], [6], [0], [1, 5.5], [2, 5], [3, 3, 5], [2, 2, 3, 5], [1, 1, 1, 3, 5], '3, 5', null, ['5']];
    for (const maskShape of shapes) {
      const { message } = expectRefusal('attention', { mask: bytes, maskShape }, 'maskShape', 'bad-argument');
      expect(message).toMatch(/\[batch, heads, queryLength, keyLength\] = \[1, 2, 3, 5\]/);
    }
    expectRefusal('attention', { mask: bytes, maskShape: [3, 4] }, 'mask', 'wrong-length');
    expectRefusal('attention', { mask: new Float32Array(15), maskShape: [1, 5] }, 'mask', 'wrong-length');
    expectRefusal('attention', { maskShape: [3, 5] }, 'maskShape', 'bad-argument');
    expectRefusal('attention', { keyLengths: [5, 5] }, 'keyLengths', 'wrong-length');
    for (const keyLengths of [[6], [-1], [2.5], ['5'], [NaN], 5, null]) {
      expectRefusal('attention', { keyLengths }, 'keyLengths', 'bad-argument');
    }
    for (const keyStart of [0.5, NaN, '0', 2 ** 31 + 1, -(2 ** 31) - 1, 2 ** 31 - 3]) {
      expectRefusal('attention', { keyStart }, 'keyStart', 'bad-argument');
    }
    expectRefusal('attention', { sinks: new Float32Array(3) }, 'sinks', 'wrong-length');
    expectRefusal('attention', { queryStart: 0.5 }, 'queryStart', 'bad-argument');
    const rope = { headDim: 4 };
    expectRefusal('attention', { positions: [0, 1, 2, 3, 4] }, 'positions', 'bad-argument');
    expectRefusal('attention', { rope, positions: [0, 1, 2, 3] }, 'positions', 'wrong-length');
    expectRefusal('attention', { rope, positions: [0, 1, 2, 3, 0.5] }, 'positions', 'bad-argument');
    for (const none of [null, NaN, 0, '']) {
      expectRefusal('attention', { rope, positions: none }, 'positions', 'bad-argument');
    }
    const positions = [0, 1, 2, 3, 4];
    expectRefusal('attention', { rope, positions, queryStart: 3 }, 'queryStart', 'bad-argument');
    expectRefusal('attention', { rope, positions, queryStart: 2, keyStart: 3 }, 'queryStart', 'bad-argument');
    expectRefusal('attention', { rope, positions, keyLengths: [2] }, 'keyLengths', 'bad-argument');
    const many = { rope, queryLength: 7, query: new Float32Array(56) };
    expectRefusal('attention', { ...many, positions: [0, 1, 2, 3, 4] }, 'queryLength', 'bad-argument');
    expect(expectRefusal('attention', { rope: { headDim: 6 } }, 'headDim', 'bad-argument').message).toMatch(/in rope/);
    for (const value of [null, 5, 'half', []]) {
      expectRefusal('attention', { rope: value }, 'rope', 'bad-argument');
    }
  });

  test('what Shaw does not take', () => {
    for (const clip of [undefined, -1, 1.5, NaN, 2 ** 30, '2', null]) {
      expectRefusal('shawAttention', { clip }, 'clip', 'bad-argument');
    }
    expectRefusal('shawAttention', { clip: 3 }, 'keyTable', 'wrong-length');
    expectRefusal('shawAttention', { heads: 3, kvHeads: 2 }, 'kvHeads', 'bad-argument');
    for (const causal of [1, 'yes', null]) expectRefusal('shawAttention', { causal }, 'causal', 'bad-argument');
    for (const queryStart of [0.5, NaN, '0', null, 2 ** 31 + 1]) {
      expectRefusal('shawAttention', { queryStart }, 'queryStart', 'bad-argument');
    }
    expectRefusal('shawAttention', { returns: 'logits' }, 'returns', 'bad-argument');
    expectRefusal('shawAttention', { format: 'sbhd' }, 'format', 'bad-argument');
  });

  test('Transformer-XL has no relative keys for what lies past the end of a shorter sequence', () => {
    const [zero, one] = [new Float32Array(1), Float32Array.of(1, 1)];
    const call = {
      ...{ batch: 2, heads: 1, queryLength: 1, keyLength: 4, headDim: 1, query: one, key: new Float32Array(8) },
      ...{ value: new Float32Array(8), keyLengths: [4, 2] },
      relative: { transformerXl: { u: zero, v: zero, relative: Float32Array.of(1, 0), dim: 2 } },
    };
    for (const returns of ['scaled', 'capped']) {
      expect(() => encodings.attention({ ...call, returns })).toThrowError(
        expect.objectContaining({ name: 'PosencError', code: 'bad-argument', argument: 'returns' }),
      );
    }
    for (const returns of ['output', 'weights', 'scores']) encodings.attention({ ...call, returns });
  });

  test('what Transformer-XL does not take', () => {
    for (const memoryLength of [-1, 0.5, NaN, '2', null, 2 ** 31 + 1]) {
      expectRefusal('transformerXlScores', { memoryLength }, 'memoryLength', 'bad-argument');
    }
    expectRefusal('transformerXlScores', { keyLength: 2, key: new Float32Array(16) }, 'memoryLength', 'bad-argument');
    for (const clampLength of [0, -2, 1.5, NaN, Infinity, '2', null]) {
      expectRefusal('transformerXlScores', { clampLength }, 'clampLength', 'bad-argument');
    }
    for (const causal of [1, 'yes', null]) expectRefusal('transformerXlScores', { causal }, 'causal', 'bad-argument');
    for (const base of [0, 1, NaN, '2']) expectRefusal('transformerXlScores', { base }, 'base', 'bad-argument');
    expectRefusal('transformerXlScores', { dim: 5 }, 'relative', 'wrong-length');
    expectRefusal('transformerXlScores', { relative: undefined }, 'relative', 'bad-argument');
    const relativeKeys = new Float32Array(64);
    expectRefusal('transformerXlScores', { relativeKeys }, 'relative', 'bad-argument');
    expectRefusal('transformerXlScores', { relative: undefined, relativeKeys }, 'dim', 'bad-argument');
    const ready = { relative: undefined, dim: undefined };
    expectRefusal('transformerXlScores', { ...ready, relativeKeys, clampLength: 2 }, 'clampLength', 'bad-argument');
    expectRefusal(
      'transformerXlScores',
      { ...ready, relativeKeys: new Float32Array(63) },
      'relativeKeys',
      'wrong-length',
    );
  });

  test('what DeBERTa does not take', () => {
    const buckets = { bucketSize: 8, maxPosition: 20 };
    for (const name of ['debertaBuckets', 'debertaScores'] as const) {
      for (const bucketSize of [0, 1, 1.5, 65_537, NaN, '8', null]) {
        expectRefusal(name, { ...buckets, bucketSize }, 'bucketSize', 'bad-argument');
      }
      for (const maxPosition of [undefined, 0, 5, 20.5, 2 ** 31, NaN, '20', null]) {
        expectRefusal(name, { ...buckets, maxPosition }, 'maxPosition', 'bad-argument');
      }
      expectRefusal(name, { bucketSize: 8, maxPosition: 7, clamp: false }, 'maxPosition', 'bad-argument');
      for (const clamp of [0, 'no', null]) expectRefusal(name, { ...buckets, clamp }, 'clamp', 'bad-argument');
    }
    expectRefusal('debertaBuckets', { bucketSize: -1 }, 'bucketSize', 'bad-argument');
    expectRefusal('debertaScores', { maxPosition: 20 }, 'maxPosition', 'bad-argument');
    expectRefusal('debertaScores', { clamp: true }, 'clamp', 'bad-argument');
    expectRefusal('debertaScores', { span: 3 }, 'relativeKey', 'wrong-length');
  });
});
