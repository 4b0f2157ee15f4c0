import type { RopeParams } from '../../rotary/rope-params.js';
import { familyOf } from '../families.js';
import type { LayerInShort } from '../../phrases/findings/en.js';
import { finding } from '../findings.js';
import type { ModelLayer, ParsedModel, Statement } from '../parsed-model.js';
import { keyOf, statementsOf, type Context, type Rule } from './rule.js';

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
  const about = (key: string) => ({ key, found: undefined, expected: `a stated ${key}` });
  const findings = {
    encoding: () => finding('encoding_assumed', about('model_type'), {}),
    headDim: () => finding('head_dim_assumed', about('head_dim'), { headDim: layers[0]?.params.headDim }),
    pairing: () => finding('pairing_assumed', about('model_type'), {}),
    originalMaxPosition: () => finding('original_assumed', about('original_max_position_embeddings'), {}),
  };
  // Flags never state a width: that is said once, and is no fault of theirs.
  const open = source === 'flags' ? assumed.filter((what) => what !== 'headDim') : assumed;
  return open.map((what) => findings[what]());
}

function flagsAlone({ source, assumed, layers }: ParsedModel) {
  const [layer] = layers;
  if (source !== 'flags' || layer === undefined || !assumed.includes('headDim')) return [];
  const { headDim, base = 10000 } = layer.params;
  return [
    finding(
      'flags_alone',
      {
        key: 'head_dim',
        found: undefined,
        expected: 'the model that the flags are for',
      },
      { headDim, base },
    ),
  ];
}

function permutedPairing({ source, modelType, layers }: ParsedModel) {
  const [layer] = layers;
  if (source !== 'hf' || layer === undefined || familyOf(modelType)?.permuted !== true) return [];
  return [
    finding(
      'pairing_permuted',
      {
        key: 'model_type',
        found: layer.params.pairing,
        expected: 'interleaved in weights of Meta and in GGUF files of the llama architecture',
      },
      { half: halfOf(layer.params) },
    ),
  ];
}

/** How far apart the rows of a pair of halves are, which change places between the two pairings. */
export function halfOf({ headDim, rotaryDim = headDim }: RopeParams): number {
  return rotaryDim / 2;
}

function givenHeadDim({ layers, statements, hiddenSize, heads }: ParsedModel) {
  const stated = layers.flatMap(({ name }) => statementsOf(statements, name, 'headDim')).find(isWholeHead);
  if (stated === undefined || hiddenSize === undefined || heads === undefined || stated.value === hiddenSize / heads) {
    return [];
  }
  return [
    finding(
      'head_dim_given',
      {
        key: stated.key,
        found: stated.value,
        expected: hiddenSize / heads,
      },
      { key: stated.key, value: stated.value, hiddenSize, heads },
    ),
  ];
}

/** Whether the key is about the whole head, not about the part that turns. */
function isWholeHead({ key }: Statement): boolean {
  return !key.endsWith('qk_rope_head_dim');
}

function layerTables({ layers }: ParsedModel) {
  if (layers.length < 2) return [];
  return [
    finding(
      'layer_tables',
      {
        key: 'layers',
        found: layers.map(({ name }) => name),
        expected: 'a table for each',
      },
      { layers: layers.map(inShort) },
    ),
  ];
}

function inShort({ name, params: { base, type, factor } }: ModelLayer): LayerInShort {
  return { name, base, type, factor };
}

function unrotatedLayers({ unrotatedLayers: has }: ParsedModel) {
  if (has !== true) return [];
  return [
    finding(
      'unrotated_layers',
      {
        key: 'no_rope_layers',
        found: true,
        expected: 'no table for these layers',
      },
      {},
    ),
  ];
}

function learnedTable(model: ParsedModel) {
  const { learned } = model;
  if (learned === undefined) return [];
  return [
    finding(
      'learned_table',
      {
        key: keyOf(model, 'all', 'maxPosition', 'max_position_embeddings'),
        found: learned.positions,
        expected: 'no formula',
      },
      { last: learned.positions - 1 },
    ),
  ];
}

function legacyKeys({ source, layers, statements }: ParsedModel) {
  if (source === 'gguf') return []; // there, it is called type
  const keys = new Set(layers.flatMap(({ name }) => statementsOf(statements, name, 'type')).map(({ key }) => key));
  return [...keys]
    .filter((key) => key.endsWith('.type') && !keys.has(newName(key)))
    .map((key) =>
      finding(
        'legacy_key',
        {
          key,
          found: 'type',
          expected: 'rope_type',
        },
        {},
      ),
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
  const joined = [model, launch].some((one) => one?.runtime === 'llama.cpp') && unread.some(isWrittenWithEquals);
  return [
    finding(
      'not_read',
      {
        key: unread[0] as string,
        found: unread,
        expected: 'a setting of positions',
      },
      { names: unread, joined },
    ),
  ];
}
