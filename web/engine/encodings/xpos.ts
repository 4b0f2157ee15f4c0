import {
  requireBoolean,
  requireFinite,
  requireOptions,
  requirePositive,
  withDefault,
  type Names,
} from '../../common/check.js';
import { refusal } from '../../common/errors.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { ropeLayout, rotaryOf, type RopeLayout } from '../../rotary/frequencies.js';
import type { FloatTensor, Into } from '../runtime/heap.js';
import { requireRowPositions, type PositionOptions, type Positions } from '../positions/positions.js';
import { ROPE_PARAMS, type RopeParams } from '../../rotary/rope-params.js';
import { rotaryScore } from '../analysis/rotary-score.js';
import {
  newRotationTable,
  positionSizes,
  requireRotation,
  rotate,
  ROTATION_OPTIONS,
  type RotationOptions,
} from '../positions/rotation.js';
import type { Contents, ScoreAt } from '../analysis/score.js';

export interface XposOptions extends RotationOptions, PositionOptions {
  /** `[length]` for all sequences or `[batch, length]`. */
  positions?: ArrayLike<number>;
  /** Scales by the reciprocal, as keys need it. Queries are scaled by default. */
  downscale?: boolean;
  /** How little the slowest decay differs from the fastest. 0.4 by default. */
  gamma?: number;
  /** Tokens over which pair i fades by ζᵢ. 512 by default. */
  scaleBase?: number;
  /**
   * Where the scale is 1: a position, not necessarily whole. 0 by default. Scores do not depend on it as long as queries
   * and keys share it.
   */
  center?: number;
}

/** How `verifyRelative` turns and scales a query and a key: the options of `xpos`. */
export type XposScoreOptions = Pick<XposOptions, 'params' | 'seqLen' | 'gamma' | 'scaleBase' | 'center'>;

export interface Xpos {
  /**
   * Turns queries or keys as `rope` does, and scales pair i of a query by ζᵢ^((p − center) / scaleBase), of a key by the
   * reciprocal, where ζᵢ = (2i / rotaryDim + gamma) / (1 + gamma). So the score of a query and a key fades with their
   * distance, and depends on it only. For causal models: it grows for keys after the query.
   *
   * `params.pairing` is `interleaved` by default, as xPos is published. `inverse` turns and scales back.
   *
   * Returns an array like `x`; `out` may be `x`.
   *
   * Errors: `bad-argument`, also for a position so far from `center` that a scale would leave the range of floats;
   * `wrong-length`, `out-of-memory`.
   * Accuracy: 2^-23 (|a c| + |b s|) for the scaled cosine c and sine s, which are good to 0.51 ulp.
   * Source: Sun et al. 2022, arXiv:2212.10554, section 2; torchscale.
   */
  xpos<Out extends FloatTensor = Float32Array>(options: XposOptions & Into<Out>): NoInfer<Out>;
}

export const xposEncoding: EncodingDefinition<Xpos, XposScoreOptions> = {
  title: { en: 'xPos', 'zh-Hans': 'xPos' },
  formula: String.raw`\begin{pmatrix} a' \\ b' \end{pmatrix} = \zeta_i^{\pm (p - c) / s} \begin{pmatrix} \cos p\theta_i & -\sin p\theta_i \\ \sin p\theta_i & \cos p\theta_i \end{pmatrix} \begin{pmatrix} a \\ b \end{pmatrix}, \quad \zeta_i = \frac{2i / r + \gamma}{1 + \gamma}`,
  parameters: ['headDim', 'rotaryDim', 'base', 'pairing', 'gamma', 'scaleBase', 'center', 'downscale'],
  source: 'Sun et al. 2022, arXiv:2212.10554, section 2',
  functions: { xpos },
  score: { options: { params: true, seqLen: true, gamma: true, scaleBase: true, center: true }, at: score },
};

const OPTIONS: Names<XposOptions & Into<unknown>> = {
  ...ROTATION_OPTIONS,
  positions: true,
  start: true,
  downscale: true,
  gamma: true,
  scaleBase: true,
  center: true,
};

/** Where e^x and e^−x are floats with all their digits: |x| up to this. */
const GREATEST_LOG_SCALE = 87;

function xpos(engine: Engine): Xpos['xpos'] {
  const { wasm } = engine;
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const params = requireOptions(options.params, ROPE_PARAMS, 'params');
    const rotary = asPublished(rotaryOf(params, options.seqLen), params);
    const rotation = requireRotation(engine, options, rotary);
    const { perSequence, sizes } = positionSizes(options.positions, rotation);
    const positions = requireRowPositions(options, rotation.length, sizes);
    const downscale = requireBoolean(withDefault(options.downscale, false), 'downscale');
    const gamma = requirePositive(withDefault(options.gamma, 0.4), 'gamma');
    const scaleBase = requirePositive(withDefault(options.scaleBase, 512), 'scaleBase');
    const center = requireFinite(withDefault(options.center, 0), 'center');
    // The attention factor multiplies the scale, and may leave it little room.
    const room = Math.max(0, GREATEST_LOG_SCALE - Math.abs(Math.log(rotary.attentionFactor)));
    requireReach(positions, rotation.length, center, (room * scaleBase) / Math.log1p(1 / gamma));
    // Back from a query is the scale of a key.
    const asKey = downscale !== (rotation.direction === wasm.Direction.Inverse);
    const logScale = logScales(rotary.invFreq.length, gamma, asKey ? -scaleBase : scaleBase);
    return rotate(engine, options, rotation, (heap) => {
      const table = newRotationTable(engine, heap, rotation, perSequence);
      const status = wasm.xposTable(
        table.cos,
        table.sin,
        heap.doubles(rotary.invFreq, 'rotaryDim'),
        heap.doubles(logScale, 'rotaryDim'),
        table.tokens,
        positions.start,
        positions.values === undefined ? engine.none.doubles : heap.doubles(positions.values, 'positions'),
        center,
        rotary.attentionFactor,
      );
      throwUnlessOk(engine, status, 'xpos');
      return table;
    });
  };
}

/** Pairs of neighbours, unless the caller says otherwise. */
function asPublished<Layout extends RopeLayout>(layout: Layout, { pairing }: RopeParams): Layout {
  return pairing === undefined ? { ...layout, pairing: 'interleaved' } : layout;
}

/** ln ζᵢ / scaleBase. */
function logScales(pairs: number, gamma: number, scaleBase: number): Float64Array {
  return Float64Array.from({ length: pairs }, (_, i) => Math.log((i / pairs + gamma) / (1 + gamma)) / scaleBase);
}

/** Refuses positions where the scale of a pair would overflow or vanish. */
function requireReach({ start, values }: Positions, length: number, center: number, reach: number): void {
  const [argument, given] = values === undefined ? ['start', [start, start + length - 1]] : ['positions', values];
  for (const position of given) {
    if (Math.abs(position - center) <= reach) continue;
    const rule = { kind: 'reach', most: Math.floor(reach), center } as const;
    const state = { kind: 'position', value: position } as const;
    throw refusal('bad-argument', { argument, rule, got: position, state });
  }
}

function score(engine: Engine, options: XposScoreOptions, contents: Contents): ScoreAt {
  const turn = xpos(engine);
  return rotaryScore(contents, asPublished(ropeLayout(options.params), options.params), (vector, start, role) =>
    turn({ ...options, ...vector, start, downscale: role === 'key' }),
  );
}
