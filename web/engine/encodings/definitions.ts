import type { BiasOf, FunctionsOf, RelativeOf } from './definition.js';
import { indexEncoding } from './position-index.js';
import { oneHotEncoding } from './one-hot.js';
import { learnedEncoding } from './learned.js';
import { sinusoidalEncoding } from './sinusoidal.js';
import { sinusoidal2dEncoding } from './sinusoidal-2d.js';
import { ropeEncoding } from './rope.js';
import { xposEncoding } from './xpos.js';
import { mropeEncoding } from './mrope.js';
import { rope2dEncoding } from './rope-2d.js';
import { alibiEncoding } from './alibi.js';
import { t5Encoding } from './t5.js';
import { kerpleEncoding } from './kerple.js';
import { fireEncoding } from './fire.js';
import { shawEncoding } from './shaw.js';
import { transformerXlEncoding } from './transformer-xl.js';
import { debertaEncoding } from './deberta.js';

export type * from './position-index.js';
export type * from './one-hot.js';
export type * from './learned.js';
export type * from './sinusoidal.js';
export type * from './sinusoidal-2d.js';
export type * from './rope.js';
export type * from './xpos.js';
export type * from './mrope.js';
export type * from './rope-2d.js';
export type * from './alibi.js';
export type * from './t5.js';
export type * from './kerple.js';
export type * from './fire.js';
export type * from './shaw.js';
export type * from './transformer-xl.js';
export type * from './deberta.js';

/** The encodings by name: those of POSENC_ENCODINGS in CMakeLists.txt, in its order. */
export const definitions = {
  index: indexEncoding,
  one_hot: oneHotEncoding,
  learned: learnedEncoding,
  sinusoidal: sinusoidalEncoding,
  sinusoidal_2d: sinusoidal2dEncoding,
  rope: ropeEncoding,
  xpos: xposEncoding,
  mrope: mropeEncoding,
  rope_2d: rope2dEncoding,
  alibi: alibiEncoding,
  t5: t5Encoding,
  kerple: kerpleEncoding,
  fire: fireEncoding,
  shaw: shawEncoding,
  transformer_xl: transformerXlEncoding,
  deberta: debertaEncoding,
};

type Definition = (typeof definitions)[keyof typeof definitions];

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** What the encodings compute. */
export interface EncodingFunctions extends Intersection<FunctionsOf<Definition>> {}

/** The biases that `attention` computes where it uses them. */
export type EncodingBias = BiasOf<Definition>;

/** The relative terms that `attention` computes. */
export type EncodingRelative = RelativeOf<Definition>;
