import { check, errorText, FINDINGS, parseFlags, parseHfConfig, PosencError, render } from 'posenc';
import { describe, expect, test } from 'vitest';
import { commandLineBooks } from '../../../web/phrases/command-line/books.js';
import { english } from '../../../web/phrases/errors/en.js';
import { errorText as textOf } from '../../../web/phrases/errors/error-text.js';
import { meaningBooks, reasonBooks } from '../../../web/phrases/findings/books.js';
import { settingBooks } from '../../../web/phrases/settings/books.js';

const languages = ['zh-Hans', 'zh-Hant'] as const;

/** Values for whatever a sentence puts in. */
const facts = {
  ...{
    least: 1,
    most: 9,
    value: '7',
    pairs: 4,
    columns: 3,
    dim: 8,
    batch: 2,
    headDim: 16,
    bytes: 24,
    byte: 8,
    count: 5,
  },
  ...{ rows: 6, center: 0, shift: 1, first: 2, capacity: 4, reach: 3, letters: 64, multiple: 32, number: 1, total: 9 },
  ...{
    factor: 2,
    base: 10000,
    taken: 10000,
    target: 4096,
    half: 64,
    last: 511,
    context: 4096,
    trained: 4096,
    alpha: 3,
  },
  ...{ attentionFactor: 1, original: 4096, softmax: 2, table: 1, given: 2, computed: 1, change: 0.5, percent: 3 },
  ...{
    hiddenSize: 4096,
    heads: 32,
    stretch: 2,
    flag: 1,
    shortest: 6,
    longest: 9,
    changed: 3,
    finite: true,
    strings: true,
  },
  ...{ of: 'heads', where: 'no-rope', encoding: 'learned', name: 'wpe', variant: 'eva', pairing: 'half', as: 'wq' },
  ...{ key: 'shape', header: 'JSON', part: 'header', call: 'rope', fault: 'shape', reason: 'E1', type: 'yarn' },
  ...{ why: 'no-flag', meant: 'dim', setting: 'base', otherKey: 'theta', otherValue: 1, model: 'Phi', option: '--to' },
  ...{ command: 'check', file: 'a.json', path: 'a.json', message: 'E1', unknown: true, joined: true, buffer: true },
  ...{ choices: ['a', 'b'], types: ['object', 'halves'], shape: [4], parts: [1, 2], names: ['a'], words: ['a'] },
  ...{ sizes: { dim: 8 }, sections: [1, 2], owners: ['plan'], layers: [{ name: 'all', base: 1, type: 'yarn' }] },
  ...{
    turns: { taken: 1, meant: 2 },
    worst: { out: 1, pairs: 2 },
    origin: { from: 'usual' },
    error: { message: '一' },
    ...{ served: 1, stated: 2 },
  },
};

/** `what` is of another kind for each of these. */
const what: Readonly<Record<string, string>> = { some: 'layer', 'in-use': 'cache', 'long-enough-for': 'keys' };

type Sentences = Readonly<Record<string, (facts: never) => string>>;

function sentencesOf(table: Sentences): [kind: string, sentence: string][] {
  return Object.entries(table).map(([kind, sentence]) => [
    kind,
    (sentence as (facts: object) => string)({ ...facts, what: what[kind] }),
  ]);
}

const ENGLISH = /\b(?:the|must|be|of|is|are|and|where|which|with|got|not|from|has|have)\b/i;
const SIMPLIFIED = /[须为个数组层对频关长这]/;

describe.each(languages)('in %s', (language) => {
  const rules = Object.entries(english.rules).map(([kind]): [string, string] => {
    const rule = { ...facts, what: what[kind], kind } as unknown as NonNullable<PosencError['rule']>;
    return [kind, textOf({ message: '', argument: 'x', rule, got: 3 }, language)];
  });
  const failures = Object.keys(english.failures).map((kind): [string, string] => {
    const rule = { ...facts, kind } as unknown as NonNullable<PosencError['rule']>;
    return [kind, textOf({ message: '', rule }, language)];
  });
  const states = Object.keys(english.states).map((kind): [string, string] => {
    const state = { ...facts, sizes: [1], kind } as unknown as NonNullable<PosencError['state']>;
    return [kind, textOf({ message: '', argument: 'x', rule: { kind: 'boolean' }, state }, language)];
  });
  const [reasons, meanings] = [reasonBooks[language], meaningBooks[language]];
  const { notes, plans } = settingBooks[language];
  const all = [
    ...rules,
    ...failures,
    ...states,
    ...sentencesOf(reasons),
    ...sentencesOf(notes),
    ...sentencesOf(plans),
    ...sentencesOf(commandLineBooks[language].usage),
    ...Object.entries(meanings),
  ];

  test.each(all)('%s is said without a word of English', (_, sentence) => {
    expect(sentence).toMatch(/\p{Script=Han}/u);
    expect(sentence).not.toMatch(ENGLISH);
    expect(sentence).not.toContain('undefined');
    if (language === 'zh-Hant') expect(sentence).not.toMatch(SIMPLIFIED);
  });
});

