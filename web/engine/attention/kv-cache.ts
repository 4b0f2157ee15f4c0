/// <reference lib="esnext.disposable" preserve="true" />
import {
  attend,
  requireScoring,
  requireTerms,
  requireWindow,
  SCORING_OPTIONS,
  type ScoringOptions,
} from './attention.js';
import { attentionAxes } from './attention-sizes.js';
import type { ScoreTerms } from './score-term.js';
import {
  MAX_POSITION,
  requireBoolean,
  requireCount,
  requireInteger,
  requireOptions,
  type Sizes,
  withDefault,
  type Names,
} from '../../common/check.js';
import type { Engine } from '../runtime/engine.js';
import { badArgument, badState, disposed, refusal } from '../../common/errors.js';
import { requireFormat, tensorFormats, type Format } from './format.js';
import { ropeLayout, rotaryOf, type RopeLayout, type Rotary } from '../../rotary/frequencies.js';
import { requireApart, withHeap, type FloatTensor, type Heap, type Into, type Tensor } from '../runtime/heap.js';
import { requireQueryStart, type PositionOptions } from '../positions/positions.js';
import type { RopeParams } from '../../rotary/rope-params.js';
import {
  computedTable,
  corePairing,
  requireHeadDim,
  requireTable,
  requireTableRows,
  turn,
  type Rotation,
  type GivenTable,
  type RopeTable,
} from '../positions/rotation.js';
import type { HeapFloats } from '../runtime/glue.js';

export interface KvCacheOptions {
  /** 1 by default. */
  batch?: number;
  /** Heads of keys and values. */
  kvHeads: number;
  headDim: number;
  /** `headDim` by default. */
  valueDim?: number;
  /** How many tokens of each sequence there is room for. */
  capacity: number;
  /** Position of the first token, where a sequence is taken up in its middle; 0 by default. */
  start?: number;
  /** Turns keys when they are appended and queries when they attend, each by its absolute position. */
  rope?: RopeParams;
  /**
   * Takes the cosines and sines from here, as `rope` does: `[rows, pairs]` each, row = position. They are copied. The
   * frequencies and the attention factor of `rope` are then not used.
   */
  table?: GivenTable;
  /**
   * Length of the sequence in tokens, for `dynamic` and `longrope`; within the original context by default. The frequencies
   * hold for the life of the cache: keys that are stored stay as they were turned. Give the length that will be reached.
   */
  seqLen?: number;
  /** As in `attention`, for every `attend`. Tokens that no later query can see make room for new ones. */
  window?: NonNullable<ScoringOptions['window']>;
}

export interface KvAppendOptions {
  /** `[batch, length, kvHeads, headDim]`, or as `format` says. */
  key: Tensor;
  /** `[batch, length, kvHeads, valueDim]`, or as `format` says. */
  value: Tensor;
  /** How many tokens of each sequence. */
  length: number;
  /** `bshd` by default. */
  format?: Format;
  /**
   * Positions for the rotation alone, `[length]` or `[batch, length]`. By default those that come next. Not with `turned`.
   */
  positions?: ArrayLike<number>;
  /** Whether the keys are turned already, as `keys()` gives them: they are then stored as they are. False by default. */
  turned?: boolean;
}

/**
 * What `attention` takes, but for the keys, and without `relative` where the cache has `rope`. The keys that are held are
 * keys 0 … cache.length − cache.start − 1.
 */
export interface KvAttendOptions extends ScoringOptions {
  /** `[batch, length, heads, headDim]`, or as `format` says. */
  query: Tensor;
  /** Heads of the queries, a multiple of `kvHeads`. */
  heads: number;
  /** How many queries of each sequence. */
  length: number;
  /** Axes of query and output; `bshd` by default. */
  format?: Format;
  /** Position of the first query. By default the last query is the last token. */
  queryStart?: number;
  /** Positions for the rotation alone, `[length]` or `[batch, length]`. By default they count from `queryStart`. */
  positions?: ArrayLike<number>;
}

export interface KvReadOptions {
  /** `bshd` by default. */
  format?: Format;
}

/**
 * Keys and values of the tokens so far, inside WebAssembly memory: `[batch, capacity, kvHeads, headDim]` and
 * `[…, valueDim]`. Keys are turned when they come in, by their absolute positions, and never again. A step copies the new
 * tokens only.
 *
 * Append first, then attend. Every bad argument throws before anything is written.
 */
