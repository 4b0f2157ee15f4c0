// What the glue of the WebAssembly module offers, written by hand so that nothing has to be compiled before the types are
// checked; a test holds it against what Emscripten says of its bindings.

/** The names of an enumeration of the core. */
type Enum<Name extends string> = { readonly [K in Name]: EnumValue };
interface EnumValue {
  readonly value: number;
}

export type IndexMode = EnumValue;
export type AngleLayout = EnumValue;
export type Pairing = EnumValue;
export type Direction = EnumValue;
export type Dtype = EnumValue;
export type MropeOrder = EnumValue;
export type Rope2dVariant = EnumValue;
export type AlibiRule = EnumValue;
export type AlibiForm = EnumValue;
export type T5Reach = EnumValue;
export type KerpleKind = EnumValue;
export type DebertaReach = EnumValue;
export type AttentionResult = EnumValue;
export type Status = EnumValue;
export type TensorFormat = EnumValue;

export interface AttentionCall {
  maskShape(batches: number, heads: number, queries: number, keys: number): void;
  rotation(rotaryDim: number, pairing: Pairing): void;
  cached(capacity: number): void;
  rule(
    scale: number,
    softcap: number,
    queryStart: number,
    keyStart: number,
    causal: boolean,
    windowLeft: number,
    windowRight: number,
  ): void;
  scratch(): number;
  biasTerm(slot: BiasSlot): void;
  relativeTerm(slot: RelativeSlot): void;
  bias(values: HeapFloats): void;
  additiveMask(values: HeapFloats): void;
  sinks(logits: HeapFloats): void;
  rotateQueries(cos: HeapFloats, sin: HeapFloats): void;
  rotateKeys(cos: HeapFloats, sin: HeapFloats): void;
  mask(allowed: HeapBytes): void;
  keyValid(valid: HeapBytes): void;
  keyLengths(lengths: HeapIndices): void;
  run(out: HeapFloats, result: AttentionResult, scratch: HeapFloats): Status;
  shape(
    batch: number,
    heads: number,
    kvHeads: number,
    queryLength: number,
    keyLength: number,
    headDim: number,
    valueDim: number,
    format: TensorFormat,
  ): void;
  delete(): void;
}

export interface BiasSlot {
  delete(): void;
}

export interface RelativeSlot {
  delete(): void;
}

export interface RotaryScoreCall {
  layout(headDim: number, rotaryDim: number, pairing: Pairing, attentionFactor: number): void;
  precision(position: Dtype, invFreq: Dtype, angle: Dtype, table: Dtype): void;
  rounding(): number;
  verify(
    score: HeapDoubles,
    residual: HeapDoubles,
    invFreq: HeapDoubles,
    distance: number,
    shifts: HeapDoubles,
  ): Status;
  delete(): void;
}

/** An array of numbers in the heap. */
interface HeapArray<View> {
  length(): number;
  /** Dies when the heap grows. */
  view(): View;
  delete(): void;
}
export type HeapFloats = HeapArray<Float32Array>;
export type HeapDoubles = HeapArray<Float64Array>;
export type HeapBytes = HeapArray<Uint8Array>;
export type HeapIndices = HeapArray<Uint32Array>;
export type HeapInts = HeapArray<Int32Array>;

