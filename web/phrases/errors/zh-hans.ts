import { cut, nameOf, quoted } from '../shown.js';
import { say } from '../table.js';
import { framed, isFailure, type AxisSizes, type ErrorBook, type ErrorFacts, type Rule, type State } from './en.js';

const WHERE = {
  'encoding-given': '已给出 encoding',
  'no-rope': '没有 rope',
  'keys-turned': '键已经旋转过',
  'cache-window': '缓存已有 window',
  'cache-rope': '缓存带有 rope',
  'cache-no-rope': '缓存没有 rope',
  'no-mask': '没有 mask',
  'no-bucket-size': '没有 bucketSize',
  'relative-keys-given': '已给出 relativeKeys',
  'positions-given': '已给出 positions',
} as const;

const LACKING = { frequency: '一个频率', number: '一个数', layer: '一层' } as const;

const ITEMS = { tensors: '个张量', keys: '个键', values: '个值', characters: '个字符' } as const;

const NPY_FIELDS = { descr: '数的类型', fortran_order: 'True 或 False', shape: '整数' } as const;

const TYPES: Readonly<Record<string, string>> = {
  object: '对象',
  function: '函数',
  string: '字符串',
  array: '数组',
  halves: '半精度数',
  'the bytes': '字节',
  'array of numbers': '数的数组',
  'object of arrays': '由数组组成的对象',
};

const IN_USE = { buffer: '缓冲区', cache: '缓存', pool: '线程池' } as const;

const NO_WORDS = {
  'one-embedding': '所有层只能共用一种旋转位置编码。',
  'modelfile-type': 'Modelfile 没有对应的参数，只从 GGUF 文件读取。',
  modelfile: 'Modelfile 没有对应的参数。',
  'whole-ramp': '它把过渡区的边界取整到整数对。',
  'log-factor': '它会乘以 1 + 0.1 ln 倍数，而这个值不大于 0。',
  'fixed-base': '它的底数不随文本长度变化。',
  'gguf-divisors': '各对的除数是转换时写入 GGUF 文件的张量，没有对应的参数。',
  'ramp-from-length': '它按启动时的长度确定过渡区的边界，而不按原始上下文长度。',
  'scale-and-alpha': '它的参数只有缩放和 alpha，其余取自 config.json。',
  'no-flag': '没有可以设置它的参数。',
  'rope-parameters': '它随 rope_parameters（hf-v5）才出现。',
  'local-base': '它只能给带窗口的层另设底数，其他都不能分开。',
  'max-position': '所有层共用一个 max_position_embeddings。',
  'head-dim': '所有层共用一个 head_dim。',
  'scale-and-base': '--ropeconfig 只有缩放和底数，其余在 GGUF 文件中。',
  'scale-and-base-only': '--ropeconfig 只有缩放和底数。',
  'base-once': '无论文本多长，它都按最大长度只算一次底数。',
  'no-type': '它的旋转位置编码没有这种类型。',
  'ratio-of-contexts': '它取 maxPosition 与 originalMaxPosition 之比。',
  unread: '不读取这个参数。',
} as const;

const FAULTS = {
  length: '有数组的长度与尺寸不符',
  shape: '有尺寸为零、不能整除另一个尺寸，或过大',
  odd: '旋转的宽度是奇数',
  range: '有位置、距离或行超出范围',
  finite: '有频率、缩放或倍数不是有限的数',
} as const;

const FLOAT = '2^-126 到 3.4e38 之间的数（单精度浮点数的范围）';

