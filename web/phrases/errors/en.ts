import { cut, escaped, nameOf, quoted } from '../shown.js';
import { say, type FactsOf } from '../table.js';

/** Named sizes of the axes of a tensor, outermost first. */
export type AxisSizes = Readonly<Record<string, number>>;

type Limits = { readonly least: number; readonly most: number };
type Most = { readonly most: number };
type Choices = { readonly choices: readonly string[] };
type Amount = { readonly of: string; readonly value: number };
type Because = { readonly reason: string };

/** Why an option has to be left out. */
const WHERE = {
  'encoding-given': 'encoding is given',
  'no-rope': 'there is no rope',
  'keys-turned': 'the keys are turned already',
  'cache-window': 'the cache has one',
  'cache-rope': 'the cache has rope',
  'cache-no-rope': 'the cache has no rope',
  'no-mask': 'there is no mask',
  'no-bucket-size': 'there is no bucketSize',
  'relative-keys-given': 'relativeKeys are given',
  'positions-given': 'positions are given',
} as const;

const LACKING = {
  frequency: 'at least one frequency',
  number: 'at least one number',
  layer: 'at least one layer',
} as const;

/** What stands for a part of a file that is cut short. */
const PARTS = {
  contents: 'its contents',
  header: 'the header that it begins',
  tensors: 'its tensors',
  length: 'the length of a .safetensors header',
} as const;

/** What a .npy header has under a key. */
const NPY_FIELDS = {
  descr: 'the type of its numbers',
  fortran_order: 'True or False',
  shape: 'whole numbers',
} as const;

/** What a header counts. */
const ITEMS = { tensors: 'tensors', keys: 'keys', values: 'values', characters: 'characters' } as const;

const POSITIVE_FLOAT = 'a number from 2^-126 to 3.4e38, the range of floats';

export type FilePart = keyof typeof PARTS;
export type FileItem = keyof typeof ITEMS;
export type NpyField = keyof typeof NPY_FIELDS;

