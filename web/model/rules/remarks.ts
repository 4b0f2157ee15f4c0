import type { RopeParams } from '../../rotary/rope-params.js';
import { familyOf } from '../families.js';
import { finding } from '../findings.js';
import type { ModelLayer, ParsedModel, Statement } from '../parsed-model.js';
import { keyOf, show, statementsOf, type Context, type Rule } from './rule.js';

/** What is right about a model, or had to be assumed, and is worth knowing. */
export const REMARKS: readonly Rule[] = [
  assumptions,
  flagsAlone,
  permutedPairing,
  givenHeadDim,
  layerTables,
  unrotatedLayers,
  learnedTable,
  legacyKeys,
  notRead,
];

function assumptions({ source, assumed, layers }: ParsedModel) {
  const headDim = layers[0]?.params.headDim;
  const texts = {
    encoding: {
      code: 'encoding_assumed',
      key: 'model_type',
      why: {
        en: 'The architecture is unknown and no key is about positions, so that a rotary embedding is assumed.',
        'zh-Hans': '架构未知，也没有与位置有关的键，因此假定为旋转位置编码。',
      },
    },
    headDim: {
      code: 'head_dim_assumed',
      key: 'head_dim',
      why: {
        en: `Neither head_dim nor the sizes that give it are stated, so that ${headDim} is assumed.`,
        'zh-Hans': `既没有 head_dim，也没有能推出它的尺寸，因此假定为 ${headDim}。`,
      },
    },
    pairing: {
      code: 'pairing_assumed',
      key: 'model_type',
      why: {
        en: 'The architecture is unknown, so that pairs of halves are assumed, as most models in this layout have.',
        'zh-Hans': '架构未知，因此假定为前后两半配对，这种格式的模型大多如此。',
      },
    },
    originalMaxPosition: {
      code: 'original_assumed',
      key: 'original_max_position_embeddings',
      why: {
        en: 'The scaling states no original context, so that max_position_embeddings is taken for it. If that counts the scaling in, the frequencies are wrong.',
        'zh-Hans':
          '缩放没有写原始上下文长度，因此以 max_position_embeddings 代替。若后者已把缩放计算在内，频率就是错的。',
      },
    },
  } as const;
  // Flags never state a width: that is said once, and is no fault of theirs.
  const open = source === 'flags' ? assumed.filter((what) => what !== 'headDim') : assumed;
  return open.map((what) => {
    const { code, key, why } = texts[what];
    return finding(code, { key, found: undefined, expected: `a stated ${key}`, why });
  });
}

function flagsAlone({ source, assumed, layers }: ParsedModel) {
  const [layer] = layers;
  if (source !== 'flags' || layer === undefined || !assumed.includes('headDim')) return [];
  const { headDim, base = 10000 } = layer.params;
  return [
    finding('flags_alone', {
      key: 'head_dim',
      found: undefined,
      expected: 'the model that the flags are for',
      why: {
        en: `Flags say nothing of the model: heads of ${headDim} channels are assumed, and base ${base}. Check a model with these flags as what it is served with.`,
        'zh-Hans': `启动参数不说明模型：这里假定头宽为 ${headDim}，底数为 ${base}。要核对某个模型，请把这些参数作为它的启动参数。`,
      },
    }),
  ];
}

function permutedPairing({ source, modelType, layers }: ParsedModel) {
  const [layer] = layers;
  if (source !== 'hf' || layer === undefined || familyOf(modelType)?.permuted !== true) return [];
  const rows = permutation(layer.params);
  return [
    finding('pairing_permuted', {
      key: 'model_type',
      found: layer.params.pairing,
      expected: 'interleaved in weights of Meta and in GGUF files of the llama architecture',
      why: {
        en: `These weights were permuted when they were converted. ${rows.en}`,
        'zh-Hans': `这些权重在转换时重排过。${rows['zh-Hans']}`,
      },
    }),
  ];
}

/** Which rows of the projections change places between the two pairings. */
export function permutation({ headDim, rotaryDim = headDim }: RopeParams) {
  const half = rotaryDim / 2;
  return {
    en:
      `In each head of the query and key projections, rows i and i + ${half} for pairs of halves are rows 2i and ` +
      '2i + 1 for pairs of neighbours; those of the value projection stay where they are.',
    'zh-Hans': `在查询和键投影的每个头中，两半配对的第 i 与 i + ${half} 行，就是相邻配对的第 2i 与 2i + 1 行；值投影的行保持原位。`,
  };
}

