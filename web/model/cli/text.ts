import type { Language, Text } from '../../phrases/language.js';
import type { ModelLayer, ParsedModel } from '../parsed-model.js';
import type { RotaryFacts } from '../facts.js';

/** A number with a few digits. */
export function few(value: number, digits = 6): string {
  return String(Number(value.toPrecision(digits)));
}

/** Text from files without what a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\uFFFD');
}

/** Rows in columns, numbers to the right. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] as string).length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        /^[\d.∞e+-]+$/.test(rows[0]?.[column] ?? '') ? pad(cell, column) : `${cell}`.padEnd(widths[column] as number),
      )
      .join('  ')
      .trimEnd();
  const pad = (cell: string, column: number) => cell.padStart(widths[column] as number);
  return all.map(line).join('\n');
}

/** What a model was read from, in a line. */
export function heading(name: string, { source, schema, runtime, modelType, encoding }: ParsedModel): string {
  const kind = { hf: `HF ${schema ?? ''}`.trim(), gguf: 'GGUF', flags: `flags of ${runtime ?? 'a runtime'}` }[source];
  return [`${name}: ${kind}`, modelType, encoding].filter((part) => part !== undefined).join(', ');
}

const WORDS = {
  pairs: { en: 'pairs', 'zh-Hans': '对' },
  kept: { en: 'kept', 'zh-Hans': '不变' },
  blended: { en: 'blended', 'zh-Hans': '过渡' },
  scaled: { en: 'scaled', 'zh-Hans': '缩放' },
} as const satisfies Record<string, Text>;

/** What the embedding of a layer comes to, in a few lines. */
export function describeLayer({ name, params }: ModelLayer, facts: RotaryFacts, language: Language): string {
  const { headDim, rotaryDim, base = 10000, type = 'default', factor } = { ...params, ...layoutOf(facts) };
  const word = (of: keyof typeof WORDS) => WORDS[of][language];
  const zones = facts.zones.map(({ zone, from, to }) => `${from}–${to} ${word(zone)}`).join(', ');
  const scaling = `${type}${factor === undefined ? '' : ` ${few(factor)}`}`;
  const width = rotaryDim === headDim ? `${headDim}` : `${rotaryDim} / ${headDim}`;
  const { shortest, longest } = facts.wavelength;
  const { pairs, turningPairs: turning, trainedLength: trained } = facts;
  const lines: Text[] = [
    {
      en: `${name}: head ${width}, ${pairs} pairs (${facts.pairing}), base ${few(base)}, ${scaling}`,
      'zh-Hans': `${name}：头宽 ${width}，${pairs} 对（${facts.pairing}），底数 ${few(base)}，${scaling}`,
    },
    { en: `  pairs ${zones}`, 'zh-Hans': `  各对：${zones}` },
    {
      en: `  a turn takes ${few(shortest, 4)} … ${few(longest, 4)} tokens${turning === undefined ? '' : `; ${turning} of ${pairs} pairs complete one in ${trained} tokens`}`,
      'zh-Hans': `  一圈为 ${few(shortest, 4)} … ${few(longest, 4)} 个词元${turning === undefined ? '' : `；${pairs} 对中有 ${turning} 对在 ${trained} 个词元内转满一圈`}`,
    },
    {
      en: `  attention factor ${few(facts.attentionFactor)}, softmax factor ${few(facts.softmaxFactor)}, change at distances below 100: ${few(facts.shortChange, 3)}`,
      'zh-Hans': `  注意力系数 ${few(facts.attentionFactor)}，softmax 系数 ${few(facts.softmaxFactor)}，距离小于 100 时的变化：${few(facts.shortChange, 3)}`,
    },
  ];
  return lines.map((line) => line[language]).join('\n');
}

function layoutOf({ headDim, rotaryDim }: RotaryFacts) {
  return { headDim, rotaryDim };
}