/** What an argument must be, as it follows "must be". */
const rules = {
  // Numbers.
  number: () => 'a finite number',
  'any-number': () => 'a number',
  positive: () => 'a finite number above 0',
  'positive-number': () => 'a number above 0',
  'not-negative': () => 'a finite number of at least 0',
  between: ({ least, most }: Limits) => `a number from ${least} to ${most}`,
  whole: ({ least, most }: Limits) => `a whole number from ${least} to ${most}`,
  'whole-or-none': ({ least, most }: Limits) => `a whole number from ${least} to ${most}, or −1 for none`,
  share: () => 'a number from 0 to below 1',
  'positive-float': () => POSITIVE_FLOAT,
  float: () => `0 or, but for the sign, ${POSITIVE_FLOAT}`,
  base: () => 'a finite number above 0 other than 1',
  'yarn-base': () => 'above 1 for yarn, which has the fast pairs first',
  'slow-enough': () => 'such that no frequency exceeds 2^32 radians per token',
  'gives-float': ({ of }: { of: string }) => `such that ${of} is ${POSITIVE_FLOAT}`,
  'factor-or-context': () => 'a number above 0 where maxPosition is not given',
  'at-least': ({ of, value }: Amount) => `at least ${of} = ${value}`,
  'at-most': ({ of, value }: Amount) => `at most ${of} = ${value}`,
  divisor: ({ of, value }: Amount) => `a divisor of ${of} = ${value}`,
  multiple: ({ of, value, without }: Amount & { without?: string }) =>
    `a multiple of ${of} = ${value}${without === undefined ? '' : ` where ${without} is not given`}`,
  same: ({ of, value }: Amount) => `${value}, as in ${of}`,
  // Lists of numbers.
  wholes: ({ least, most }: Limits) => `whole numbers from ${least} to ${most}`,
  numbers: ({ least, most }: Limits) => `numbers from ${least} to ${most}`,
  finites: () => 'finite numbers',
  positives: () => 'finite numbers above 0',
  powers: ({ most }: Most) => `numbers above 0 and at most ${most}`,
  slopes: ({ reach }: { reach: number }) => `finite numbers, also as floats and times the greatest distance ${reach}`,
  frequencies: () => 'finite frequencies of at most 2^32 radians per token',
  divisors: ({ pairs }: { pairs: number }) => `an array of ${pairs} finite numbers above 0, one per pair`,
  'key-lengths': ({ value }: { value: number }) =>
    `numbers from queryLength = ${value} on, since each query takes the position of a key`,
  some: ({ what }: { what: keyof typeof LACKING }): string => LACKING[what],
  bounds: () => 'at least two bounds',
  rising: () => 'strictly rising',
  'some-not-zero': () => 'vectors of which one is not 0',
  values: ({ sizes }: { sizes: AxisSizes }) => `${describeSizes(sizes)} values`,
  room: ({ most }: Most) => `at most ${most} values`,
  list: ({ most, finite }: Most & { finite: boolean }) =>
    `a list of at most ${most} ${finite ? 'finite numbers' : 'values'}`,
  // Types, names and options.
  type: ({ types }: { types: readonly string[] }) => withArticles(types),
  'tensor-or-term': ({ choices }: Choices) => `a Float32Array, halves, a PosencBuffer or one of ${choices.join(', ')}`,
  boolean: () => 'true or false',
  choice: ({ choices }: Choices) => `one of ${choices.map((name) => JSON.stringify(name)).join(', ')}`,
  name: ({ choices }: Choices) => `one of ${choices.join(', ')}`,
  'left-out': ({ where }: { where: keyof typeof WHERE }) => `left out where ${WHERE[where]}`,
  given: ({ encoding }: { encoding: string }) => `given for ${encoding}`,
  attached: ({ buffer }: { buffer: boolean }) => `an ${buffer ? 'ArrayBuffer' : 'array'} that still has its memory`,
  'one-half': () => 'either { f16 } or { bf16 }',
  'one-encoding': () => 'the options of one encoding, by its name',
  placing: () => 'an encoding that places queries and keys',
  'other-buffer': ({ name }: { name: string }) => `another buffer than ${name}`,
  filled: () => 'filled by append first',
  apart: ({ name }: { name: string }) => `apart from ${name}`,
  own: () => 'an array of its own or a PosencBuffer',
  'same-encodings': () => 'a buffer of the same Encodings',
  'no-buffer': () => 'an array: a buffer belongs to the instance that made it',
  'in-use': ({ what }: { what: 'buffer' | 'cache' | 'pool' }) => `a ${what} in use`,
  window: () => 'a number or { left, right }',
  model: () => 'a model as parseHfConfig returns it',
  layer: () => 'a layer with a name and params',
  // Sizes that go together.
  'even-head': () => 'even where rotaryDim is not given, since channels turn in pairs',
  'even-width': ({ headDim }: { headDim: number }) =>
    `an even number from 2 to headDim = ${headDim}, since channels turn in pairs`,
  'even-proportional': () => 'even, since proportional pairs the whole head',
  'ntk-width': () => 'at least 4: the fastest pair is kept, the slowest is not',
  'two-axes': () => 'a multiple of 4, two pairs for each axis',
  'two-coordinates': () => 'a multiple of 4: sines and cosines of two coordinates',
  sections: ({ pairs }: { pairs: number }) => `three whole numbers whose sum is rotaryDim / 2 = ${pairs}`,
  'variant-pairing': ({ pairing, variant }: { pairing: string; variant: string }) =>
    `"${pairing}", as variant "${variant}" has it`,
  projection: ({ dim }: { dim: number }) => `[dim, projected] with dim = ${dim}`,
  'as-wide': ({ as, columns }: { as: 'dim' | 'wq'; columns: number }) => `as wide as ${as} (${columns} columns)`,
  'mask-shape': ({ sizes }: { sizes: AxisSizes }) =>
    `sizes of 1 or those of [${Object.keys(sizes).join(', ')}] = [${Object.values(sizes).join(', ')}], the last one also less`,
  'rows-of-ids': ({ batch }: { batch: number }) => `of a length that batch = ${batch} divides`,
  'left-by-rotation': () => 'the vectors of before as a rotation left them',
  'unscaled-uncapped': () => 'neither scaled nor capped where sequences of unequal keyLengths meet transformerXl',
  // Positions.
  'among-keys': ({ least, most }: Limits) => `from ${least} to ${most}, since each query takes the position of a key`,
  'at-most-keys': ({ value }: { value: number }) => `at most keyLength = ${value} where positions are given`,
  'kept-tokens': ({ least, first }: { least: number; first: number }) =>
    `at least ${least}, since the tokens before ${first} are gone`,
  capacity: ({ most, capacity }: Most & { capacity: number }) =>
    `at most ${most}, what capacity = ${capacity} has room for`,
  'positions-end': ({ most }: Most) => `at most ${most}, since positions end at 2^31`,
  'rows-left': ({ most, rows }: Most & { rows: number }) => `at most ${most}, what is left of rows = ${rows}`,
  'table-rows': ({ rows }: { rows: number }) => `at most rows = ${rows} of the table`,
  'rows-from': ({ most }: Most) => `from 0 to ${most}, the rows of the table`,
  reach: ({ most, center }: Most & { center: number }) =>
    `within ${most} tokens of center = ${center}, where scales are in the range of floats`,
  'within-reach': ({ shift, reason }: { shift: number | undefined } & Because) =>
    `within reach of the encoding ${shift === undefined ? 'at shift 0, which the others are compared with' : `at shift ${shift}`} (${reason})`,
  'trained-context': () => 'given, or maxPosition: the tokens that the model was trained with',
  // Configurations and flags.
  json: () => 'JSON',
  'json-object': () => 'an object in JSON',
  config: () => 'the configuration of a model, with a known model_type or a key about positions or sizes',
  characters: ({ most }: Most) => `at most ${most} characters`,
  'layer-types': ({ most, letters }: Most & { letters: number }) =>
    `at most ${most} layer types with names of at most ${letters} letters`,
  'key-depth': ({ most }: Most) => `a path of at most ${most} keys`,
  flags: ({ choices }: Choices) => `flags about positions of ${choices.join(', ')}`,
  'flag-value': () => 'followed by a value',
  'closed-quotes': () => 'a line whose quotes are closed',
  // Files.
  readable: () => 'a file that can be read',
  'file-size': ({ bytes }: { bytes: number }) => `a file of ${bytes} bytes`,
  'long-enough': ({ part, bytes }: { part: FilePart; bytes: number }) =>
    `long enough for ${PARTS[part]}, ${bytes} bytes`,
  'long-enough-for': ({ count, what }: { count: number; what: FileItem }) => `long enough for ${count} ${ITEMS[what]}`,
  'long-enough-header': ({ bytes }: { bytes: number }) => `long enough for a header of ${bytes} bytes`,
  'exact-length': ({ bytes }: { bytes: number }) => `long enough for its tensors and no longer, ${bytes} bytes of data`,
  'least-bytes': ({ least }: { least: number }) => `at least ${least} bytes`,
  'header-size': ({ most, safetensors }: Most & { safetensors: boolean }) =>
    `a ${safetensors ? '.safetensors file' : 'file'} with a header of at most ${most} bytes`,
  'different-keys': () => 'a file with different keys',
  gguf: () => 'a GGUF file, which begins with GGUF',
  'gguf-version': () => 'a GGUF file of version 2 or 3',
  'gguf-keys': ({ most }: Most) => `a file with at most ${most} keys`,
  'gguf-key': ({ key }: { key: string }) => `a GGUF file with ${key}`,
  'value-types': ({ most }: Most) => `a file with types of values from 0 to ${most}`,
  'list-depth': ({ most }: Most) => `at most ${most} lists inside each other`,
  'name-length': ({ most }: Most) => `names of at most ${most} bytes`,
  alignment: () => 'a file whose general.alignment is a power of 2',
  'tensor-start': ({ name, multiple }: { name: string; multiple: number }) =>
    `${quoted(name)} to begin at a multiple of ${multiple} bytes`,
  'tensor-axes': ({ name, most }: Most & { name: string }) => `at most ${most} axes for ${quoted(name)}`,
  'whole-blocks': ({ name }: { name: string }) => `whole blocks in the rows of ${quoted(name)}`,
  'tensor-numbers': ({ name, most }: Most & { name: string }) => `at most ${most} numbers in ${name}`,
  'tensor-type': ({ name, choices }: Choices & { name: string }) => `${cut(name)} of type ${choices.join(', ')}`,
  tensor: () => 'a file with the tensor that was asked for',
  'tensor-fields': ({ name }: { name: string }) => `dtype, shape and data_offsets for the tensor ${quoted(name)}`,
  'format-type': ({ name }: { name: string }) => `a type of numbers of the format for ${cut(name)}`,
  'tensor-bytes': ({ name, bytes }: { name: string; bytes: number }) => `${bytes} bytes for ${cut(name)}`,
  gapless: ({ name, byte }: { name: string; byte: number }) => `${cut(name)} to begin at byte ${byte} of the data`,
  safetensors: ({ header }: { header: 'JSON' | 'object' }) =>
    `a .safetensors file, whose header is ${header === 'JSON' ? header : 'an object'}`,
  metadata: ({ strings }: { strings: boolean }) =>
    `a file whose __metadata__ ${strings ? 'has strings only' : 'is an object'}`,
  npy: () => 'a .npy file, which begins with \\x93NUMPY',
  'npy-version': () => 'a .npy file of version 1, 2 or 3',
  'npy-field': ({ key }: { key: NpyField }) => `a header with ${NPY_FIELDS[key]} as '${key}'`,
  'npy-numbers': () => 'numbers of type f2, f4 or f8 with a byte order of < or >',
  'npy-shape': ({ most }: Most) => `a shape of at most ${most} whole numbers`,
  'npy-size': ({ count, bytes, shape }: { count: number; bytes: number; shape: readonly number[] }) =>
    `${count} numbers of ${bytes} bytes, as its shape (${shape.join(', ')}) says`,
  table: ({ most }: Most) => `an array with two axes and at most ${most} numbers`,
  // What `frames` has a sentence for.
  option: ({ choices }: Choices & { meant: string | undefined }) => `one of ${choices.join(', ')}`,
  'valid-json': (_: Because) => 'JSON',
  memory: (_: { sizes: AxisSizes; bytes: number }) => 'small enough for memory',
  'no-words': ({ target }: NoWords) => `what ${target} can be told`,
  'relaxed-simd': () => 'auto or simd on this engine',
  'wasm-file': (_: Because) => 'the WebAssembly file of this package',
};

