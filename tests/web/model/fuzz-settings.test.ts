import {
  check,
  parseFlags,
  planExtension,
  PosencError,
  render,
  RENDER_TARGETS,
  renderNotes,
  rotaryFacts,
  type RopeParams,
} from 'posenc';
import { expect, test } from 'vitest';
import { randomFrom } from '../support/random.ts';

const TYPES = ['default', 'linear', 'ntk', 'dynamic', 'yarn', 'longrope', 'llama3', 'mrope', 'proportional'];
const NAMES = [
  'rotaryDim',
  'base',
  'factor',
  'originalMaxPosition',
  'maxPosition',
  'betaFast',
  'betaSlow',
  'lowFreqFactor',
  'highFreqFactor',
  'attentionFactor',
  'mscale',
  'mscaleAllDim',
];
const USUAL = [1, 2, 4, 8, 32, 64, 128, 4096, 32_768, 131_072, 10_000, 500_000];
const ODD = [0, -1, 0.5, 1e-9, 1e300, NaN, Infinity, 2 ** 31];
const LAUNCHES = ['--ropeconfig 0.5 70000', '-c 65536 --rope-scaling yarn --rope-scale 4', '-rs 2 -ra 4'];

test('settings of any kind are answered or refused by a typed error', () => {
  const random = randomFrom(7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const list = () => new Array<number>(pick([1, 2, 32, 64])).fill(pick([0.5, 1, 2, 8]));
  let [answered, refused] = [0, 0];
  const attempt = (work: () => unknown) => {
    try {
      expect(JSON.stringify(work())).not.toMatch(/undefined|NaN/);
      ++answered;
    } catch (error) {
      expect(error).toBeInstanceOf(PosencError);
      ++refused;
    }
  };
  for (let i = 0; i < 3000; ++i) {
    const params: Record<string, unknown> = { headDim: pick([2, 4, 64, 128]), type: pick(TYPES) };
    for (const name of NAMES) if (random() < 0.3) params[name] = pick(random() < 0.8 ? USUAL : ODD);
    if (random() < 0.3) params['shortFactor'] = list();
    if (random() < 0.3) params['longFactor'] = list();
    if (random() < 0.1) params['truncate'] = false;
    if (random() < 0.1) params['mropeSection'] = [16, 24, 24];
    const setting = params as unknown as RopeParams;
    const layers = [{ name: 'all', params: setting }];
    attempt(() => planExtension(setting, pick(USUAL)).map(({ why, lines }) => ({ why, lines })));
    attempt(() => rotaryFacts(setting).zones);
    for (const target of RENDER_TARGETS) attempt(() => render(setting, target) + renderNotes(setting, target).join());
    // What is wrong with a model is a finding.
    for (const options of [{ targetLength: pick(USUAL) }, { launch: parseFlags(pick(LAUNCHES)) }]) {
      for (const { key, why } of check({ layers }, options)) expect([key, why]).not.toContain('');
    }
  }
  expect(answered).toBeGreaterThan(3000);
  expect(refused).toBeGreaterThan(5000);
});