export interface KvCache {
  /** How many tokens of each sequence there is room for. */
  readonly capacity: number;
  /** The position of the next token: how many were appended, where the first one has position 0. */
  readonly length: number;
  /** Position of the first token that is still held; without a window, that of the first one. */
  readonly start: number;

  /**
   * Adds tokens at the next positions. With a window, tokens that no later query can see are dropped when the room ends: all
   * at once, so that with capacity ≥ 2 × window a token is moved less than once on average.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`, `disposed`; `cache-full` without room. The cache is then
   * unchanged.
   */
  append(options: KvAppendOptions): void;

  /**
   * Attention of queries to the tokens that are held. Causality, the window and ALiBi go by absolute positions, also after
   * tokens were dropped.
   *
   * Returns what `returns` says, as `attention` does, for the keys that are held.
   *
   * Errors: `bad-argument`, also where a query could see a token that was dropped; `wrong-length`, `out-of-memory`,
   * `disposed`.
   * Accuracy: as `attention`.
   */
  attend<Out extends FloatTensor = Float32Array>(options: KvAttendOptions & Into<Out>): NoInfer<Out>;

  /** The keys that are held, as they are stored: turned. `[batch, length − start, kvHeads, headDim]`, or as `format` says. */
  keys<Out extends FloatTensor = Float32Array>(options?: KvReadOptions & Into<Out>): NoInfer<Out>;

  /** The values that are held: `[batch, length − start, kvHeads, valueDim]`, or as `format` says. */
  values<Out extends FloatTensor = Float32Array>(options?: KvReadOptions & Into<Out>): NoInfer<Out>;

  /**
   * Forgets the tokens from position `length` on, as after a draft that was not accepted. With a window, a query needs the
   * tokens before it: those that were dropped do not come back.
   *
   * Errors: `bad-argument` where `length` is not from `start` to `length` of the cache; `disposed`.
   */
  truncate(length: number): void;

  /** Forgets all tokens and keeps the memory; the next one has the first position again. */
  reset(): void;

  /** Frees the memory. A second time does nothing; any other use afterwards throws `disposed`. */
  dispose(): void;

  /** The same as `dispose`, where the engine knows `using`. */
  [Symbol.dispose]: () => void;
}

export interface KvCaching {
  /**
   * A cache of keys and values for decoding.
   *
   * Errors: `bad-argument`, `wrong-length`, `out-of-memory`.
   */
  kvCache(options: KvCacheOptions): KvCache;
}

const OPTIONS: Names<KvCacheOptions> = {
  batch: true,
  kvHeads: true,
  headDim: true,
  valueDim: true,
  capacity: true,
  start: true,
  rope: true,
  table: true,
  seqLen: true,
  window: true,
};

const APPEND_OPTIONS: Names<KvAppendOptions> = {
  key: true,
  value: true,
  length: true,
  format: true,
  positions: true,
  turned: true,
};

const ATTEND_OPTIONS: Names<KvAttendOptions & Into<unknown>> = {
  ...SCORING_OPTIONS,
  query: true,
  heads: true,
  length: true,
  format: true,
  positions: true,
  out: true,
};

const READ_OPTIONS: Names<KvReadOptions & Into<unknown>> = { format: true, out: true };

export function kvCache(engine: Engine, terms: ScoreTerms): KvCaching['kvCache'] {
  return (given) => {
    const options = requireOptions(given, OPTIONS);
    return new HeapKvCache(engine, terms, options);
  };
}

/** Sizes of what a cache has room for. */
interface Room {
  batch: number;
  capacity: number;
  kvHeads: number;
  headDim: number;
  valueDim: number;
}

/** How tokens turn: by frequencies, or by a table of the cache. */
type CacheRotary = { layout: RopeLayout } & ({ rotary: Rotary } | { table: RopeTable<HeapFloats>; rows: number });

/** Some tokens of a call, with their positions for the rotation. */
interface Tokens {
  length: number;
  heads: number;
  format: Format;
  /** Undefined where they are turned already. */
  positions: PositionOptions | undefined;
}

class HeapKvCache implements KvCache {
  declare [Symbol.dispose]: () => void;
  readonly #engine: Engine;
  readonly #terms: ScoreTerms;
  readonly #room: Room;
  readonly #rotary: CacheRotary | undefined;
  readonly #window: { left: number; right: number } | undefined;
  /** How many tokens before its own a query may see. */
  readonly #reach: number;
  readonly #keys: HeapFloats;
  readonly #values: HeapFloats;
  readonly #firstPosition: number;
  #owned: HeapFloats[] = [];
  #length: number;
  #start: number;
  #isDisposed = false;

