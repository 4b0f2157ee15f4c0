import { html } from 'lit';
import type { PosencErrorDetails } from 'posenc';
import { type Content, bilingual } from '../messages/bilingual.js';
import { repeated } from '../parts/refusing-field.js';

/** An error of the library, here or in the worker. */
export type LibraryError = { readonly message: string } & Pick<PosencErrorDetails, 'argument' | 'expected' | 'got'>;

type Words = Readonly<Record<string, (...values: string[]) => string>>;

/** What the library expects, as it says it, and the phrase that says it in Chinese. */
const EXPECTED: readonly (readonly [RegExp, string])[] = [
  [/^a finite number$/, 'number'],
  [/^a number$/, 'number'],
  [/^a (?:finite )?number above 0$/, 'positive'],
  [/^a number from (\S+) to (\S+)$/, 'range'],
  [/^a whole number from (\S+) to (\S+)$/, 'whole'],
  [/^true or false$/, 'boolean'],
  [/^a string$/, 'string'],
  [/^an object(?: in JSON)?$/, 'object'],
  [/^a list of at most (\d+) (?:finite numbers|values)$/, 'list'],
  [/^one of (.+)$/, 'choice'],
  [/^JSON.*$/, 'json'],
  [/^the configuration of a model, .*$/, 'config'],
  [/^at most (\d+) characters$/, 'length'],
  [/^given for (\S+)$/, 'given'],
  [/^a multiple of (\S+ = \d+) where (\S+) is not given$/, 'multiple'],
  [/^flags about positions of (.+)$/, 'flags'],
  [/^followed by a value$/, 'value'],
  [/^a line whose quotes are closed$/, 'quotes'],
  [/^a GGUF file, which begins with GGUF$/, 'gguf'],
  [/^a GGUF file of version 2 or 3$/, 'ggufVersion'],
  [/^a GGUF file with (\S+)$/, 'ggufKey'],
  [/^a \.npy file, which begins with (.+)$/, 'npy'],
  [/^a \.npy file of version 1, 2 or 3$/, 'npyVersion'],
  [/^numbers of type f2, f4 or f8 with a byte order of < or >$/, 'npyNumbers'],
  [/^an array with two axes and at most (\d+) numbers$/, 'twoAxes'],
  [/^(\d+) numbers of (\d+) bytes, as its shape (\(.*\)) says$/, 'npySize'],
  [/^a \.safetensors file, whose header is (?:JSON|an object)$/, 'safetensors'],
  [/^a \.safetensors file with a header of at most (\d+) bytes$/, 'safetensorsHeader'],
  [/^long enough for .*?(\d+) bytes(?: of data)?$/, 'longEnough'],
  [/^long enough for .*$/, 'complete'],
  [/^(\d+) bytes for (.+)$/, 'bytesFor'],
  [/^(.+) to begin at byte (\d+) of the data$/, 'gapless'],
  [/^finite numbers$/, 'finite'],
  [/^a file that can be read$/, 'readable'],
];

/** Arguments that are what was pasted or opened, not a key in it. */
const SUBJECTS: Readonly<Record<string, string>> = { json: 'text', line: 'line', source: 'file', bytes: 'file' };