/** What an argument must be, as it follows its name. */
const rules: ErrorBook['rules'] = {
  number: () => '须为有限的数',
  'any-number': () => '须为数',
  positive: () => '须为大于 0 的有限数',
  'positive-number': () => '须为大于 0 的数',
  'not-negative': () => '须为不小于 0 的有限数',
  between: ({ least, most }) => `须为 ${least} 到 ${most} 之间的数`,
  whole: ({ least, most }) => `须为 ${least} 到 ${most} 之间的整数`,
  'whole-or-none': ({ least, most }) => `须为 ${least} 到 ${most} 之间的整数，−1 表示不限`,
  share: () => '须不小于 0 且小于 1',
  'positive-float': () => `须为 ${FLOAT}`,
  float: () => `须为 0，或绝对值为 ${FLOAT}`,
  base: () => '须为大于 0 且不等于 1 的有限数',
  'yarn-base': () => '须大于 1，因为 yarn 以快的维度对在前',
  'slow-enough': () => '须使任何频率都不超过每词元 2^32 弧度',
  'gives-float': ({ of }) => `须使 ${of} 为 ${FLOAT}`,
  'factor-or-context': () => '须为大于 0 的数（没有给出 maxPosition 时）',
  'at-least': ({ of, value }) => `须不小于 ${of} = ${value}`,
  'at-most': ({ of, value }) => `须不大于 ${of} = ${value}`,
  divisor: ({ of, value }) => `须能整除 ${of} = ${value}`,
  multiple: ({ of, value, without }) =>
    `须为 ${of} = ${value} 的倍数${without === undefined ? '' : `（没有写 ${without} 时）`}`,
  same: ({ of, value }) => `须为 ${value}，与 ${of} 一致`,
  wholes: ({ least, most }) => `须全为 ${least} 到 ${most} 之间的整数`,
  numbers: ({ least, most }) => `须全为 ${least} 到 ${most} 之间的数`,
  finites: () => '须全为有限的数',
  positives: () => '须全为大于 0 的有限数',
  powers: ({ most }) => `须全为大于 0 且不大于 ${most} 的数`,
  slopes: ({ reach }) => `须全为有限的数，转为单精度并乘以最大距离 ${reach} 后仍然有限`,
  frequencies: () => '须全为有限的频率，且不超过每词元 2^32 弧度',
  divisors: ({ pairs }) => `须为 ${pairs} 个大于 0 的有限数，每个维度对一个`,
  'key-lengths': ({ value }) => `须全不小于 queryLength = ${value}，因为每个查询都占用一个键的位置`,
  some: ({ what }) => `须至少有${LACKING[what]}`,
  bounds: () => '须至少有两个边界',
  rising: () => '须严格递增',
  'some-not-zero': () => '须含有不为 0 的向量',
  values: ({ sizes }) => `须有 ${sizesOf(sizes)} 个值`,
  room: ({ most }) => `最多只能有 ${most} 个值`,
  list: ({ most, finite }) => `须为最多 ${most} 项的列表${finite ? '，各项均为有限的数' : ''}`,
  type: ({ types }) => `须为${among(types.map((type) => TYPES[type] ?? ` ${type}`))}`,
  'tensor-or-term': ({ choices }) => `须为 Float32Array、半精度数、PosencBuffer 或下列之一：${choices.join('、')}`,
  boolean: () => '须为 true 或 false',
  choice: ({ choices }) => `须为下列之一：${choices.map((name) => JSON.stringify(name)).join(', ')}`,
  name: ({ choices }) => `须为下列之一：${choices.join(', ')}`,
  'left-out': ({ where }) => `须省略，因为${WHERE[where]}`,
  given: ({ encoding }) => `须写明，${encoding} 需要它`,
  attached: ({ buffer }) => `须为仍持有内存的${buffer ? ' ArrayBuffer' : '数组'}`,
  'one-half': () => '须为 { f16 } 或 { bf16 } 之一',
  'one-encoding': () => '须为一种编码的选项，以编码的名称为键',
  placing: () => '须为能给查询和键定位的编码',
  'other-buffer': ({ name }) => `须为 ${name} 以外的缓冲区`,
  filled: () => '须先用 append 写入内容',
  apart: ({ name }) => `须与 ${name} 分开存放`,
  own: () => '须为自有内存的数组或 PosencBuffer',
  'same-encodings': () => '须为同一个 Encodings 的缓冲区',
  'no-buffer': () => '须为数组：缓冲区只属于创建它的实例',
  'in-use': ({ what }) => `须为仍在使用的${IN_USE[what]}`,
  window: () => '须为数或 { left, right }',
  model: () => '须为 parseHfConfig 返回的模型',
  layer: () => '须为带有 name 和 params 的层',
  'even-head': () => '须为偶数（没有给出 rotaryDim 时），因为通道成对旋转',
  'even-width': ({ headDim }) => `须为 2 到 headDim = ${headDim} 之间的偶数，因为通道成对旋转`,
  'even-proportional': () => '须为偶数，因为 proportional 给整个头配对',
  'ntk-width': () => '须不小于 4：最快的一对不变，最慢的一对改变',
  'two-axes': () => '须为 4 的倍数，每个轴两对',
  'two-coordinates': () => '须为 4 的倍数：两个坐标各有正弦和余弦',
  sections: ({ pairs }) => `须为三个整数，其和等于 rotaryDim / 2 = ${pairs}`,
  'variant-pairing': ({ pairing, variant }) => `须为 "${pairing}"，即变体 "${variant}" 的配对方式`,
  projection: ({ dim }) => `须为 [dim, projected]，其中 dim = ${dim}`,
  'as-wide': ({ as, columns }) => `须与 ${as} 同宽（${columns} 个通道）`,
  'mask-shape': ({ sizes }) =>
    `各尺寸须为 1 或与 [${Object.keys(sizes).join(', ')}] = [${Object.values(sizes).join(', ')}] 相同，最后一个也可以更小`,
  'rows-of-ids': ({ batch }) => `的长度须能被 batch = ${batch} 整除`,
  'left-by-rotation': () => '须为 before 的向量旋转后的结果',
  'unscaled-uncapped': () => '须不带缩放和上限，因为 keyLengths 不等长的序列用了 transformerXl',
  'among-keys': ({ least, most }) => `须在 ${least} 到 ${most} 之间，因为每个查询都占用一个键的位置`,
  'at-most-keys': ({ value }) => `须不大于 keyLength = ${value}（给出 positions 时）`,
  'kept-tokens': ({ least, first }) => `须不小于 ${least}，因为 ${first} 之前的词元已不在缓存中`,
  capacity: ({ most, capacity }) => `须不大于 ${most}，即 capacity = ${capacity} 还容得下的数目`,
  'positions-end': ({ most }) => `须不大于 ${most}，因为位置止于 2^31`,
  'rows-left': ({ most, rows }) => `须不大于 ${most}，即 rows = ${rows} 所剩的行数`,
  'table-rows': ({ rows }) => `须不大于表的行数 rows = ${rows}`,
  'rows-from': ({ most }) => `须在表的行 0 到 ${most} 之间`,
  reach: ({ most, center }) => `与 center = ${center} 的距离须在 ${most} 个词元以内，否则缩放超出单精度浮点数的范围`,
  'within-reach': ({ shift }) =>
    `须在编码所及的范围之内（${shift === undefined ? '平移为 0 时，其他平移都与它比较' : `平移为 ${shift} 时`}）`,
  'trained-context': () => '须写明，或写明 maxPosition：模型训练时的词元数',
  json: () => '须为 JSON',
  'json-object': () => '须为 JSON 对象',
  config: () => '须为模型的配置：含有认识的 model_type，或有关位置、大小的键',
  characters: ({ most }) => `须不超过 ${most} 个字符`,
  'layer-types': ({ most, letters }) => `最多只能有 ${most} 种层，名称不超过 ${letters} 个字符`,
  'key-depth': ({ most }) => `须为不超过 ${most} 层的键路径`,
  flags: ({ choices }) => `须含有关位置的启动参数（${choices.join('、')}）`,
  'flag-value': () => '之后须有值',
  'closed-quotes': () => '中的引号须成对',
  readable: () => '须为可以读取的文件',
  'file-size': ({ bytes }) => `须为 ${bytes} 字节的文件`,
  'long-enough': ({ bytes }) => `须为完整的文件，其中应有 ${bytes} 字节`,
  'long-enough-for': ({ count, what }) => `须为完整的文件，其中应有 ${count} ${ITEMS[what]}`,
  'long-enough-header': ({ bytes }) => `须为完整的文件，其中文件头应有 ${bytes} 字节`,
  'exact-length': ({ bytes }) => `须为完整的文件，其中应有 ${bytes} 字节`,
  'least-bytes': ({ least }) => `须至少有 ${least} 字节`,
  'header-size': ({ most, safetensors }) => `须为${safetensors ? ' .safetensors ' : ''}文件，文件头不超过 ${most} 字节`,
  'different-keys': () => '中的键须各不相同',
  gguf: () => '须为以 GGUF 开头的 GGUF 文件',
  'gguf-version': () => '须为第 2 或第 3 版的 GGUF 文件',
  'gguf-keys': ({ most }) => `须为最多 ${most} 个键的文件`,
  'gguf-key': ({ key }) => `须为写有 ${key} 的 GGUF 文件`,
  'value-types': ({ most }) => `中值的类型须在 0 到 ${most} 之间`,
  'list-depth': ({ most }) => `中的列表最多只能嵌套 ${most} 层`,
  'name-length': ({ most }) => `中的名称须不超过 ${most} 字节`,
  alignment: () => '的 general.alignment 须为 2 的幂',
  'tensor-start': ({ name, multiple }) => `中 ${quoted(name)} 的起点须为 ${multiple} 字节的倍数`,
  'tensor-axes': ({ name, most }) => `中 ${quoted(name)} 最多只能有 ${most} 个轴`,
  'whole-blocks': ({ name }) => `中 ${quoted(name)} 的每行须为完整的块`,
  'tensor-numbers': ({ name, most }) => `的 ${cut(name)} 最多只能有 ${most} 个数`,
  'tensor-type': ({ name, choices }) => `中 ${cut(name)} 的类型须为下列之一：${choices.join('、')}`,
  tensor: () => '须含有所要的张量',
  'tensor-fields': ({ name }) => `须给张量 ${quoted(name)} 写明 dtype、shape 与 data_offsets`,
  'format-type': ({ name }) => `中 ${cut(name)} 须为此格式的类型`,
  'tensor-bytes': ({ name, bytes }) => `须为完整的文件，其中 ${cut(name)} 应占 ${bytes} 字节`,
  gapless: ({ name, byte }) => `须为没有空隙的文件，其中 ${cut(name)} 应从第 ${byte} 字节开始`,
  safetensors: () => '须为文件头是 JSON 对象的 .safetensors 文件',
  metadata: ({ strings }) => `的 __metadata__ 须${strings ? '只含字符串' : '为对象'}`,
  npy: () => '须为以 \\x93NUMPY 开头的 .npy 文件',
  'npy-version': () => '须为第 1、2 或 3 版的 .npy 文件',
  'npy-field': ({ key }) => `的文件头须写明 ${key}：${NPY_FIELDS[key]}`,
  'npy-numbers': () => '须为类型 f2、f4 或 f8 的数，字节序为 < 或 >',
  'npy-shape': ({ most }) => `的形状须为最多 ${most} 个整数`,
  'npy-size': ({ count, bytes, shape }) => `须有形状 (${shape.join(', ')}) 所说的 ${count} 个数，每个 ${bytes} 字节`,
  table: ({ most }) => `须为两个轴、最多 ${most} 个数的数组`,
  option: ({ choices }) => `不是这里的选项，可用的有：${choices.join('、')}`,
  'valid-json': () => '须为完整的 JSON',
  memory: ({ sizes }) => `过大：内存容不下 ${sizesOf(sizes)}`,
  'no-words': ({ target }) => `须为 ${target} 能够表达的值`,
  'relaxed-simd': () => '在这个引擎上须为 auto 或 simd',
  'wasm-file': () => '须为本软件包的 WebAssembly 文件',
};

