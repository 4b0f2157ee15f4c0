import { requireCount, withDefault, type Sizes } from '../../common/check.js';
import { badArgument } from '../../common/errors.js';
import type { Format } from './format.js';

/** Sizes of a call that queries meet keys in. */
export interface AttentionSizes {
  batch: number;
  heads: number;
  kvHeads: number;
  queryLength: number;
  keyLength: number;
  headDim: number;
  valueDim: number;
}

/** The options that say these sizes. */
type SizeOptions = Omit<AttentionSizes, 'batch' | 'kvHeads' | 'valueDim'> &
  Partial<Pick<AttentionSizes, 'batch' | 'kvHeads' | 'valueDim'>>;

/** The sizes, checked, with the defaults filled in. */
export function requireSizes(options: SizeOptions): AttentionSizes {
  const heads = requireCount(options.heads, 'heads');
  const kvHeads = requireCount(withDefault(options.kvHeads, heads), 'kvHeads');
  if (heads % kvHeads !== 0) throw badArgument('kvHeads', { kind: 'divisor', of: 'heads', value: heads }, kvHeads);
  const headDim = requireCount(options.headDim, 'headDim');
  return {
    batch: requireCount(withDefault(options.batch, 1), 'batch'),
    heads,
    kvHeads,
    queryLength: requireCount(options.queryLength, 'queryLength'),
    keyLength: requireCount(options.keyLength, 'keyLength'),
    headDim,
    valueDim: requireCount(withDefault(options.valueDim, headDim), 'valueDim'),
  };
}

/** The axes of the tensors of a call, outermost first; `matrix` is that of scores and weights. */
export function attentionAxes(format: Format, sizes: AttentionSizes) {
  const { batch, heads, kvHeads, queryLength, keyLength, headDim, valueDim } = sizes;
  const axes = (tokens: Sizes, head: Sizes, width: Sizes): Sizes =>
    format === 'bshd' ? { batch, ...tokens, ...head, ...width } : { batch, ...head, ...tokens, ...width };
  return {
    query: axes({ queryLength }, { heads }, { headDim }),
    key: axes({ keyLength }, { kvHeads }, { headDim }),
    value: axes({ keyLength }, { kvHeads }, { valueDim }),
    output: axes({ queryLength }, { heads }, { valueDim }),
    matrix: { batch, heads, queryLength, keyLength },
  };
}

export type AttentionAxes = ReturnType<typeof attentionAxes>;
