import { expect, test } from 'vitest';
import { detached, validCalls, hostile } from '../../support/hostile.ts';
import { describeVariants } from '../../support/variants.ts';

await describeVariants('bad options', (typed) => {
  const { encodings, expectRefusal } = hostile(typed);

  test('positions of the wrong number', () => {
    expectRefusal('sinusoidal', { positions: [0, 1] }, 'positions', 'wrong-length');
    expectRefusal('ropeTable', { positions: [0, 1] }, 'positions', 'wrong-length');
    expectRefusal('rope', { positions: [0, 1, 2, 3] }, 'positions', 'wrong-length');
    expectRefusal('xpos', { positions: [0, 1, 2, 3] }, 'positions', 'wrong-length');
    expectRefusal('mrope', { positions: [0, 1, 2] }, 'positions', 'wrong-length');
    expectRefusal('rope2d', { rows: [0, 1] }, 'rows', 'wrong-length');
    expectRefusal('rope2d', { columns: [0, 1, 2, 3] }, 'columns', 'wrong-length');
    expectRefusal('rope', { positions: detached(new Float64Array(3)) }, 'positions', 'bad-argument');
    expectRefusal('oneHot', { positions: [] }, 'positions', 'bad-argument');
    expectRefusal('learned', { positions: [] }, 'positions', 'bad-argument');
  });

  test('positions beside a start, and a start that leads past 2^31', () => {
    for (const name of ['sinusoidal', 'rope', 'ropeTable'] as const) {
      expectRefusal(name, { positions: [0, 1, 2], start: 0 }, 'start', 'bad-argument');
      expectRefusal(name, { start: 2 ** 31 - 1 }, 'start', 'bad-argument');
      expectRefusal(name, { start: 0.5 }, 'start', 'bad-argument');
      expect(() => encodings[name]({ ...validCalls[name](), start: 2 ** 31 - 2 })).not.toThrow();
    }
  });

  test.each(['sinusoidal', 'positionalEncoding', 'decompose'] as const)(
    '%s refuses a base ≤ 0, 1 or infinite',
    (name) => {
      for (const base of [0, -1, 1, Infinity, NaN, '10000']) expectRefusal(name, { base }, 'base', 'bad-argument');
    },
  );

  test('an unknown name of a choice, with the allowed ones', () => {
    expect(expectRefusal('sinusoidal', { order: 'sincos' }, 'order').message).toMatch(/"interleaved", "concat"/);
    expect(expectRefusal('sinusoidal', { spacing: 'T2T' }, 'spacing').message).toMatch(/"paper", "t2t"/);
    expect(expectRefusal('indexEncoding', { mode: 'log' }, 'mode').message).toMatch(/"integer", "unit", "fraction"/);
    expect(expectRefusal('rope', { format: 'sbhd' }, 'format').message).toMatch(/"bshd", "bhsd"/);
    expect(expectRefusal('attention', { returns: 'logits' }, 'returns').message).toMatch(
      /"output", "weights", "scores"/,
    );
    for (const name of ['ropeTable', 'verifyRelative'] as const) {
      const precision = { table: 'fp16' };
      expect(expectRefusal(name, { precision }, 'precision.table').message).toMatch(/"f64", "f32", "f16", "bf16"/);
      expectRefusal(name, { precision: { tables: 'f16' } }, 'precision.tables');
      expectRefusal(name, { precision: null }, 'precision');
    }
    expectRefusal('sinusoidal', { order: 'toString' }, 'order');
  });

  test('an option inside another, by its path', () => {
    const params = { headDim: 7 };
    for (const name of ['ropeTable', 'rope', 'xpos', 'mrope', 'rope2d', 'verifyRelative'] as const) {
      const { message } = expectRefusal(name, { params }, 'params.headDim', 'bad-argument');
      expect(message).toMatch(/^params\.headDim must be even/);
      expectRefusal(name, { params: { headDim: 4, rotaryDim: 3 } }, 'params.rotaryDim', 'bad-argument');
      const misspelt = { headDim: 4, rotarydim: 4 };
      expectRefusal(name, { params: misspelt }, 'params.rotarydim', 'bad-argument');
      expectRefusal(name, { params: { headDim: 0 } }, 'params.headDim', 'bad-argument');
      expectRefusal(name, { params: { headDim: 4, type: 'linear' } }, 'params.factor', 'bad-argument');
      if (name !== 'mrope' && name !== 'rope2d') expectRefusal(name, { seqLen: 0 }, 'seqLen', 'bad-argument');
    }
    const longrope = { headDim: 4, type: 'longrope', originalMaxPosition: 8, factor: 2, shortFactor: [1, 1] };
    expectRefusal('ropeTable', { params: { ...longrope, longFactor: [1] } }, 'params.longFactor', 'wrong-length');
    expectRefusal('mrope', { params: { headDim: 4 } }, 'params.mropeSection', 'bad-argument');
    expectRefusal('rope2d', { params: { headDim: 4, rotaryDim: 2 } }, 'params.rotaryDim', 'bad-argument');
    expectRefusal('rope2d', { params: { headDim: 4, pairing: 'interleaved' } }, 'params.pairing', 'bad-argument');
    const yarn = { headDim: 4, type: 'yarn', factor: 2 };
    expectRefusal('attention', { rope: yarn }, 'rope.originalMaxPosition', 'bad-argument');
    expectRefusal('attention', { rope: { headdim: 4 } }, 'rope.headdim', 'bad-argument');
    const cache = { kvHeads: 1, headDim: 4, capacity: 2 };
    const paths = [
      [{ rope: { headDim: 4, base: 1 } }, 'rope.base'],
      [{ rope: { headDim: 4 }, table: { cos: new Float32Array(4), sin: new Float32Array(4), rows: 0 } }, 'table.rows'],
      [{ window: { left: 1, rigth: 0 } }, 'window.rigth'],
    ] as const;
    for (const [options, argument] of paths) {
      expect(() => typed.kvCache({ ...cache, ...options } as never)).toThrowError(
        expect.objectContaining({
          code: 'bad-argument',
          argument,
          message: expect.stringContaining(`${argument} `) as string,
        }),
      );
    }
    const base = { u: new Float32Array(8), v: new Float32Array(8), relative: new Float32Array(16), base: 1 };
    expectRefusal('attention', { relative: { transformerXl: base } }, 'relative.transformerXl.base', 'bad-argument');
    expectRefusal('ropeTable', { out: { cosine: 1 } }, 'out.cosine', 'bad-argument');
  });

  test('rotary widths, types and tables', () => {
    expectRefusal('rope', { params: { headDim: 4, rotaryDim: 3 } }, 'params.rotaryDim', 'bad-argument');
    expectRefusal('rope', { params: { headDim: 8 } }, 'headDim', 'bad-argument');
    expectRefusal('rope', { params: undefined }, 'params', 'bad-argument');
    expectRefusal('rope', { params: { headDim: 4, type: 'su' } }, 'params.type', 'bad-argument');
    expectRefusal('rope', { params: { headDim: 4, base: 0 } }, 'params.base', 'bad-argument');
    for (const attentionFactor of [0, -1, 1e300, 1e39, 1e-300, 1e-39]) {
      for (const name of ['rope', 'ropeTable', 'xpos', 'verifyRelative'] as const) {
        expectRefusal(name, { params: { headDim: 4, attentionFactor } }, 'params.attentionFactor', 'bad-argument');
      }
    }
    for (const name of ['rope', 'ropeTable', 'xpos', 'rope2d', 'verifyRelative'] as const) {
      expectRefusal(name, { params: { headDim: 4, mropeSection: [1, 1, 1] } }, 'params.mropeSection', 'bad-argument');
      expect(() =>
        encodings[name]({ ...validCalls[name](), params: { headDim: 4, mropeSection: [1, 1, 0] } }),
      ).not.toThrow();
    }
    // A scale of xPos that is a float, but not times the attention factor.
    const far = { params: { headDim: 4, attentionFactor: 1e30 }, scaleBase: 1 };
    expectRefusal('xpos', { ...far, start: 50 }, 'start', 'bad-argument');
    expect(() => encodings.xpos({ ...validCalls.xpos(), ...far })).not.toThrow();
    expectRefusal('rope', { inverse: 1 }, 'inverse', 'bad-argument');
    const table = { cos: new Float32Array(8), sin: new Float32Array(8), rows: 4 };
    expectRefusal('rope', { table: { ...table, sin: new Float32Array(7) } }, 'table.sin', 'wrong-length');
    expectRefusal('rope', { table: { ...table, rows: 0 } }, 'table.rows', 'bad-argument');
    expectRefusal('rope', { table: 5 }, 'table', 'bad-argument');
    expectRefusal('rope', { table, positions: [0, 1, 4] }, 'positions', 'bad-argument');
    expectRefusal('rope', { table, positions: [0, 1, -1] }, 'positions', 'bad-argument');
    expectRefusal('rope', { table, start: 2 }, 'start', 'bad-argument');
    const short = { cos: new Float32Array(4), sin: new Float32Array(4), rows: 2 };
    expectRefusal('rope', { table: short }, 'length', 'bad-argument');
  });

  test('positions outside a learned table, and one-hot ones outside its columns', () => {
    expectRefusal('learned', { positions: [0, 3] }, 'positions', 'bad-argument');
    expectRefusal('learned', { positions: [0, -1] }, 'positions', 'bad-argument');
    expectRefusal('learned', { positions: [0, 2], offset: 1 }, 'positions', 'bad-argument');
    expectRefusal('learned', { offset: 0.5 }, 'offset', 'bad-argument');
    expectRefusal('oneHot', { positions: [0, 3] }, 'positions', 'bad-argument');
    expectRefusal('oneHot', { positions: [0, -1] }, 'positions', 'bad-argument');
  });

  test('a sequence longer than the module, a dropout outside [0, 1), a seed that is no whole number', () => {
    expectRefusal('positionalEncoding', { maxLength: 2 }, 'length', 'bad-argument');
    for (const dropout of [1, -0.1, NaN, '0.1'])
      expectRefusal('positionalEncoding', { dropout }, 'dropout', 'bad-argument');
    for (const seed of [-1, 0.5, 2 ** 53]) expectRefusal('positionalEncoding', { seed }, 'seed', 'bad-argument');
  });

  test('what ALiBi does not take', () => {
    for (const name of ['alibiSlopes', 'alibiBias'] as const) {
      for (const rule of ['paper', 'constructor', 1, null]) expectRefusal(name, { rule }, 'rule', 'bad-argument');
      for (const biasMax of [0, -8, NaN, Infinity, '8', null]) {
        expectRefusal(name, { biasMax }, 'biasMax', 'bad-argument');
      }
    }
    for (const symmetric of [1, 'yes', null]) expectRefusal('alibiBias', { symmetric }, 'symmetric', 'bad-argument');
    for (const start of [0.5, NaN, '0', null, 2 ** 31 + 1, -(2 ** 31) - 1]) {
      expectRefusal('alibiBias', { queryStart: start }, 'queryStart', 'bad-argument');
      expectRefusal('alibiBias', { keyStart: start }, 'keyStart', 'bad-argument');
    }
    expectRefusal('alibiBias', { keyStart: 2 ** 31 }, 'keyStart', 'bad-argument'); // key 1 is past the last position
    expectRefusal('alibiBias', { positions: [0, 1, 2] }, 'positions', 'wrong-length');
    for (const queryStart of [-1, 2]) {
      expectRefusal('alibiBias', { positions: [0, 1], queryStart }, 'queryStart', 'bad-argument');
      const moved = { positions: [0, 1], queryStart: queryStart + 9, keyStart: 9 };
      expectRefusal('alibiBias', moved, 'queryStart', 'bad-argument');
    }
    const error = expectRefusal('alibiBias', { positions: [0, 1], queryLength: 3 }, 'queryLength', 'bad-argument');
    expect(error.message).toContain('at most keyLength = 2');
  });

  test('ranges of distances', () => {
    expectRefusal('kernelEnvelope', { edges: [0] }, 'edges', 'bad-argument');
    expectRefusal('kernelEnvelope', { edges: [0, 10, 10] }, 'edges', 'bad-argument');
    expectRefusal('kernelEnvelope', { edges: [-1, 10] }, 'edges', 'bad-argument');
    expectRefusal('findAliases', { from: -1 }, 'from', 'bad-argument');
    expectRefusal('findAliases', { from: 101 }, 'from', 'bad-argument');
    expectRefusal('findAliases', { to: 2 ** 53 }, 'to', 'bad-argument');
    expectRefusal('findAliases', { to: 1.5 }, 'to', 'bad-argument');
    expectRefusal('findAliases', { above: NaN }, 'above', 'bad-argument');
    expectRefusal('verifyRelative', { distance: 0.5 }, 'distance', 'bad-argument');
    expectRefusal('verifyRelative', { shifts: [2 ** 31] }, 'shifts', 'bad-argument');
  });

  test('projections that do not fit', () => {
    expectRefusal('decompose', { wq: new Float32Array(8), wk: new Float32Array(12) }, 'wk', 'bad-argument');
    expectRefusal('decompose', { wq: new Float32Array(8) }, 'wk', 'bad-argument');
    expectRefusal('decompose', { wk: new Float32Array(8) }, 'wk', 'bad-argument');
  });
});