const chinese = bilingual<Words | null>(null, {
  sentence: (argument, expected, got) => `${argument}须为${expected}，收到的是${got}。`,
  lacks: (argument, expected) => `${argument}须为${expected}，这里没有给出。`,
  quoted: () => '按库的说明（英文）修改后再试：',
  key: (name) => ` ${name} `,
  text: () => '贴入的文本',
  line: () => '参数行',
  file: () => '文件',
  table: () => '表中的数',
  number: () => '有限的数',
  positive: () => '大于 0 的数',
  range: (least, most) => `${least} 到 ${most} 之间的数`,
  whole: (least, most) => `${least} 到 ${most} 之间的整数`,
  boolean: () => ' true 或 false ',
  string: () => '字符串',
  object: () => '对象（花括号）',
  list: (most) => `最多 ${most} 项的列表`,
  choice: (names) => `下列之一：${names}`,
  json: () => '完整的 JSON',
  config: () => '模型的配置：含有认识的 model_type，或有关位置、大小的键',
  length: (most) => `最多 ${most} 个字符`,
  given: (encoding) => `${encoding} 所需的值`,
  multiple: (of, key) => ` ${of} 的倍数（没有写 ${key} 时）`,
  flags: (names) => `有关位置的启动参数（${names}）`,
  value: () => '带值的参数',
  quotes: () => '引号成对的一行',
  gguf: () => '以 GGUF 开头的 GGUF 文件',
  ggufVersion: () => '第 2 或第 3 版的 GGUF 文件',
  ggufKey: (key) => `写有 ${key} 的 GGUF 文件`,
  npy: (magic) => `以 ${magic} 开头的 .npy 文件`,
  npyVersion: () => '第 1、2 或 3 版的 .npy 文件',
  npyNumbers: () => '类型为 f2、f4 或 f8 的数',
  twoAxes: (most) => `两个轴、最多 ${most} 个数的数组`,
  npySize: (count, bytes, shape) => `形状 ${shape} 所说的 ${count} 个数，每个 ${bytes} 字节`,
  safetensors: () => '文件头是 JSON 对象的 .safetensors 文件',
  safetensorsHeader: (most) => `文件头不超过 ${most} 字节的 .safetensors 文件`,
  longEnough: (bytes) => `完整的文件，其中应有 ${bytes} 字节`,
  complete: () => '完整的文件',
  bytesFor: (bytes, name) => `完整的文件，其中 ${name} 应占 ${bytes} 字节`,
  gapless: (name, byte) => `没有空隙的文件，其中 ${name} 应从第 ${byte} 字节开始`,
  finite: () => '有限的数',
  readable: () => '可以读取的文件',
  nothing: () => '空白',
  array: (count) => `${count} 项的列表`,
  anObject: () => '一个对象',
  bytes: (count) => ` ${count} 字节`,
  begins: (count) => `开头不同的 ${count} 字节`,
  version: (number) => `第 ${number} 版`,
  shape: (sizes) => `形状 ${sizes} 的数组`,
  otherKeys: (count) => `只有 ${count} 个其他键的对象`,
  literal: (value) => ` ${value}`,
});

/** How the library says what it got, where that is a sentence of its own and no value of the reader's. */
const GOT: readonly (readonly [RegExp, string])[] = [
  [/^(\d+) bytes$/, 'bytes'],
  [/^(\d+) bytes that do not$/, 'begins'],
  [/^version (\d+)$/, 'version'],
  [/^one of shape (.+)$/, 'shape'],
  [/^an object with (\d+) other keys$/, 'otherKeys'],
];

/**
 * An error of the library in the language on screen. Where the page has no words for what was expected, a sentence that
 * says what to do, and the library's own as a quotation.
 */
export function errorText(error: LibraryError): Content {
  const words = chinese();
  if (!words) return error.message;
  const { argument, expected, got } = error;
  const wanted = expected === undefined ? undefined : translated(EXPECTED, expected, words);
  if (argument === undefined || wanted === undefined) {
    return html`${words['quoted']!()}<q lang="en">${error.message}</q>`;
  }
  const subject = subjectOf(argument, words);
  return got === undefined
    ? words['lacks']!(subject, wanted)
    : words['sentence']!(subject, wanted, gotText(got, words));
}

function subjectOf(argument: string, words: Words): string {
  if (argument === 'table') return words['table']!();
  return Object.hasOwn(SUBJECTS, argument)
    ? words[SUBJECTS[argument]!]!()
    : words['key']!(repeated(argument)).trimStart();
}

function translated(phrases: typeof EXPECTED, text: string, words: Words): string | undefined {
  for (const [pattern, name] of phrases) {
    const match = pattern.exec(text);
    if (match) return words[name]!(...match.slice(1));
  }
  return undefined;
}

function gotText(got: unknown, words: Words): string {
  if (Array.isArray(got)) return words['array']!(String(got.length));
  if (typeof got === 'object' && got !== null) return words['anObject']!();
  if (typeof got !== 'string') return words['literal']!(String(got));
  if (got.trim() === '') return words['nothing']!();
  return translated(GOT, got, words) ?? words['literal']!(JSON.stringify(repeated(got)));
}
