import { alibiBias, alibiSlopes, type Alibi } from './alibi.js';
import { attention, type Attention } from './attention.js';
import type { PosencBuffer } from './buffer.js';
import { debertaBuckets, debertaScores, type Deberta } from './deberta.js';
import { decompose, type Decompose } from './decompose.js';
import { decayBound, distanceKernel, findAliases, kernelEnvelope, type DistanceAnalysis } from './distance-kernel.js';
import type { Engine, Variant } from './engine.js';
import { fireBias, type Fire } from './fire.js';
import { newBuffer } from './heap.js';
import { indexEncoding, type IndexEncoding } from './index-encoding.js';
import { kerpleBias, type Kerple } from './kerple.js';
import { learned, type Learned } from './learned.js';
import { mrope, type Mrope } from './mrope.js';
import { oneHot, type OneHot } from './one-hot.js';
import { positionalEncoding, type PositionalEncoding } from './positional-encoding.js';
import { rope2d, type Rope2d } from './rope-2d.js';
import { rope, ropeTable, type Rope } from './rope.js';
import { shawAttention, type Shaw } from './shaw.js';
import { similarity, type Similarity } from './similarity.js';
import { sinusoidal, type Sinusoidal } from './sinusoidal.js';
import { t5Bias, t5Buckets, type T5 } from './t5.js';
import { transformerXlScores, type TransformerXl } from './transformer-xl.js';
import { verifyRelative, type VerifyRelative } from './verify-relative.js';
import { xpos, type Xpos } from './xpos.js';

/**
 * Everything that one instance of the WebAssembly module computes.
 *
 * Tensors are row-major Float32Arrays or buffers; results are new arrays, never views of WebAssembly memory, unless `out`
 * names an array or buffer to write into. Every call checks its arguments before it writes, and throws `PosencError`.
 */
export interface Encodings
  extends
    Sinusoidal,
    PositionalEncoding,
    OneHot,
    IndexEncoding,
    Learned,
    Rope,
    Xpos,
    Mrope,
    Rope2d,
    Alibi,
    T5,
    Kerple,
    Fire,
    Shaw,
    TransformerXl,
    Deberta,
    Attention,
    Similarity,
    DistanceAnalysis,
    Decompose,
    VerifyRelative {
  /** The instructions in use. */
  readonly variant: Variant;

  /**
   * Room for `length` floats inside WebAssembly memory, zeroed. Loops that keep their tensors in buffers neither copy nor
   * allocate.
   */
  buffer(length: number): PosencBuffer;
}

/** Binds the functions to an engine. */
export function createEncodings(engine: Engine): Encodings {
  return {
    variant: engine.variant,
    buffer: (length) => newBuffer(engine, length),
    sinusoidal: sinusoidal(engine),
    positionalEncoding: positionalEncoding(engine),
    oneHot: oneHot(engine),
    indexEncoding: indexEncoding(engine),
    learned: learned(engine),
    ropeTable: ropeTable(engine),
    rope: rope(engine),
    xpos: xpos(engine),
    mrope: mrope(engine),
    rope2d: rope2d(engine),
    alibiSlopes: alibiSlopes(engine),
    alibiBias: alibiBias(engine),
    t5Buckets: t5Buckets(engine),
    t5Bias: t5Bias(engine),
    kerpleBias: kerpleBias(engine),
    fireBias: fireBias(engine),
    shawAttention: shawAttention(engine),
    transformerXlScores: transformerXlScores(engine),
    debertaBuckets: debertaBuckets(engine),
    debertaScores: debertaScores(engine),
    attention: attention(engine),
    similarity: similarity(engine),
    distanceKernel: distanceKernel(engine),
    kernelEnvelope: kernelEnvelope(engine),
    findAliases: findAliases(engine),
    decayBound: decayBound(engine),
    decompose: decompose(engine),
    verifyRelative: verifyRelative(engine),
  };
}
