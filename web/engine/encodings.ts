import { attention, relativeAttention, type Attention } from './attention/attention.js';
import type { PosencBuffer } from './runtime/buffer.js';
import { decompose, type Decompose } from './analysis/decompose.js';
import { detectConvention, type DetectConvention } from './analysis/detect-convention.js';
import {
  decayBound,
  distanceKernel,
  findAliases,
  kernelEnvelope,
  type DistanceAnalysis,
} from './analysis/distance-kernel.js';
import { definitions, type EncodingFunctions } from './encodings/definitions.js';
import type { EncodingDefinition } from './encodings/definition.js';
import type { Engine, Variant } from './runtime/engine.js';
import { newBuffer } from './runtime/heap.js';
import { kvCache } from './attention/kv-cache.js';
import type { KvCaching } from './attention/kv-cache-options.js';
import { positionalEncoding, type PositionalEncoding } from './positions/positional-encoding.js';
import type { RelativeAttention, ScoreTerms } from './attention/score-term.js';
import { similarity, type Similarity } from './analysis/similarity.js';
import { verifyRelative, type VerifyRelative } from './analysis/verify-relative.js';

/**
 * Everything that one instance of the WebAssembly module computes.
 *
 * Tensors are row-major Float32Arrays, halves or buffers; results are new Float32Arrays, never views of WebAssembly memory,
 * unless `out` names an array or buffer to write into. Every call checks its arguments before it writes, and throws `PosencError`.
 */
export interface Encodings
  extends
    EncodingFunctions,
    PositionalEncoding,
    Attention,
    KvCaching,
    Similarity,
    DistanceAnalysis,
    Decompose,
    DetectConvention,
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
  const attend = relativeAttention(engine);
  const terms = scoreTerms();
  return {
    variant: engine.variant,
    buffer: (length) => newBuffer(engine, length),
    ...bindEncodings(engine, attend),
    positionalEncoding: positionalEncoding(engine),
    attention: attention(engine, terms),
    kvCache: kvCache(engine, terms),
    similarity: similarity(engine),
    distanceKernel: distanceKernel(engine),
    kernelEnvelope: kernelEnvelope(engine),
    findAliases: findAliases(engine),
    decayBound: decayBound(engine),
    decompose: decompose(engine),
    detectConvention: detectConvention(engine),
    verifyRelative: verifyRelative(engine, { encodings: definitions, attend }),
  };
}

type Bind = (engine: Engine, attend: RelativeAttention) => unknown;

function bindEncodings(engine: Engine, attend: RelativeAttention): EncodingFunctions {
  const bound: Record<string, unknown> = {};
  for (const { functions } of Object.values(definitions)) {
    for (const [name, bind] of Object.entries<Bind>(functions)) bound[name] = bind(engine, attend);
  }
  return bound as unknown as EncodingFunctions;
}

/** What the encodings add to the scores of attention. */
export function scoreTerms(): ScoreTerms {
  const encodings: readonly EncodingDefinition<unknown, object, object, object>[] = Object.values(definitions);
  return {
    biases: byName(encodings.flatMap(({ bias }) => bias ?? [])),
    relatives: byName(encodings.flatMap(({ relative }) => relative ?? [])),
  };
}

function byName<Term extends { readonly name: string }>(terms: readonly Term[]): Readonly<Record<string, Term>> {
  return Object.fromEntries(terms.map((term) => [term.name, term]));
}