function refused(call: () => unknown): PosencError {
  try {
    call();
  } catch (error) {
    if (error instanceof PosencError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('an error', () => {
  test.each([
    [
      'a limit',
      () => check({ layers: [] }, { targetLength: 0 }),
      'targetLength 须为 1 到 2147483647 之间的整数，收到的是 0',
    ],
    ['a choice', () => check({ layers: [] }, { language: 'fr' as 'en' }), /^language 须为下列之一："en", "zh-Hans", /],
    [
      'a misspelt option',
      () => check({ layers: [] }, { langage: 'en' } as object),
      'langage 不是这里的选项，是否应为 language？',
    ],
    [
      'no words',
      () => render({ headDim: 64, type: 'yarn', factor: 2, originalMaxPosition: 9 }, 'exllama'),
      /^exllama 无法表达 type yarn：/,
    ],
  ])('about %s is said from its rule, in English and in Chinese', (_, call, chinese) => {
    const error = refused(call);
    expect(errorText(error, 'en')).toBe(error.message);
    expect(errorText({ ...error, message: '' }, 'en')).toBe(error.message);
    expect(errorText(error, 'zh-Hans')).toMatch(chinese);
    expect(errorText(error, 'zh-Hant')).not.toMatch(SIMPLIFIED);
  });

  test('has its limits as data', () => {
    expect(refused(() => check({ layers: [] }, { targetLength: 0 })).rule).toEqual({
      kind: 'whole',
      least: 1,
      most: 2 ** 31 - 1,
    });
  });

  test('is short and on one line, whatever a file says', () => {
    const long = refused(() => parseFlags(`--hf-overrides.${'a.'.repeat(1e5)}b 1`));
    expect(long.message.length).toBeLessThan(400);
    expect(errorText(long, 'zh-Hans').length).toBeLessThan(400);
    const odd = refused(() => parseHfConfig({ model_type: 'llama', rope_theta: 'a\u001b[31m\n\u202e\u2028b' }));
    expect(odd.message).not.toMatch(/[\u0000-\u001f\u2028-\u202e]/);
  });
});

describe('a finding', () => {
  test('about what cannot be computed is Chinese throughout', () => {
    const model = {
      layers: [{ name: 'all', params: { headDim: 128, type: 'yarn', originalMaxPosition: 4096 } as const }],
    };
    const why = (language: 'zh-Hans' | 'zh-Hant') =>
      check(model, { language }).find(({ code }) => code === 'unusable')?.why;
    expect(why('zh-Hans')).toMatch(/^无法计算频率：factor 须为大于 0 的/);
    expect(why('zh-Hant')).toMatch(/^無法計算頻率：factor 須為大於 0 的/);
  });

  test('names a dozen of 100 000 keys, and none breaks its line', () => {
    const unread = Array.from({ length: 1e5 }, (_, i) => `--rope-${i}\nerror 0`);
    const layers = [
      { name: 'full\ntouch PWNED #', params: { headDim: 64 } },
      { name: 'b', params: { headDim: 64 } },
    ];
    for (const language of ['en', ...languages] as const) {
      for (const { code, why } of check({ layers, unread }, { language })) {
        expect(why, code).not.toMatch(/\n/);
        expect(why.length, code).toBeLessThan(2000);
      }
    }
  });

  test('has its numbers as data', () => {
    const model = parseHfConfig({ model_type: 'gpt2', n_positions: 1024, n_embd: 768, n_head: 12 });
    expect(check(model, { targetLength: 2000 }).find(({ code }) => code === 'past_learned_table')?.facts).toEqual({
      last: 1023,
    });
  });

  test('keeps its old code in the list for one release', () => {
    expect(FINDINGS.doubled_key).toBe(FINDINGS.duplicate_key);
  });
});

test('a layer with a quotation mark in its name stays inside the quotes of a line', () => {
  const layers = ["a'; touch PWNED; '", 'b'].map((name) => ({ name, params: { headDim: 64 } }));
  const [, json = ''] = /^--hf-overrides '([^']*)'$/.exec(render(layers, 'vllm')) ?? [];
  expect(Object.keys((JSON.parse(json) as { rope_parameters: object }).rope_parameters)).toEqual(
    layers.map(({ name }) => name),
  );
});