/** Why a target has no words for a parameter. */
const NO_WORDS = {
  'one-embedding': 'it takes one embedding for all of them.',
  'modelfile-type': 'a Modelfile has no parameter for it; it is read from the GGUF file.',
  modelfile: 'a Modelfile has no parameter for it.',
  'whole-ramp': 'it rounds the bounds of the ramp to whole pairs.',
  'log-factor': 'it multiplies by 1 + 0.1 ln factor, which is not above 0.',
  'fixed-base': 'its base does not follow the length of a text.',
  'gguf-divisors': 'the divisors of pairs are tensors of the GGUF file, written when it is converted, and no flags.',
  'ramp-from-length':
    'it takes the bounds of the ramp from the length it is started with, not from the original context.',
  'scale-and-alpha': 'its flags have a scale and an alpha; the rest is read from config.json.',
  'no-flag': 'no flag sets it.',
  'rope-parameters': 'it came with rope_parameters (hf-v5).',
  'local-base': 'it has a base for layers with a window, and nothing else of their own.',
  'max-position': 'max_position_embeddings holds for all layers.',
  'head-dim': 'head_dim holds for all layers.',
  'scale-and-base': '--ropeconfig has a scale and a base; the rest is in the GGUF file.',
  'scale-and-base-only': '--ropeconfig has a scale and a base only.',
  'base-once': 'it computes the base once, from the greatest length, for texts of any length.',
  'no-type': 'its rotary embeddings have no such type.',
  'ratio-of-contexts': 'it takes the ratio of maxPosition and originalMaxPosition.',
  unread: 'does not read one.',
} as const;

