import { type Encodings, ropeFrequencies, sinusoidalFrequencies } from 'posenc';
import { modelPresets } from '../../models.js';
import { stretchedPresets } from '../../stretched-models.js';
import { decayTask } from '../decay/task.js';
import { distanceTask } from '../distance/task.js';
import { ARC_TOLERANCE, extendTask } from '../extend/task.js';
import { orderTask } from '../order/task.js';
import { precisionTask } from '../precision/task.js';
import { rotateTask } from '../rotate/task.js';

/** Popular claims, in the order of the list. */
export const CLAIMS = [
  'order',
  'oneHot',
  'equalProducts',
  'linearShift',
  'readsDistance',
  'period',
  'aliases',
  'ropeKernel',
  'largerBase',
  'lengths',
  'relativeScore',
  'distinctPairs',
  'decay',
  'alibi',
  'extrapolation',
] as const;
export type LedgerClaim = (typeof CLAIMS)[number];

/** One number against its limit. */
export interface Check {
  readonly value: number;
  readonly limit: number;
  /** The claim needs `value` to stand in this relation to `limit`. */
  readonly relation: '≤' | '<' | '>';
}

/** True where every check of a claim holds, false where none does. */
export type Verdict = 'true' | 'conditions' | 'false';

export type LedgerRequest = Readonly<Record<string, never>>;
export type LedgerResult = Readonly<Record<LedgerClaim, readonly Check[]>>;

export function holds({ value, limit, relation }: Check): boolean {
  if (relation === '≤') return value <= limit;
  return relation === '<' ? value < limit : value > limit;
}

export function verdictOf(checks: readonly Check[]): Verdict {
  const held = checks.filter(holds).length;
  if (held === checks.length) return 'true';
  return held === 0 ? 'false' : 'conditions';
}

export function* ledgerTask(encodings: Encodings, _: LedgerRequest): Generator<{ share: number }, LedgerResult> {
  const result: Partial<Record<LedgerClaim, readonly Check[]>> = {};
  for (const [i, claim] of CLAIMS.entries()) {
    result[claim] = checksOf[claim](encodings);
    yield { share: (i + 1) / CLAIMS.length };
  }
  return result as LedgerResult;
}

const MILLION = 1_000_000;
const at = (dim: number, encodings: Encodings, distances: readonly number[]): Float64Array =>
  encodings.distanceKernel({ invFreq: sinusoidalFrequencies({ dim }), distances });

