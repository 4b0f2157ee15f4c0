export * from './model/index.js';
export type { AttentionReturns, QueryKeyOptions } from './engine/attention/attention-options.js';
export type { Attention, AttentionOptions, ScoringOptions } from './engine/attention/attention.js';
export type { PosencBuffer } from './engine/runtime/buffer.js';
export type { ColumnOrder } from './engine/positions/column-order.js';
export type { Decompose, DecomposeOptions, FourTerms } from './engine/analysis/decompose.js';
export type {
  ConventionGuess,
  DetectConvention,
  DetectConventionOptions,
} from './engine/analysis/detect-convention.js';
export type { Layout, Scheme } from './engine/analysis/convention/turns.js';
export type {
  Alias,
  DistanceAnalysis,
  DistanceOptions,
  FindAliasesOptions,
  KernelEnvelope,
  KernelEnvelopeOptions,
} from './engine/analysis/distance-kernel.js';
export type { Encodings } from './engine/encodings.js';
export type * from './engine/encodings/definitions.js';
export type { Variant } from './engine/runtime/engine.js';
export type { Format } from './engine/attention/format.js';
export {
  gridCoordinates,
  type GridCoordinatesOptions,
  type PlaneCoordinates,
} from './engine/positions/grid-coordinates.js';
export type { Float16Values, HalfTensor } from './common/half.js';
export type { FloatTensor, Into, Tensor } from './engine/runtime/heap.js';
export type {
  KvAppendOptions,
  KvAttendOptions,
  KvCache,
  KvCacheOptions,
  KvCaching,
  KvReadOptions,
} from './engine/attention/kv-cache-options.js';
export { load, type LoadOptions } from './engine/load.js';
export type { PositionalEncoding, PositionalEncodingOptions } from './engine/positions/positional-encoding.js';
export type { PositionOptions } from './engine/positions/positions.js';
export type { Dtype, RotaryPrecision } from './engine/positions/precision.js';
export type { Projections } from './engine/analysis/projections.js';
export type { BiasSizes, HeadOptions } from './engine/attention/relative-bias.js';
export { encodingNames, registry, type EncodingEntry, type EncodingName } from './engine/registry.js';
export type { RopeTable, RotationOptions } from './engine/positions/rotation.js';
export type { Similarity, SimilarityOptions } from './engine/analysis/similarity.js';
export {
  tableStatistics,
  type TableStatistics,
  type TableStatisticsOptions,
} from './engine/analysis/table-statistics.js';
export { tokenPositions, type TokenPositionsOptions } from './engine/positions/token-positions.js';
export type {
  EncodingChoice,
  PlacedPair,
  ShiftedScore,
  VerifyEncodingOptions,
  VerifyRelative,
  VerifyRelativeOptions,
  VerifyRotaryOptions,
} from './engine/analysis/verify-relative.js';
export {
  loadPool,
  type AsyncEncodings,
  type InArrays,
  type LoadPoolOptions,
  type PoolCallOptions,
  type WithoutBuffers,
} from './engine/workers/load-pool.js';
