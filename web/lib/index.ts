export type { Alibi, AlibiBiasOptions, AlibiRule, AlibiSeries, AlibiSlopesOptions } from './alibi.js';
export type { QueryKeyOptions } from './attention-sizes.js';
export type { Attention, AttentionOptions } from './attention.js';
export type { PosencBuffer } from './buffer.js';
export type { Deberta, DebertaBucketsOptions, DebertaScoresOptions } from './deberta.js';
export type { Decompose, DecomposeOptions, FourTerms } from './decompose.js';
export type {
  Alias,
  DistanceAnalysis,
  DistanceOptions,
  FindAliasesOptions,
  KernelEnvelope,
  KernelEnvelopeOptions,
} from './distance-kernel.js';
export type { Encodings } from './encodings.js';
export type { Variant } from './engine.js';
export { PosencError, type PosencErrorCode, type PosencErrorDetails } from './errors.js';
export type { Fire, FireBiasOptions } from './fire.js';
export {
  ropeFrequencies,
  sinusoidalFrequencies,
  type RopeFrequencies,
  type SinusoidalFrequencyOptions,
  type Spacing,
} from './frequencies.js';
export type { Into, Tensor } from './heap.js';
export type { IndexEncoding, IndexEncodingOptions } from './index-encoding.js';
export type { Kerple, KerpleBiasOptions, KerpleKind } from './kerple.js';
export type { Learned, LearnedOptions } from './learned.js';
export { load, type LoadOptions } from './load.js';
export type { Mrope, MropeOptions } from './mrope.js';
export type { OneHot, OneHotOptions } from './one-hot.js';
export type { PositionalEncoding, PositionalEncodingOptions } from './positional-encoding.js';
export type { PositionOptions } from './positions.js';
export type { BiasSizes } from './relative-bias.js';
export { encodingNames, registry, type EncodingEntry, type EncodingName } from './registry.js';
export type { PixelGrid, Rope2d, Rope2dOptions } from './rope-2d.js';
export type { Pairing, RopeParams, RopeType } from './rope-params.js';
export type { Format, Rope, RopeOptions, RopeTable, RopeTableOptions, RotationOptions } from './rope.js';
export type { Shaw, ShawAttentionOptions } from './shaw.js';
export type { Similarity, SimilarityOptions } from './similarity.js';
export type { Sinusoidal, SinusoidalOptions } from './sinusoidal.js';
export type { T5, T5BiasOptions, T5BucketsOptions, T5Rule } from './t5.js';
export type { TransformerXl, TransformerXlScoresOptions } from './transformer-xl.js';
export type { Dtype, RotaryPrecision, ShiftedScore, VerifyRelative, VerifyRelativeOptions } from './verify-relative.js';
export type { Xpos, XposOptions } from './xpos.js';