export interface MainModule {
  readonly IndexMode: Enum<'Integer' | 'Unit' | 'Fraction'>;
  readonly AngleLayout: Enum<'SinCosInterleaved' | 'SinThenCos' | 'CosThenSin'>;
  readonly Pairing: Enum<'Half' | 'Interleaved'>;
  readonly Direction: Enum<'Forward' | 'Inverse'>;
  readonly Dtype: Enum<'F64' | 'F32' | 'F16' | 'Bf16'>;
  readonly MropeOrder: Enum<'Chunked' | 'Interleaved'>;
  readonly Rope2dVariant: Enum<'Chatglm' | 'Vision' | 'Axial'>;
  readonly AlibiRule: Enum<'PublishedCode' | 'Geometric'>;
  readonly AlibiForm: Enum<'Causal' | 'Symmetric'>;
  readonly T5Reach: Enum<'BothSides' | 'Past'>;
  readonly KerpleKind: Enum<'Log' | 'Power'>;
  readonly DebertaReach: Enum<'Limited' | 'Open'>;
  readonly AttentionResult: Enum<'Output' | 'Weights' | 'Scores' | 'Capped' | 'Scaled'>;
  readonly Status: Enum<'Ok' | 'WrongLength' | 'BadShape' | 'OddDimension' | 'OutOfRange' | 'NotFinite'>;
  readonly TensorFormat: Enum<'Bshd' | 'Bhsd'>;
  readonly AttentionCall: new (query: HeapFloats, key: HeapFloats, value: HeapFloats) => AttentionCall;
  readonly BiasSlot: new () => BiasSlot;
  readonly RelativeSlot: new () => RelativeSlot;
  readonly RotaryScoreCall: new (query: HeapFloats, key: HeapFloats) => RotaryScoreCall;
  readonly HeapFloats: new (length: number) => HeapFloats;
  readonly HeapDoubles: new (length: number) => HeapDoubles;
  readonly HeapBytes: new (length: number) => HeapBytes;
  readonly HeapIndices: new (length: number) => HeapIndices;
  readonly HeapInts: new (length: number) => HeapInts;
  decomposeScratch(length: number, dim: number, projected: number): number;
  kernelScratch(pairs: number): number;
  shawTerm(slot: RelativeSlot, keyTable: HeapFloats, valueTable: HeapFloats, clip: number): void;
  debertaTerm(
    slot: RelativeSlot,
    relativeKey: HeapFloats,
    relativeQuery: HeapFloats,
    span: number,
    bucketSize: number,
    maxPosition: number,
    reach: DebertaReach,
  ): void;
  distanceBias(slot: BiasSlot, values: HeapFloats, first: number): void;
  alibiTerm(slot: BiasSlot, slopes: HeapDoubles, positions: HeapDoubles): void;
  transformerXlTerm(
    slot: RelativeSlot,
    u: HeapFloats,
    v: HeapFloats,
    relativeKeys: HeapFloats,
    firstDistance: number,
    segmentBias: HeapFloats,
    segmentTable: HeapFloats,
    querySegments: HeapIndices,
    keySegments: HeapIndices,
  ): void;
  indexEncoding(out: HeapFloats, mode: IndexMode): Status;
  oneHot(out: HeapFloats, positions: HeapDoubles, maxLength: number): Status;
  learned(
    out: HeapFloats,
    table: HeapFloats,
    positions: HeapDoubles,
    rows: number,
    dim: number,
    offset: number,
  ): Status;
  sinusoidal(
    out: HeapFloats,
    invFreq: HeapDoubles,
    length: number,
    start: number,
    positions: HeapDoubles,
    dim: number,
    order: AngleLayout,
  ): Status;
  sinusoidal2d(
    out: HeapFloats,
    invFreq: HeapDoubles,
    first: HeapDoubles,
    second: HeapDoubles,
    layout: AngleLayout,
  ): Status;
  ropeTable(
    cos: HeapFloats,
    sin: HeapFloats,
    invFreq: HeapDoubles,
    length: number,
    start: number,
    positions: HeapDoubles,
    attentionFactor: number,
  ): Status;
  roundedRopeTable(
    cos: HeapFloats,
    sin: HeapFloats,
    invFreq: HeapDoubles,
    length: number,
    start: number,
    positions: HeapDoubles,
    attentionFactor: number,
    position: Dtype,
    invFreqDtype: Dtype,
    angle: Dtype,
    table: Dtype,
  ): Status;
  xposTable(
    cos: HeapFloats,
    sin: HeapFloats,
    invFreq: HeapDoubles,
    logScale: HeapDoubles,
    length: number,
    start: number,
    positions: HeapDoubles,
    center: number,
    attentionFactor: number,
  ): Status;
  mropeTable(
    cos: HeapFloats,
    sin: HeapFloats,
    invFreq: HeapDoubles,
    positions: HeapDoubles,
    time: number,
    height: number,
    width: number,
    order: MropeOrder,
    attentionFactor: number,
  ): Status;
  rope2dTable(
    cos: HeapFloats,
    sin: HeapFloats,
    invFreq: HeapDoubles,
    rows: HeapDoubles,
    columns: HeapDoubles,
    attentionFactor: number,
  ): Status;
  alibiSlopes(out: HeapDoubles, rule: AlibiRule, biasMax: number): Status;
  alibiBias(
    out: HeapFloats,
    slopes: HeapDoubles,
    positions: HeapDoubles,
    heads: number,
    queryLength: number,
    keyLength: number,
    queryStart: number,
    keyStart: number,
    form: AlibiForm,
  ): Status;
  t5Buckets(out: HeapInts, relative: HeapDoubles, reach: T5Reach, buckets: number, maxDistance: number): Status;
  t5Bias(
    out: HeapFloats,
    table: HeapFloats,
    heads: number,
    queryLength: number,
    keyLength: number,
    queryStart: number,
    keyStart: number,
    reach: T5Reach,
    buckets: number,
    maxDistance: number,
  ): Status;
  kerpleBias(
    out: HeapFloats,
    a: HeapFloats,
    p: HeapFloats,
    heads: number,
    queryLength: number,
    keyLength: number,
    queryStart: number,
    keyStart: number,
    kind: KerpleKind,
  ): Status;
  fireBias(
    out: HeapFloats,
    w1: HeapFloats,
    b1: HeapFloats,
    w2: HeapFloats,
    b2: HeapFloats,
    c: number,
    threshold: number,
    epsilon: number,
    heads: number,
    queryLength: number,
    keyLength: number,
    queryStart: number,
    keyStart: number,
  ): Status;
  fireTerm(
    slot: BiasSlot,
    w1: HeapFloats,
    b1: HeapFloats,
    w2: HeapFloats,
    b2: HeapFloats,
    c: number,
    threshold: number,
    epsilon: number,
    numerators: HeapFloats,
    first: number,
  ): Status;
  transformerXlKeys(
    out: HeapFloats,
    projection: HeapFloats,
    invFreq: HeapDoubles,
    heads: number,
    queryLength: number,
    keyLength: number,
    headDim: number,
    dim: number,
    firstDistance: number,
    clampLength: number,
    scratch: HeapDoubles,
  ): Status;
  debertaBuckets(
    out: HeapInts,
    delta: HeapDoubles,
    bucketSize: number,
    maxPosition: number,
    reach: DebertaReach,
  ): Status;
  positionalEncoding(
    out: HeapFloats,
    x: HeapFloats,
    table: HeapFloats,
    batch: number,
    length: number,
    dim: number,
    dropout: number,
    seed: number,
  ): Status;
  decompose(
    contentContent: HeapFloats,
    positionContent: HeapFloats,
    contentPosition: HeapFloats,
    positionPosition: HeapFloats,
    x: HeapFloats,
    p: HeapFloats,
    wq: HeapFloats,
    wk: HeapFloats,
    scratch: HeapDoubles,
    length: number,
    dim: number,
    projected: number,
  ): Status;
  distanceKernel(out: HeapDoubles, invFreq: HeapDoubles, distances: HeapDoubles): Status;
  kernelEnvelope(
    minimum: HeapDoubles,
    maximum: HeapDoubles,
    argmax: HeapDoubles,
    invFreq: HeapDoubles,
    edges: HeapDoubles,
    scratch: HeapDoubles,
  ): Status;
  findAliases(
    distance: HeapDoubles,
    similarity: HeapDoubles,
    found: HeapIndices,
    invFreq: HeapDoubles,
    from: number,
    to: number,
    above: number,
    scratch: HeapDoubles,
  ): Status;
  decayBound(out: HeapDoubles, invFreq: HeapDoubles, distances: HeapDoubles): Status;
  similarity(out: HeapFloats, table: HeapFloats, rows: number, dim: number): Status;
  ropeRotate(
    out: HeapFloats,
    x: HeapFloats,
    cos: HeapFloats,
    sin: HeapFloats,
    firstRow: number,
    rows: HeapIndices,
    batch: number,
    length: number,
    heads: number,
    headDim: number,
    rotaryDim: number,
    format: TensorFormat,
    pairing: Pairing,
    direction: Direction,
  ): Status;
  rope2dRotate(
    out: HeapFloats,
    x: HeapFloats,
    cos: HeapFloats,
    sin: HeapFloats,
    tableRows: HeapIndices,
    batch: number,
    length: number,
    heads: number,
    headDim: number,
    rotaryDim: number,
    format: TensorFormat,
    variant: Rope2dVariant,
    direction: Direction,
  ): Status;
  isRelaxed(): boolean;
  liveHeapArrays(): number;
}

/** Starts the module: `wasm` instantiates it with the imports and hands the instance over. */
declare const start: (options: {
  wasm: (imports: WebAssembly.Imports, receive: (result: object) => void) => void;
}) => Promise<MainModule>;
export default start;