  constructor(engine: Engine, terms: ScoreTerms, options: KvCacheOptions) {
    const kvHeads = requireCount(options.kvHeads, 'kvHeads');
    const headDim = requireCount(options.headDim, 'headDim');
    this.#engine = engine;
    this.#terms = terms;
    this.#room = {
      batch: requireCount(withDefault(options.batch, 1), 'batch'),
      capacity: requireCount(options.capacity, 'capacity'),
      kvHeads,
      headDim,
      valueDim: requireCount(withDefault(options.valueDim, headDim), 'valueDim'),
    };
    this.#firstPosition = requireInteger(withDefault(options.start, 0), 'start', 0, MAX_POSITION);
    this.#length = this.#firstPosition;
    this.#start = this.#firstPosition;
    const { windowLeft, windowRight } = requireWindow(options.window);
    this.#window = options.window === undefined ? undefined : { left: windowLeft, right: windowRight };
    this.#reach = windowLeft;
    if (Symbol.dispose !== undefined) this[Symbol.dispose] = this.dispose;
    try {
      this.#rotary = this.#requireRotary(options);
      this.#keys = this.#own(rowsOf(this.#room, { headDim }));
      this.#values = this.#own(rowsOf(this.#room, { valueDim: this.#room.valueDim }));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  get capacity(): number {
    this.#requireLive();
    return this.#room.capacity;
  }

  get length(): number {
    this.#requireLive();
    return this.#length;
  }

  get start(): number {
    this.#requireLive();
    return this.#start;
  }