/** `type` is the one that does not read a parameter. */
export interface NoWords {
  readonly target: string;
  readonly value: string;
  readonly why: keyof typeof NO_WORDS;
  readonly type?: string;
}

/** Sentences of their own for rules that are not about what an argument must be. */
const frames = {
  option: ({ choices, meant }: Choices & { meant: string | undefined }, argument: string) =>
    `${argument} is not an option here${meant === undefined ? `: expected one of ${choices.join(', ')}` : `, did you mean ${meant}?`}`,
  'valid-json': ({ reason }: Because, argument: string) => `${argument} must be JSON: ${escaped(reason)}`,
  memory: ({ sizes, bytes }: { sizes: AxisSizes; bytes: number }, argument: string) =>
    `${Object.hasOwn(sizes, argument) ? '' : `${argument}: `}${describeSizes(sizes)} must be small enough for memory, got ${bytes} bytes`,
  'no-words': ({ target, value, why, type }: NoWords, argument: string) =>
    `${target} has no words for ${argument} ${cut(value)}: ${type === undefined ? '' : `${type} `}${NO_WORDS[why]}`,
  'relaxed-simd': () => 'this engine does not run WebAssembly with relaxed SIMD',
  'wasm-file': ({ reason }: Because) => `the WebAssembly module did not load: ${reason}`,
};

