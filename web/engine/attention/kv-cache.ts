/// <reference lib="esnext.disposable" preserve="true" />
import { attend, requireScoring, requireTerms, requireWindow } from './attention.js';
import { attentionAxes } from './attention-sizes.js';
import { CacheRotation } from './cache-rotation.js';
import { cacheAxes, CacheTensor, tokenAxes, type Room, type Tokens } from './cache-tensor.js';
import { requireFormat } from './format.js';
import {
  APPEND_OPTIONS,
  ATTEND_OPTIONS,
  CACHE_OPTIONS,
  READ_OPTIONS,
  type KvAppendOptions,
  type KvAttendOptions,
  type KvCache,
  type KvCacheOptions,
  type KvCaching,
  type KvReadOptions,
} from './kv-cache-options.js';
import type { ScoreTerms } from './score-term.js';
import {
  MAX_POSITION,
  requireBoolean,
  requireCount,
  requireInteger,
  requireOptions,
  type Sizes,
  withDefault,
} from '../../common/check.js';
import { badArgument, badState, disposed, refusal } from '../../common/errors.js';
import { requireQueryStart, type PositionOptions } from '../positions/positions.js';
import { readPositions } from '../positions/rotation.js';
import type { Engine } from '../runtime/engine.js';
import type { HeapFloats } from '../runtime/glue.js';
import { requireApart, withHeap, type FloatTensor, type Heap, type Into, type Tensor } from '../runtime/heap.js';

export function kvCache(engine: Engine, terms: ScoreTerms): KvCaching['kvCache'] {
  return (given) => new HeapKvCache(engine, terms, requireOptions(given, CACHE_OPTIONS));
}