const errors: ErrorBook = {
  rules,
  frames: {
    option: ({ choices, meant }, argument) =>
      `${argument} 不是这里的选项${meant === undefined ? `，可用的有：${choices.join('、')}` : `，是否应为 ${meant}？`}`,
    memory: ({ sizes, bytes }) => `${sizesOf(sizes)} 过大，内存容不下：需要 ${bytes} 字节`,
    'no-words': ({ target, value, why, type }, argument) =>
      `${target} 无法表达 ${argument} ${cut(value)}：${type === undefined ? '' : `${type} `}${NO_WORDS[why].replace(/。$/, '')}`,
    'relaxed-simd': () => '这个引擎不能运行带 relaxed SIMD 的 WebAssembly',
    'wasm-file': ({ reason }) => `WebAssembly 模块未能载入：${reason}`,
  },
  failures: {
    simd: () => '这个引擎不能运行带 SIMD 的 WebAssembly',
    'worker-start': ({ reason }) => `工作线程未能启动：${reason}`,
    'worker-died': ({ reason }) => `工作线程已终止：${reason}`,
    'no-worker': ({ reason }) => `没有可用的工作线程：${reason}`,
    core: ({ call, fault }) => `${call}：${FAULTS[fault]}`,
  },
  states: {
    detached: () => '已移走内存的数组',
    zeros: () => '全为零',
    unturned: () => '相同的向量',
    'empty-cache': () => '空的缓存',
    'other-buffer': () => '另一个实例的缓冲区',
    view: () => '缓冲区的视图',
    buffer: () => '缓冲区',
    'buffer-of': ({ name }) => ` ${name} 的缓冲区`,
    disposed: () => '已释放的对象',
    both: () => '两者都有',
    'scaled-or-capped': () => '带缩放或上限的结果',
    items: ({ count }) => ` ${count} 项的数组`,
    sum: ({ parts, total }) => ` ${parts.join(' + ')} = ${total}`,
    position: ({ value }) => `位置 ${value}`,
    names: ({ names }) => (names.length === 0 ? '空的对象' : ` ${names.map(quoted).join('、')}`),
    sizes: ({ sizes }) => ` ${cut(`[${sizes.join(', ')}]`)}`,
    reason: ({ reason }) => ` ${cut(reason)}`,
    bytes: ({ count }) => ` ${count} 字节`,
    characters: ({ count }) => ` ${count} 个字符`,
    keys: ({ count }) => ` ${count} 个键`,
    'other-keys': ({ count }) => `只有 ${count} 个其他键的对象`,
    'layer-types': ({ count }) => ` ${count} 种层`,
    'other-start': ({ count }) => `开头不同的 ${count} 字节`,
    version: ({ number }) => `第 ${number} 版`,
    type: ({ number }) => `类型 ${number}`,
    shape: ({ shape }) => `形状 (${shape.join(', ')}) 的数组`,
    twice: ({ name }) => `两个 ${quoted(name)}`,
    more: () => '更多',
    changed: () => '已经改变的文件',
    without: () => '没有它的文件',
  },
};

