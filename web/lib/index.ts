export type { QueryKeyOptions } from './attention-sizes.js';
export type { Attention, AttentionOptions, AttentionReturns, ScoringOptions } from './attention.js';
export type { PosencBuffer } from './buffer.js';
export type { ColumnOrder } from './column-order.js';
export type { Decompose, DecomposeOptions, FourTerms } from './decompose.js';
export type { ConventionGuess, DetectConvention, DetectConventionOptions } from './detect-convention.js';
export type { Layout, Scheme } from './convention/turns.js';
export type {
  Alias,
  DistanceAnalysis,
  DistanceOptions,
  FindAliasesOptions,
  KernelEnvelope,
  KernelEnvelopeOptions,
} from './distance-kernel.js';
export type { Encodings } from './encodings.js';
export type * from './encodings/all.js';
export type { Variant } from './engine.js';
export { PosencError, type PosencErrorCode, type PosencErrorDetails } from './errors.js';
export {
  ropeFrequencies,
  sinusoidalFrequencies,
  type RopeFrequencies,
  type SinusoidalFrequencyOptions,
  type Spacing,
} from './frequencies.js';
export { parseNpy } from './files/npy.js';
export { parseSafetensors, type TensorEntry, type TensorIndex } from './files/safetensors.js';
export type { Format } from './format.js';
export { gridCoordinates, type GridCoordinatesOptions, type PlaneCoordinates } from './grid-coordinates.js';
export type { Float16Values, HalfTensor } from './half.js';
export type { FloatTensor, Into, Tensor } from './heap.js';
export type {
  KvAppendOptions,
  KvAttendOptions,
  KvCache,
  KvCacheOptions,
  KvCaching,
  KvReadOptions,
} from './kv-cache.js';
export { load, type LoadOptions } from './load.js';
export { check, served, type CheckedModel, type CheckOptions } from './model/check-model.js';
export { planExtension, type ExtensionOption, type ExtensionRule } from './model/extension/plan.js';
export { rotaryFacts, type FactorName, type FactorNames, type RotaryFacts, type ZoneRange } from './model/facts.js';
export { FINDINGS, type Finding, type FindingCode, type Severity } from './model/findings.js';
export { parseFlags, type ParseFlagsOptions } from './model/parse-flags.js';
export { parseGguf } from './model/parse-gguf.js';
export type { Language, Text } from './model/language.js';
export { parseHfConfig } from './model/parse-hf-config.js';
export type {
  Assumption,
  ModelEncoding,
  ModelLayer,
  ParsedModel,
  Runtime,
  Setting,
  Statement,
} from './model/parsed-model.js';
export { render, renderNotes, RENDER_TARGETS, type RenderTarget } from './model/render/index.js';
export type { PositionalEncoding, PositionalEncodingOptions } from './positional-encoding.js';
export type { PositionOptions } from './positions.js';
export type { Dtype, RotaryPrecision } from './precision.js';
export type { Projections } from './projections.js';
export type { BiasSizes, HeadOptions } from './relative-bias.js';
export { encodingNames, registry, type EncodingEntry, type EncodingName } from './registry.js';
export type { Pairing, RopeParams, RopeType } from './rope-params.js';
export type { RopeTable, RotationOptions } from './rotation.js';
export type { Similarity, SimilarityOptions } from './similarity.js';
export { tableStatistics, type TableStatistics, type TableStatisticsOptions } from './table-statistics.js';
export { tokenPositions, type TokenPositionsOptions } from './token-positions.js';
export type {
  EncodingChoice,
  PlacedPair,
  ShiftedScore,
  VerifyEncodingOptions,
  VerifyRelative,
  VerifyRelativeOptions,
  VerifyRotaryOptions,
} from './verify-relative.js';
export {
  loadPool,
  type AsyncEncodings,
  type InArrays,
  type LoadPoolOptions,
  type PoolCallOptions,
  type WithoutBuffers,
} from './workers/load-pool.js';