const FAULTS = {
  length: 'an array does not fit the sizes',
  shape: 'a size is zero, does not divide another one, or is too large',
  odd: 'a rotary width is odd',
  range: 'a position, distance or row is out of range',
  finite: 'a frequency, scale or factor is not finite',
} as const;

/** What is no fault of an argument that is known. */
const failures = {
  simd: () => 'this engine does not run WebAssembly with SIMD',
  'worker-start': ({ reason }: Because) => `a worker did not start: ${reason}`,
  'worker-died': ({ reason }: Because) => `a worker died: ${reason}`,
  'no-worker': ({ reason }: Because) => `no worker is left: ${reason}`,
  core: ({ call, fault }: { call: string; fault: keyof typeof FAULTS }) => `${call}: ${FAULTS[fault]}`,
};

type Count = { readonly count: number };

/** What was found, where the value itself does not say it. */
const states = {
  detached: () => 'a detached array',
  zeros: () => 'zeros',
  unturned: () => 'the same vectors',
  'empty-cache': () => 'an empty cache',
  'other-buffer': () => 'a buffer of another one',
  view: () => 'the view of a buffer',
  buffer: () => 'a buffer',
  'buffer-of': ({ name }: { name: string }) => `the buffer of ${name}`,
  disposed: () => 'a disposed one',
  both: () => 'both',
  'scaled-or-capped': () => 'scaled or capped',
  items: ({ count }: Count) => `an array of ${count}`,
  sum: ({ parts, total }: { parts: readonly number[]; total: number }) => `${parts.join(' + ')} = ${total}`,
  position: ({ value }: { value: number }) => `position ${value}`,
  names: ({ names }: { names: readonly string[] }) => names.map(quoted).join(', '),
  sizes: ({ sizes }: { sizes: readonly unknown[] }) => cut(`[${sizes.join(', ')}]`),
  reason: ({ reason }: Because) => cut(reason),
  bytes: ({ count }: Count) => `${count} bytes`,
  characters: ({ count }: Count) => `${count} characters`,
  keys: ({ count }: Count) => `${count} keys`,
  'other-keys': ({ count }: Count) => `an object with ${count} other keys`,
  'layer-types': ({ count }: Count) => `${count} layer types`,
  'other-start': ({ count }: Count) => `${count} bytes that do not`,
  version: ({ number }: { number: number }) => `version ${number}`,
  type: ({ number }: { number: number }) => `type ${number}`,
  shape: ({ shape }: { shape: readonly number[] }) => `one of shape (${shape.join(', ')})`,
  twice: ({ name }: { name: string }) => `${quoted(name)} twice`,
  more: () => 'more',
  changed: () => 'one that has changed',
  without: () => 'one without',
};