class HeapKvCache implements KvCache {
  declare [Symbol.dispose]: () => void;
  readonly #engine: Engine;
  readonly #terms: ScoreTerms;
  readonly #room: Room;
  readonly #rotation: CacheRotation | undefined;
  readonly #window: { left: number; right: number } | undefined;
  /** How many tokens before its own a query may see. */
  readonly #reach: number;
  readonly #keys: CacheTensor;
  readonly #values: CacheTensor;
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
    const own = (sizes: Sizes): HeapFloats => {
      const floats = engine.pools.floats.allocate(sizes);
      this.#owned.push(floats);
      return floats;
    };
    try {
      this.#rotation = CacheRotation.of(engine, this.#room, options, own);
      this.#keys = new CacheTensor(own(cacheAxes(this.#room, { headDim })), this.#room);
      this.#values = new CacheTensor(own(cacheAxes(this.#room, { valueDim: this.#room.valueDim })), this.#room);
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
    const length = requireCount(options.length, 'length');
    const format = requireFormat(options.format);
    const { kvHeads, valueDim } = this.#room;
    const isTurned = requireBoolean(withDefault(options.turned, false), 'turned');
    if (isTurned && options.positions !== undefined) {
      throw badArgument('positions', { kind: 'left-out', where: 'keys-turned' }, options.positions);
    }
    const positions = this.#readPositions(options.positions, length);
    this.#requireLive();
    withHeap(this.#engine, (heap) => {
      const tokens = { length, heads: kvHeads, format };
      const rotation = isTurned ? undefined : this.#rotation;
      const key = this.#take(heap, options.key, 'key', tokens, rotation);
      const value = heap.floats(options.value, 'value', tokenAxes(this.#room, tokens, { valueDim }));
      this.#requireLive();
      rotation?.turn(heap, key, tokens, positions ?? rotation.countedFrom(this.#length, 'length', length));
      const kept = this.#requireRoom(length);
      // From here on nothing can fail.
      this.#drop(this.#held - kept);
      this.#keys.write(key.handle.view(), tokens, kept);
      this.#values.write(value.view(), tokens, kept);
      this.#length += length;
    });
  }

  attend<Out extends FloatTensor>(given: KvAttendOptions & Into<Out>): Out {
    const options = requireOptions(given, ATTEND_OPTIONS);
    if (this.#window !== undefined && options.window !== undefined) {
      throw badArgument('window', { kind: 'left-out', where: 'cache-window' }, options.window);
    }
    if (this.#rotation !== undefined && options.relative !== undefined) {
      // It would meet keys that are turned, where attention gives it those of the caller.
      throw badArgument('relative', { kind: 'left-out', where: 'cache-rope' }, options.relative);
    }
    const { capacity, kvHeads } = this.#room;
    const heads = requireCount(options.heads, 'heads');
    if (heads % kvHeads !== 0) throw badArgument('heads', { kind: 'multiple', of: 'kvHeads', value: kvHeads }, heads);
    const length = requireCount(options.length, 'length');
    const format = requireFormat(options.format);
    const positions = this.#readPositions(options.positions, length);
    const terms = requireTerms(options, this.#terms);
    this.#requireLive();
    const keyStart = this.#start;
    const keyLength = this.#held;
    if (keyLength === 0) throw badState('cache', { kind: 'filled' }, { kind: 'empty-cache' });
    const queryStart = requireQueryStart(options.queryStart, length, keyLength, keyStart);
    if (keyStart > this.#firstPosition && queryStart - this.#reach < keyStart) {
      const rule = { kind: 'kept-tokens', least: keyStart + this.#reach, first: keyStart } as const;
      throw badArgument('queryStart', rule, queryStart);
    }
    const turning = positions ?? this.#rotation?.countedFrom(queryStart, 'queryStart', length);
    const { query, out } = options;
    requireApart(out, { query });
    const sizes = { ...this.#room, heads, queryLength: length, keyLength };
    const axes = attentionAxes(format, sizes);
    const scoring = requireScoring(
      this.#window === undefined ? options : { ...options, window: this.#window },
      sizes,
      axes,
      terms,
    );
    const places = { keyStart, queryStart, keyLengths: undefined, firstQueries: [queryStart - keyStart] };
    return attend(this.#engine, options, { sizes, format, axes, places, scoring }, terms, (heap) => {
      const tokens = { length, heads, format };
      const taken = this.#take(heap, query, 'query', tokens, this.#rotation);
      this.#requireLive();
      if (turning !== undefined) this.#rotation?.turn(heap, taken, tokens, turning);
      const call = heap.own(new this.#engine.wasm.AttentionCall(taken.handle, this.#keys.handle, this.#values.handle));
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
    for (const floats of this.#owned) this.#engine.calls.free(floats);
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

  /** Positions that are given, each read once. */
  #readPositions(positions: ArrayLike<number> | undefined, length: number): PositionOptions | undefined {
    if (positions === undefined) return undefined;
    if (this.#rotation === undefined)
      throw badArgument('positions', { kind: 'left-out', where: 'cache-no-rope' }, positions);
    return { positions: readPositions(positions, { batch: this.#room.batch, length }) };
  }

  /** Queries or keys in the heap, in a copy where they are to be turned. */
  #take(
    heap: Heap,
    tensor: Tensor,
    argument: string,
    tokens: Tokens,
    rotation: CacheRotation | undefined,
  ): { handle: HeapFloats; from: HeapFloats } {
    const axes = tokenAxes(this.#room, tokens, { headDim: this.#room.headDim });
    if (rotation !== undefined) return heap.transformed(tensor, argument, undefined, axes);
    const handle = heap.floats(tensor, argument, axes);
    return { handle, from: handle };
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

  /** Forgets the first tokens and moves the others to the front. */
  #drop(count: number): void {
    if (count === 0) return;
    for (const tensor of [this.#keys, this.#values]) tensor.moveToFront(count, this.#held);
    this.#start += count;
  }

  #read<Out extends FloatTensor>(from: CacheTensor, width: Sizes, given: KvReadOptions & Into<Out>): Out {
    const options = requireOptions(given, READ_OPTIONS);
    this.#requireLive();
    const tokens = { length: this.#held, heads: this.#room.kvHeads, format: requireFormat(options.format) };
    return withHeap(this.#engine, (heap) => {
      const target = heap.floatTarget(options.out, tokenAxes(this.#room, tokens, width));
      from.read(target.handle.view(), tokens);
      return target.take();
    });
  }
}