  append(given: KvAppendOptions): void {
    const options = requireOptions(given, APPEND_OPTIONS);
    this.#requireLive();
    const length = requireCount(options.length, 'length');
    const format = requireFormat(options.format);
    const { kvHeads, valueDim } = this.#room;
    const isTurned = requireBoolean(withDefault(options.turned, false), 'turned');
    if (isTurned && options.positions !== undefined) {
      throw badArgument('positions', { kind: 'left-out', where: 'keys-turned' }, options.positions);
    }
    const positions = isTurned ? undefined : this.#requirePositions(options.positions, this.#length, 'length', length);
    withHeap(this.#engine, (heap) => {
      const tokens = { length, heads: kvHeads, format, positions };
      const key = this.#turned(heap, options.key, 'key', tokens);
      const value = heap.floats(options.value, 'value', axesOf(this.#room, tokens, { valueDim }));
      // Only now, since what was read may have been an object whose getters used the cache.
      this.#requireLive();
      const kept = this.#requireRoom(length);
      // From here on nothing can fail.
      this.#drop(this.#held - kept);
      this.#copy(this.#keys.view(), key.view(), tokens, kept, 'in');
      this.#copy(this.#values.view(), value.view(), tokens, kept, 'in');
      this.#length += length;
    });
  }

  attend<Out extends FloatTensor>(given: KvAttendOptions & Into<Out>): Out {
    const options = requireOptions(given, ATTEND_OPTIONS);
    this.#requireLive();
    if (this.#window !== undefined && options.window !== undefined) {
      throw badArgument('window', { kind: 'left-out', where: 'cache-window' }, options.window);
    }
    if (this.#rotary !== undefined && options.relative !== undefined) {
      // It would meet keys that are turned, where attention gives it those of the caller.
      throw badArgument('relative', { kind: 'left-out', where: 'cache-rope' }, options.relative);
    }
    const { capacity, kvHeads } = this.#room;
    const heads = requireCount(options.heads, 'heads');
    if (heads % kvHeads !== 0) throw badArgument('heads', { kind: 'multiple', of: 'kvHeads', value: kvHeads }, heads);
    const length = requireCount(options.length, 'length');
    const format = requireFormat(options.format);
    const keyStart = this.#start;
    const keyLength = this.#held;
    if (keyLength === 0) throw badState('cache', { kind: 'filled' }, { kind: 'empty-cache' });
    const queryStart = requireQueryStart(options.queryStart, length, keyLength, keyStart);
    if (keyStart > this.#firstPosition && queryStart - this.#reach < keyStart) {
      const rule = { kind: 'kept-tokens', least: keyStart + this.#reach, first: keyStart } as const;
      throw badArgument('queryStart', rule, queryStart);
    }
    const positions = this.#requirePositions(options.positions, queryStart, 'queryStart', length);
    const { query, out } = options;
    requireApart(out, { query });
    const sizes = { ...this.#room, heads, queryLength: length, keyLength };
    const axes = attentionAxes(format, sizes);
    const terms = requireTerms(options, this.#terms);
    const scoring = requireScoring(
      this.#window === undefined ? options : { ...options, window: this.#window },
      sizes,
      axes,
      terms,
    );
    const places = { keyStart, queryStart, keyLengths: undefined, firstQueries: [queryStart - keyStart] };
    return attend(this.#engine, options, { sizes, format, axes, places, scoring }, terms, (heap) => {
      const turned = this.#turned(heap, query, 'query', { length, heads, format, positions });
      const call = heap.own(new this.#engine.wasm.AttentionCall(turned, this.#keys, this.#values));
      call.cached(capacity);
      return call;
    });
  }

  keys<Out extends FloatTensor>(options: KvReadOptions & Into<Out> = {}): Out {
    this.#requireLive();
    return this.#read(this.#keys, { headDim: this.#room.headDim }, options);
  }

  values<Out extends FloatTensor>(options: KvReadOptions & Into<Out> = {}): Out {
    this.#requireLive();
    return this.#read(this.#values, { valueDim: this.#room.valueDim }, options);
  }

  truncate(length: number): void {
    this.#requireLive();
    this.#length = requireInteger(length, 'length', this.#start, this.#length);
  }

  reset(): void {
    this.#requireLive();
    this.#length = this.#firstPosition;
    this.#start = this.#firstPosition;
  }

  dispose(): void {
    for (const floats of this.#owned) floats.delete();
    this.#owned = [];
    this.#isDisposed = true;
  }

  /** How many tokens are held. */
  get #held(): number {
    return this.#length - this.#start;
  }

  #requireLive(): void {
    if (this.#isDisposed) throw disposed('cache', 'cache');
  }

  #own(sizes: Sizes): HeapFloats {
    const floats = this.#engine.pools.floats.allocate(sizes);
    this.#owned.push(floats);
    return floats;
  }

  #requireRotary({ rope, table, seqLen }: KvCacheOptions): CacheRotary | undefined {
    if (rope === undefined) {
      if (table !== undefined) throw badArgument('table', { kind: 'left-out', where: 'no-rope' }, table);
      if (seqLen !== undefined) throw badArgument('seqLen', { kind: 'left-out', where: 'no-rope' }, seqLen);
      return undefined;
    }
    if (table === undefined) {
      const rotary = rotaryOf(rope, seqLen, 'rope');
      requireHeadDim(rotary, this.#room.headDim, 'rope');
      return { layout: rotary, rotary };
    }
    const layout = ropeLayout(rope, 'rope');
    requireHeadDim(layout, this.#room.headDim, 'rope');
    const { cos, sin, rows } = requireTable(table);
    const sizes = { rows, pairs: layout.rotaryDim / 2 };
    return withHeap(this.#engine, (heap) => {
      const hold = (tensor: Tensor, argument: string): HeapFloats => {
        const given = heap.floats(tensor, argument, sizes);
        const held = this.#own(sizes);
        held.view().set(given.view());
        return held;
      };
      return { layout, table: { cos: hold(cos, 'table.cos'), sin: hold(sin, 'table.sin') }, rows };
    });
  }

  /** How many of the tokens that are held stay when more come in. */
  #requireRoom(length: number): number {
    const { capacity } = this.#room;
    const kept = this.#held + length <= capacity ? this.#held : Math.min(this.#held, this.#reach);
    if (kept + length > capacity) {
      const rule = { kind: 'capacity', most: capacity - kept, capacity } as const;
      throw refusal('cache-full', { argument: 'length', rule, got: length });
    }
    const most = MAX_POSITION + 1 - this.#length;
    if (length > most) throw badArgument('length', { kind: 'positions-end', most }, length);
    return kept;
  }

  /** Positions of tokens for the rotation: as given, or counted from `start`. `argument` is what decides `start`. */
  #requirePositions(
    positions: ArrayLike<number> | undefined,
    start: number,
    argument: 'length' | 'queryStart',
    length: number,
  ): PositionOptions {
    if (positions !== undefined) {
      if (this.#rotary === undefined)
        throw badArgument('positions', { kind: 'left-out', where: 'cache-no-rope' }, positions);
      return { positions };
    }
    if (this.#rotary !== undefined && 'rows' in this.#rotary) {
      const { rows } = this.#rotary;
      if (argument === 'length' && start + length > rows) {
        throw badArgument('length', { kind: 'rows-left', most: Math.max(0, rows - start), rows }, length);
      }
      if (argument === 'queryStart' && (start < 0 || start + length > rows)) {
        throw badArgument('queryStart', { kind: 'rows-from', most: rows - length }, start);
      }
    }
    return { start };
  }

  /** Queries or keys, turned by their positions in a copy. */
  #turned(heap: Heap, tensor: Tensor, argument: string, tokens: Tokens): HeapFloats {
    const { batch, headDim } = this.#room;
    const axes = axesOf(this.#room, tokens, { headDim });
    const { length, heads, format, positions } = tokens;
    if (this.#rotary === undefined || positions === undefined) return heap.floats(tensor, argument, axes);
    const { layout } = this.#rotary;
    const rotation: Rotation = {
      batch,
      length,
      heads,
      headDim,
      rotaryDim: layout.rotaryDim,
      format: tensorFormats(this.#engine)[format],
      pairing: corePairing(this.#engine, layout),
      direction: this.#engine.wasm.Direction.Forward,
      sizes: axes,
    };
    const table =
      'rows' in this.#rotary
        ? { ...this.#rotary.table, ...requireTableRows(this.#engine, heap, positions, this.#rotary.rows, rotation) }
        : computedTable(this.#engine, heap, positions, this.#rotary.rotary, rotation);
    const turned = heap.transformed(tensor, argument, undefined, axes);
    turn(this.#engine, turned, table, rotation);
    return turned.handle;
  }

  /** Forgets the first tokens and moves the others to the front. */
  #drop(count: number): void {
    if (count === 0) return;
    const { batch, capacity, kvHeads, headDim, valueDim } = this.#room;
    const move = (view: Float32Array, row: number): void => {
      for (let b = 0; b < batch; ++b) {
        const first = b * capacity;
        view.copyWithin(first * row, (first + count) * row, (first + this.#held) * row);
      }
    };
    move(this.#keys.view(), kvHeads * headDim);
    move(this.#values.view(), kvHeads * valueDim);
    this.#start += count;
  }

  #read<Out extends FloatTensor>(from: HeapFloats, width: Sizes, given: KvReadOptions & Into<Out>): Out {
    const options = requireOptions(given, READ_OPTIONS);
    const tokens = { length: this.#held, heads: this.#room.kvHeads, format: requireFormat(options.format) };
    return withHeap(this.#engine, (heap) => {
      const target = heap.floatTarget(options.out, axesOf(this.#room, tokens, width));
      this.#copy(from.view(), target.handle.view(), tokens, 0, 'out');
      return target.take();
    });
  }

  /** Copies tokens into the memory of the cache, from token `first` on, or out of it. */
  #copy(
    cache: Float32Array,
    tensor: Float32Array,
    { length, format }: Pick<Tokens, 'length' | 'format'>,
    first: number,
    direction: 'in' | 'out',
  ): void {
    const { batch, capacity, kvHeads } = this.#room;
    const row = cache.length / (batch * capacity);
    const copy = (inCache: number, inTensor: number, count: number): void => {
      if (direction === 'in') cache.set(tensor.subarray(inTensor, inTensor + count), inCache);
      else tensor.set(cache.subarray(inCache, inCache + count), inTensor);
    };
    for (let b = 0; b < batch; ++b) {
      const inCache = (b * capacity + first) * row;
      const inTensor = b * length * row;
      if (format === 'bshd' || length === 1) {
        copy(inCache, inTensor, length * row);
        continue;
      }
      const width = row / kvHeads;
      for (let head = 0; head < kvHeads; ++head) {
        for (let token = 0; token < length; ++token) {
          copy(inCache + token * row + head * width, inTensor + (head * length + token) * width, width);
        }
      }
    }
  }
}

/** The axes of one of the two tensors of a cache. */
function rowsOf({ batch, capacity, kvHeads }: Room, width: Sizes): Sizes {
  return { batch, capacity, kvHeads, ...width };
}

/** The axes of a tensor of tokens. */
function axesOf({ batch }: Room, { length, heads, format }: Omit<Tokens, 'positions'>, width: Sizes): Sizes {
  return format === 'bshd' ? { batch, length, heads, ...width } : { batch, heads, length, ...width };
}