/** What an argument must be, or what failed. */
export type Rule = FactsOf<typeof rules> | FactsOf<typeof failures>;

/** What was found, where the value itself does not say it. */
export type State = FactsOf<typeof states>;

/** What is wrong, as data. */
export interface Fault {
  readonly argument?: string;
  readonly rule: Rule;
  readonly got?: unknown;
  readonly state?: State;
  /** Where in a list the value stands. */
  readonly index?: number;
}

/** What a sentence about an error is made of: a `PosencError`, or its fields where they travelled. */
export type ErrorFacts = { readonly message: string } & { readonly [Name in keyof Fault]?: Fault[Name] | undefined };

/** The phrases of errors in one language. The type check refuses a book that lacks one. */
export interface ErrorBook {
  readonly rules: typeof rules;
  /** A rule without a frame is told as what an argument must be. */
  readonly frames: Partial<typeof frames>;
  readonly failures: typeof failures;
  readonly states: typeof states;
}

export const english: ErrorBook = { rules, frames, failures, states };

/** The rule as it follows "must be"; nothing for what is no fault of an argument. */
export function expectedOf(rule: Rule): string | undefined {
  return isFailure(rule) ? undefined : say(rules, rule);
}

export function isFailure(rule: Rule): rule is FactsOf<typeof failures> {
  return Object.hasOwn(failures, rule.kind);
}

/** The sentence of a book for a rule that needs one of its own. */
export function framed(book: ErrorBook, rule: Rule, argument: string): string | undefined {
  if (isFailure(rule)) return say(book.failures, rule);
  const frame = book.frames[rule.kind as keyof typeof frames] as ((rule: Rule, argument: string) => string) | undefined;
  return frame?.(rule, argument);
}

/** States that are told in quotation marks, as a text that was given is. */
const MEASURES: ReadonlySet<State['kind']> = new Set(['bytes', 'characters', 'keys', 'version', 'type']);

/** "`dim` must be a whole number from 1 to 2147483647, got -1". */
export function englishSentence({ argument = '', rule, got, state, index }: Fault): string {
  const name = nameOf(argument);
  const verb = rule.kind === 'values' ? 'have' : 'be';
  const shown =
    state === undefined ? describe(got) : MEASURES.has(state.kind) ? `"${say(states, state)}"` : say(states, state);
  const place = index === undefined ? '' : ` at index ${index}`;
  return framed(english, rule, name) ?? `${name} must ${verb} ${expectedOf(rule)}, got ${shown}${place}`;
}

/** The same, for an error whose fields may have travelled. */
export function sentence({ message, rule, argument, got, state, index }: ErrorFacts): string {
  if (rule === undefined) return message;
  const where = { ...(state === undefined ? {} : { state }), ...(index === undefined ? {} : { index }) };
  return englishSentence({ ...(argument === undefined ? {} : { argument }), rule, got, ...where });
}

/** The words of a state, which stand for the value that was given. */
export function stateText(state: State): string {
  return say(states, state);
}

/** A value as an error message shows it. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  const name: string | undefined = value.constructor?.name; // none without a prototype
  if (name === undefined || name === 'Object') return 'an object';
  return ArrayBuffer.isView(value) && !(value instanceof DataView)
    ? `${name} of ${(value as Float32Array).length}`
    : `an instance of ${name}`;
}

/** "length × dim = 80 × 312". */
export function describeSizes(sizes: AxisSizes): string {
  return `${Object.keys(sizes).join(' × ')} = ${Object.values(sizes).join(' × ')}`;
}

/** "a Float32Array or a PosencBuffer". */
function withArticles(types: readonly string[]): string {
  const named = types.map((type) => {
    if (type === 'halves' || type === 'the bytes') return type;
    return `${/^[AEIOaeo]/.test(type) ? 'an' : 'a'} ${type}`;
  });
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`;
}
