import {
  MAX_POSITION,
  requireArrayLike,
  requireBoolean,
  requireIntegers,
  requireOptions,
  withDefault,
  type Names,
} from '../../common/check.js';
import type { EncodingDefinition } from './definition.js';
import { throwUnlessOk, type Engine } from '../runtime/engine.js';
import { within } from '../../common/errors.js';
import { ropeLayout, rotaryOf } from '../../rotary/frequencies.js';
import type { FloatTensor, Into } from '../runtime/heap.js';
import { requireSections } from '../../rotary/mrope-sections.js';
import { ROPE_PARAMS, type RopeParams } from '../../rotary/rope-params.js';
import { rotaryScore } from '../analysis/rotary-score.js';
import {
  newRotationTable,
  requireRotation,
  rotate,
  ROTATION_OPTIONS,
  type RotationOptions,
} from '../positions/rotation.js';
import type { Contents, ScoreAt } from '../analysis/score.js';

export interface MropeOptions extends RotationOptions {
  /**
   * The rotary embedding, with `mropeSection`: how many pairs turn by time, height and width, together
   * rotaryDim / 2. Without `mropeInterleaved` the three follow each other (Qwen2-VL); with it, pairs 1, 4, 7, … turn by
   * height and 2, 5, 8, … by width, as many as their sections say, and all others by time (Qwen3-VL).
   */
  params: RopeParams;
  /**
   * Times, then heights, then widths: `[3, length]` for all sequences or `[3, batch, length]`. Tokens of text have three
   * equal positions.
   */
  positions: ArrayLike<number>;
}

/** How `verifyRelative` turns a query and a key, whose three positions are equal: the options of `mrope`. */
export type MropeScoreOptions = Pick<MropeOptions, 'params' | 'seqLen'>;

export interface Mrope {
  /**
   * Turns queries or keys by three positions per token (multimodal rotary embedding): as `rope` does, but each pair of
   * channels by the position of its axis. For text it equals `rope`.
   *
   * Returns an array like `x`; `out` may be `x`.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   * Accuracy: as `rope`, at every position up to 2^31.
   * Source: Wang et al. 2024 (Qwen2-VL), arXiv:2409.12191, section 2.1; Bai et al. 2025 (Qwen3-VL), arXiv:2511.21631.
   */
  mrope<Out extends FloatTensor = Float32Array>(options: MropeOptions & Into<Out>): NoInfer<Out>;
}

export const mropeEncoding: EncodingDefinition<Mrope, MropeScoreOptions> = {
  title: { en: 'Multimodal RoPE', 'zh-Hans': '多模态 RoPE' },
  formula: String.raw`\begin{pmatrix} a' \\ b' \end{pmatrix} = \begin{pmatrix} \cos p_{k(i)}\theta_i & -\sin p_{k(i)}\theta_i \\ \sin p_{k(i)}\theta_i & \cos p_{k(i)}\theta_i \end{pmatrix} \begin{pmatrix} a \\ b \end{pmatrix}, \quad k(i) \in \{t, h, w\}`,
  parameters: ['headDim', 'rotaryDim', 'base', 'pairing', 'mropeSection', 'mropeInterleaved'],
  source: 'Wang et al. 2024, arXiv:2409.12191, section 2.1',
  functions: { mrope },
  score: { options: { params: true, seqLen: true }, at: score },
};

const OPTIONS: Names<MropeOptions & Into<unknown>> = { ...ROTATION_OPTIONS, positions: true };

function mrope(engine: Engine): Mrope['mrope'] {
  const { wasm } = engine;
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    const params = requireOptions(options.params, ROPE_PARAMS, 'params');
    const rotary = rotaryOf(params, options.seqLen);
    const sections = within('params.', () => requireSections(params.mropeSection, rotary.rotaryDim / 2));
    const interleaved = requireBoolean(withDefault(params.mropeInterleaved, false), 'params.mropeInterleaved');
    const rotation = requireRotation(engine, options, rotary);
    const { batch, length } = rotation;
    const { length: count } = requireArrayLike(options.positions, 'positions');
    const perSequence = batch > 1 && count === 3 * batch * length;
    const sizes = perSequence ? { axes: 3, batch, length } : { axes: 3, length };
    const positions = requireIntegers(options.positions, 'positions', sizes, -MAX_POSITION, MAX_POSITION);
    return rotate(engine, options, rotation, (heap) => {
      const table = newRotationTable(engine, heap, rotation, perSequence);
      const status = wasm.mropeTable(
        table.cos,
        table.sin,
        heap.doubles(rotary.invFreq, 'rotaryDim'),
        heap.doubles(positions, 'positions'),
        ...sections,
        interleaved ? wasm.MropeOrder.Interleaved : wasm.MropeOrder.Chunked,
        rotary.attentionFactor,
      );
      throwUnlessOk(engine, status, 'mrope');
      return table;
    });
  };
}

function score(engine: Engine, options: MropeScoreOptions, contents: Contents): ScoreAt {
  const turn = mrope(engine);
  return rotaryScore(contents, ropeLayout(options.params), (vector, position) =>
    turn({ ...options, ...vector, positions: [position, position, position] }),
  );
}
