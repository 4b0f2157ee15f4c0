/**
 * What went wrong.
 *
 * - `bad-argument`  a value, type or option name that the call does not take
 * - `wrong-length`  an array whose length does not fit the sizes
 * - `out-of-memory` a size that WebAssembly or JavaScript cannot hold; the engine lives on
 * - `cache-full`    more tokens than a cache of keys and values has room for
 * - `disposed`      a buffer, cache or pool that was disposed of
 * - `load-failed`   the WebAssembly file is missing, damaged or refused
 * - `unsupported`   the engine lacks an instruction set
 * - `worker-failed` a worker of a pool died
 * - `inexpressible` a setting that a runtime has no words for
 */
export type PosencErrorCode =
  | 'bad-argument'
  | 'wrong-length'
  | 'out-of-memory'
  | 'cache-full'
  | 'disposed'
  | 'load-failed'
  | 'unsupported'
  | 'worker-failed'
  | 'inexpressible';

export interface PosencErrorDetails {
  /** The argument at fault, by its name in the call, or by its path where it is inside another: `params.headDim`. */
  argument?: string;
  /** The rule it breaks. */
  expected?: string;
  /** The value that was given. */
  got?: unknown;
  /** The error of the engine behind this one. */
  cause?: unknown;
}

/** The one error that this package throws. The message names the argument, the rule and the value. */
export class PosencError extends Error {
  override readonly name = 'PosencError';
  readonly code: PosencErrorCode;
  readonly argument?: string;
  readonly expected?: string;
  readonly got?: unknown;

  constructor(code: PosencErrorCode, message: string, { cause, ...details }: PosencErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.assign(this, details);
  }
}

/** An argument that breaks a rule: "`dim` must be a whole number from 1 to 2147483647, got -1". */
export function badArgument(argument: string, expected: string, got: unknown): PosencError {
  return refused('bad-argument', argument, expected, got, describe(got));
}

/** An argument whose state breaks a rule, in words: "`x` must be an array that still has its memory, got a detached array". */
export function badState(argument: string, expected: string, state: string): PosencError {
  return refused('bad-argument', argument, expected, state, state);
}

function refused(code: PosencErrorCode, argument: string, expected: string, got: unknown, shown: string): PosencError {
  return new PosencError(code, `${argument} must be ${expected}, got ${shown}`, { argument, expected, got });
}

/**
 * Runs the checks of an object inside the options of a call, and puts `prefix` before the name of what they refuse:
 * `params.` makes `headDim` the `params.headDim` of the call. Names in `outside` are the call's own and stay.
 */
export function within<Result>(prefix: string, check: () => Result, outside: readonly string[] = []): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof PosencError) || error.argument === undefined) throw error;
    const [root = ''] = error.argument.split('.');
    if (prefix === '' || outside.includes(root)) throw error;
    const { code, message, argument, expected, got, cause } = error;
    throw new PosencError(code, `${message.startsWith(argument) ? prefix : `${prefix}${argument}: `}${message}`, {
      argument: prefix + argument,
      ...(expected === undefined ? {} : { expected }),
      got,
      cause,
    });
  }
}

/** The use of something that was disposed of. */
export function disposed(argument: string, kind: string): PosencError {
  return refused('disposed', argument, `a ${kind} in use`, `a disposed ${kind}`, 'a disposed one');
}

/** A value as an error message shows it. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return `${value.constructor.name} of ${(value as Float32Array).length}`;
  }
  return value.constructor?.name === undefined || value.constructor.name === 'Object'
    ? 'an object'
    : `an instance of ${value.constructor.name}`;
}