const checksOf: Readonly<Record<LedgerClaim, (encodings: Encodings) => readonly Check[]>> = {
  // Without positions the outputs are permuted: without a mask, and with a causal one.
  order(encodings) {
    const ask = (mask: 'none' | 'causal') =>
      orderTask(encodings, { tokens: ['dog', 'bites', 'man'], order: [2, 1, 0], positions: 'none', mask });
    return [ask('none'), ask('causal')].map(({ outputChange, largestValue }) => ({
      value: outputChange,
      limit: 2 * (2 * 3 + 1) * 2 ** -24 * Math.max(1, largestValue),
      relation: '≤',
    }));
  },
  // One-hot rows are more alike next to each other than far apart.
  oneHot(encodings) {
    const table = encodings.oneHot({ positions: [0, 1, 9], maxLength: 10 });
    const alike = encodings.similarity({ table, rows: 3, dim: 10 });
    return [{ value: alike[1]!, limit: alike[2]!, relation: '>' }];
  },
  // PE(2) · PE(5) = PE(10) · PE(13), at d = 512.
  equalProducts(encodings) {
    const { before } = distanceTask(encodings, { dim: 512, between: 'nothing', length: 16, start: 0 });
    const difference = Math.abs(before[2 * 16 + 5]! - before[10 * 16 + 13]!);
    return [{ value: difference, limit: 1.02 * 512 * 2 ** -23, relation: '≤' }];
  },
  // PE(m + 7) is PE(m), its cosines and sines as pairs, turned by 7, for m = 0, 100 and a million.
  linearShift(encodings) {
    const [dim, step] = [512, 7];
    const rows = (offset: number): Float32Array =>
      encodings.sinusoidal({ dim, length: 3, positions: [0, 100, MILLION].map((m) => m + offset), order: 'concat' });
    const pairs = (table: Float32Array): Float32Array =>
      table.map((_, i) => table[i - (i % dim) + ((i + dim / 2) % dim)]!);
    const turned = encodings.rope({
      x: pairs(rows(0)),
      params: { headDim: dim },
      length: 3,
      heads: 1,
      headDim: dim,
      positions: [step, step, step],
    });
    const wanted = pairs(rows(step));
    const off = Math.max(...turned.map((value, i) => Math.abs(value - wanted[i]!)));
    return [{ value: off, limit: 1.02 * 2 ** -22, relation: '≤' }];
  },
  // The product of two rows gives the distance away: it is one curve, the curve names one distance, and a matrix keeps it.
  readsDistance(encodings) {
    const ask = (between: 'nothing' | 'matrix') =>
      distanceTask(encodings, { dim: 512, between, length: 64, start: MILLION });
    const kernel = at(
      512,
      encodings,
      Array.from({ length: 64 }, (_, distance) => distance),
    );
    const rise = Math.max(...Array.from({ length: 63 }, (_, n) => kernel[n + 1]! - kernel[n]!));
    const limit = 1.02 * 512 * 2 ** -23;
    return [
      { value: ask('nothing').change, limit, relation: '≤' },
      { value: rise, limit: 2 ** -50, relation: '≤' },
      { value: ask('matrix').change, limit, relation: '≤' },
    ];
  },
  // Waves come back after 2π tokens: the fastest, the slowest.
  period() {
    const frequencies = sinusoidalFrequencies({ dim: 512 });
    const off = (frequency: number): number => Math.abs(1 / frequency - 1);
    return [frequencies[0]!, frequencies.at(-1)!].map((frequency) => ({
      value: off(frequency),
      limit: 3e-15,
      relation: '≤',
    }));
  },
  // Far positions look alike again, at d = 8 and d = 512: K between 10 000 and 200 000.
  aliases(encodings) {
    return [8, 512].map((dim) => {
      const invFreq = sinusoidalFrequencies({ dim });
      const { maximum } = encodings.kernelEnvelope({ invFreq, edges: [10_000, 200_001] });
      return { value: maximum[0]!, limit: 0.9, relation: '>' };
    });
  },
  // RoPE has another curve of likeness than the sinusoids have.
  ropeKernel(encodings) {
    const distances = [1, 10, 100, 1000, 31_416];
    const score = (distance: number): number => {
      const ones = new Float32Array(128).fill(1);
      return (
        encodings.verifyRelative({ query: ones, key: ones, params: { headDim: 128 }, distance, shifts: [0] })[0]!
          .score / 128
      );
    };
    const kernel = at(128, encodings, distances);
    return [
      { value: Math.max(...distances.map((d, i) => Math.abs(score(d) - kernel[i]!))), limit: 2 ** -40, relation: '>' },
    ];
  },
  // A larger base makes neighbouring waves more alike: the ratio of their frequencies for 10⁶ and for 10².
  largerBase() {
    const ratio = (base: number): number => {
      const [first, second] = sinusoidalFrequencies({ dim: 312, base });
      return second! / first!;
    };
    return [{ value: ratio(MILLION), limit: ratio(100), relation: '>' }];
  },
  lengths(encodings) {
    const { lengthChange } = rotateTask(encodings, {
      headDim: 16,
      rotaryDim: 16,
      base: 10_000,
      pairing: 'half',
      direction: 'forward',
      reordered: 'both',
      m: MILLION,
      n: 131_071,
    });
    return [{ value: lengthChange, limit: 2 ** -22, relation: '≤' }];
  },
  // The rotary score depends on n − m: with float64 angles, with bfloat16 positions.
  relativeScore(encodings) {
    return (['f64', 'bf16'] as const).map((position) => {
      const { largestDrift, bound } = precisionTask(encodings, {
        params: modelPresets[0]!.params,
        precision: { position, invFreq: 'f64', angle: 'f64', table: 'f32' },
        distance: 7,
        shift: MILLION,
        shifts: [1, 100, 1000, 10_000, 100_000],
        distances: [7],
      });
      return { value: largestDrift, limit: bound, relation: '≤' };
    });
  },
  // A model 4 096 wide with 32 heads turns 2 048 pairs in 2 048 ways.
  distinctPairs() {
    const perHead = ropeFrequencies({ headDim: 4096 / 32 }).invFreq;
    const all = Array.from({ length: 32 }, () => [...perHead]).flat();
    return [{ value: new Set(all).size, limit: all.length - 1, relation: '>' }];
  },
  // Far scores are less than half of near ones: for q = k, for random q and k.
  decay(encodings) {
    const { farKernel, farRandom, nearRandom } = decayTask(encodings, {
      dim: 128,
      base: 10_000,
      pairs: 24,
      edges: [0, 1, 2, 5, 10, 100, 1000, 10_000, 20_000, 50_000, 100_001],
      far: 10_000,
      near: 10,
    });
    return [
      { value: farKernel, limit: 0.5, relation: '<' },
      { value: farRandom / nearRandom, limit: 0.5, relation: '<' },
    ];
  },
  // ALiBi falls linearly: 100 tokens cost 100 times one. And it excludes no word: the weight 300 tokens back, slope 1/2.
  alibi(encodings) {
    const length = 301;
    const bias = encodings.alibiBias({ heads: 8, queryLength: 1, keyLength: length });
    const nothing = new Float32Array(length * 8);
    const weights = encodings.attention({
      query: new Float32Array(8),
      key: nothing,
      heads: 8,
      queryLength: 1,
      keyLength: length,
      headDim: 1,
      bias: { alibi: encodings.alibiSlopes({ heads: 8 }) },
      returns: 'weights',
    });
    return [
      { value: Math.abs(bias[200]! - 100 * bias[299]!), limit: 2 ** -24 * Math.abs(bias[200]!), relation: '≤' },
      { value: weights[0]!, limit: 0, relation: '>' },
    ];
  },
  // RoPE reads texts of twice the trained length as they are: no pair at an angle it has not met; the same, scaled by 2.
  extrapolation(encodings) {
    const { params } = stretchedPresets.find(({ name }) => name === 'Llama-2-7B')!;
    return (['default', 'linear'] as const).map((method) => {
      const { newArc } = extendTask(encodings, { params, method, factor: 2, length: 8192, distances: [1] });
      return { value: newArc, limit: ARC_TOLERANCE, relation: '≤' };
    });
  },
};