/** Arguments that are what was pasted or opened, not a key in it. */
const SUBJECTS: Readonly<Record<string, string>> = {
  json: '贴入的文本',
  line: '参数行',
  source: '文件',
  bytes: '文件',
  table: '表中的数',
};

/** What is wrong: "`dim` 须为 1 到 2147483647 之间的整数，收到的是 -1". What has no rule keeps its message. */
export function sentence({ message, argument = '', rule, got, state, index }: ErrorFacts): string {
  if (rule === undefined) return message;
  const name = argument === '' ? '' : subject(argument);
  return (framed(errors, rule, name) ?? `${name}${ruleOf(rule)}，${found(got, state)}${place(index)}`).replace(
    / {2,}/g,
    ' ',
  );
}

/** The argument as the subject of a sentence. */
function subject(argument: string): string {
  return Object.hasOwn(SUBJECTS, argument) ? (SUBJECTS[argument] as string) : `${nameOf(argument)} `;
}

function ruleOf(rule: Rule): string {
  return isFailure(rule) ? '' : say(rules, rule);
}

function found(value: unknown, state: State | undefined): string {
  if (state === undefined && value === undefined) return '这里没有给出';
  return `收到的是${state === undefined ? valueOf(value) : say(errors.states, state)}`;
}

function place(index: number | undefined): string {
  return index === undefined ? '' : `（下标 ${index}）`;
}

function valueOf(value: unknown): string {
  if (Array.isArray(value)) return ` ${value.length} 项的列表`;
  if (typeof value === 'string') return value.trim() === '' ? '空白' : ` ${quoted(value)}`;
  if (typeof value === 'function') return '一个函数';
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return ` ${(value as Float32Array).length} 项的 ${value.constructor.name}`;
  }
  return typeof value === 'object' && value !== null ? '一个对象' : ` ${String(value)}`;
}

function sizesOf(sizes: AxisSizes): string {
  return `${Object.keys(sizes).join(' × ')} = ${Object.values(sizes).join(' × ')}`;
}

function among(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join('、')} 或${names.at(-1)}`;
}
