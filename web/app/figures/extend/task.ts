import { type Encodings, type RopeFrequencies, type RopeParams, ropeFrequencies } from 'posenc';

/** The rules that a reader can choose; `default` stretches nothing. */
export const METHODS = ['default', 'linear', 'ntk', 'dynamic', 'yarn', 'longrope', 'llama3'] as const;
export type Method = (typeof METHODS)[number];

/** The rotary embedding of a model with what all of its rules need. */
export type StretchParams = RopeParams &
  Required<Pick<RopeParams, 'rotaryDim' | 'base' | 'type' | 'originalMaxPosition'>>;

export interface ExtendRequest {
  readonly params: StretchParams;
  readonly method: Method;
  readonly factor: number;
  /** Tokens of the sequence. */
  readonly length: number;
  /** Distances at which the kernel is drawn. */
  readonly distances: readonly number[];
}

export interface ExtendResult {
  /** By the chosen rule; absent where the model has no lists for LongRoPE. */
  readonly chosen?: RopeFrequencies;
  readonly plain: RopeFrequencies;
  /** Divisor per pair of every rule that applies to the model, `default` left out. */
  readonly divisors: Readonly<Partial<Record<Method, Float64Array>>>;
  /** Per pair, in turns up to a full one: the arc swept in training, and the arc that `length` tokens sweep now. */
  readonly trained: Float64Array;
  readonly reached: Float64Array;
  /** The largest arc of any pair that training has not swept, in turns, and how many pairs have one. */
  readonly newArc: number;
  readonly pairsWithNewArc: number;
  /** K before and after, at `distances`. */
  readonly kernelBefore: Float64Array;
  readonly kernelAfter: Float64Array;
}

/** Arcs, in turns: two frequencies that are good to 10⁻¹⁴ of themselves, of at most one turn each. */
export const ARC_TOLERANCE = 2e-14;

export function extendTask(encodings: Encodings, request: ExtendRequest): ExtendResult {
  const { params, length, distances } = request;
  const plain = frequenciesBy('default', request)!;
  const rules = METHODS.filter((method) => method !== 'default').flatMap((method) => {
    const frequencies = frequenciesBy(method, request);
    return frequencies ? [[method, frequencies.divisor] as const] : [];
  });
  const chosen = frequenciesBy(request.method, request);
  const { wavelength, invFreq } = chosen ?? plain;
  const trained = plain.wavelength.map((turn) => Math.min(1, params.originalMaxPosition / turn));
  const reached = wavelength.map((turn) => Math.min(1, length / turn));
  const excess = reached.map((arc, pair) => Math.max(0, arc - trained[pair]!));
  return {
    ...(chosen ? { chosen } : {}),
    plain,
    divisors: Object.fromEntries(rules),
    trained,
    reached,
    newArc: Math.max(...excess),
    pairsWithNewArc: excess.filter((arc) => arc > ARC_TOLERANCE).length,
    kernelBefore: encodings.distanceKernel({ invFreq: plain.invFreq, distances }),
    kernelAfter: encodings.distanceKernel({ invFreq, distances }),
  };
}

/** The frequencies of a model by one rule, or undefined where the rule needs lists that the model does not have. */
function frequenciesBy(method: Method, { params, factor, length }: ExtendRequest): RopeFrequencies | undefined {
  const { type, ...own } = params;
  if (method === 'longrope' && own.longFactor === undefined) return undefined;
  // What only the model's own rule has a say in: the strengths of DeepSeek's YaRN are no part of another model's.
  const { lowFreqFactor = 1, highFreqFactor = 4, mscale, mscaleAllDim, truncate, attentionFactor, ...shared } = own;
  const extra = {
    ...(method === type && attentionFactor !== undefined ? { attentionFactor } : {}),
    ...(method === 'llama3' ? { lowFreqFactor, highFreqFactor } : {}),
    ...(method === 'yarn' && truncate !== undefined ? { truncate } : {}),
    ...(method === 'yarn' && mscale !== undefined && mscaleAllDim !== undefined ? { mscale, mscaleAllDim } : {}),
  };
  return ropeFrequencies({ ...shared, ...extra, type: method, factor }, { seqLen: length });
}