function givenHeadDim({ layers, statements, hiddenSize, heads }: ParsedModel) {
  const stated = layers.flatMap(({ name }) => statementsOf(statements, name, 'headDim')).find(isWholeHead);
  if (stated === undefined || hiddenSize === undefined || heads === undefined || stated.value === hiddenSize / heads) {
    return [];
  }
  return [
    finding('head_dim_given', {
      key: stated.key,
      found: stated.value,
      expected: hiddenSize / heads,
      why: {
        en: `Heads are ${show(stated.value)} wide, which ${stated.key} gives; ${hiddenSize} / ${heads} counts only where it is absent.`,
        'zh-Hans': `头宽为 ${show(stated.value)}，由 ${stated.key} 给出；只有没有这个键时才用 ${hiddenSize} / ${heads}。`,
      },
    }),
  ];
}

/** Whether the key is about the whole head, not about the part that turns. */
function isWholeHead({ key }: Statement): boolean {
  return !key.endsWith('qk_rope_head_dim');
}

function layerTables({ layers }: ParsedModel) {
  if (layers.length < 2) return [];
  const describe = ({ name, params }: ModelLayer) =>
    `${name}: base ${params.base}, ${params.type}${params.factor === undefined ? '' : ` ${params.factor}`}`;
  const list = layers.map(describe).join('; ');
  return [
    finding('layer_tables', {
      key: 'layers',
      found: layers.map(({ name }) => name),
      expected: 'a table for each',
      why: {
        en: `Each type of layer has an embedding of its own. ${list}.`,
        'zh-Hans': `每种层各有一张旋转表。${list}。`,
      },
    }),
  ];
}

function unrotatedLayers({ unrotatedLayers: has }: ParsedModel) {
  if (has !== true) return [];
  return [
    finding('unrotated_layers', {
      key: 'no_rope_layers',
      found: true,
      expected: 'no table for these layers',
      why: {
        en: 'Some layers have no rotary embedding: they see the order of tokens only through the causal mask and the other layers. A scaling does not reach them.',
        'zh-Hans': '有些层没有旋转位置编码：它们只能通过因果掩码和其他层感知顺序。缩放对它们不起作用。',
      },
    }),
  ];
}

function learnedTable(model: ParsedModel) {
  const { learned } = model;
  if (learned === undefined) return [];
  const last = learned.positions - 1;
  return [
    finding('learned_table', {
      key: keyOf(model, 'all', 'maxPosition', 'max_position_embeddings'),
      found: learned.positions,
      expected: 'no formula',
      why: {
        en: `Positions are rows of a learned absolute table; there is no formula, and positions past ${last} do not exist.`,
        'zh-Hans': `位置是学习得到的绝对位置表中的行；没有公式，${last} 之后的位置不存在。`,
      },
    }),
  ];
}

function legacyKeys({ source, layers, statements }: ParsedModel) {
  if (source === 'gguf') return []; // there, it is called type
  const keys = new Set(layers.flatMap(({ name }) => statementsOf(statements, name, 'type')).map(({ key }) => key));
  return [...keys]
    .filter((key) => key.endsWith('.type') && !keys.has(newName(key)))
    .map((key) =>
      finding('legacy_key', {
        key,
        found: 'type',
        expected: 'rope_type',
        why: {
          en: 'The key is now called rope_type; a runtime that knows only the new name misses the scaling.',
          'zh-Hans': '这个键现在叫 rope_type；只认新名的运行时会漏掉缩放。',
        },
      }),
    );
}

function newName(key: string): string {
  return key.replace(/type$/, 'rope_type');
}

function isWrittenWithEquals(flag: string): boolean {
  return /^--?[a-z][\w-]*=/i.test(flag);
}

function notRead(model: ParsedModel, { launch }: Context) {
  const { unread: own = [] } = model;
  // What a model is served with has much else in it.
  const isOfPositions = (flag: string) => /rope|yarn|ctx-size|^-c=/i.test(flag);
  const served = launch?.source === 'flags' ? (launch.unread ?? []).filter(isOfPositions) : [];
  const unread = [...own, ...served];
  if (unread.length === 0) return [];
  const list = unread.join(', ');
  const isJoined = [model, launch].some((one) => one?.runtime === 'llama.cpp') && unread.some(isWrittenWithEquals);
  const joined = isJoined
    ? {
        en: ' llama.cpp takes no value after =: a space has to be there.',
        'zh-Hans': 'llama.cpp 不接受 = 后的值，须用空格。',
      }
    : { en: '', 'zh-Hans': '' };
  return [
    finding('not_read', {
      key: unread[0] as string,
      found: unread,
      expected: 'a setting of positions',
      why: {
        en: `Not read here, since it is not about positions, its name is not known or no type here does the same: ${list}.${joined.en}`,
        'zh-Hans': `以下内容与位置无关、名称未知，或这里没有对应的类型，因此没有读取：${list}。${joined['zh-Hans']}`,
      },
    }),
  ];
}
