import { englishSentence, expectedOf, stateText, type Fault, type Rule, type State } from '../phrases/errors/en.js';

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
  /** The rule it breaks, in English. */
  expected?: string;
  /** The value that was given. */
  got?: unknown;
  /** The rule as data: its `kind`, and the limits, names and sizes in it. `errorText` says it in any language. */
  rule?: Rule;
  /** What was found, as data, where `got` does not say it. */
  state?: State;
  /** Where in a list the value stands. */
  index?: number;
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
  readonly rule?: Rule;
  readonly state?: State;
  readonly index?: number;

  constructor(code: PosencErrorCode, message: string, { cause, ...details }: PosencErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.assign(this, details);
  }
}

/** An argument that breaks a rule: "`dim` must be a whole number from 1 to 2147483647, got -1". */
export function badArgument(argument: string, rule: Rule, got: unknown, index?: number): PosencError {
  return refusal('bad-argument', { argument, rule, got, ...(index === undefined ? {} : { index }) });
}

/** An argument whose state breaks a rule: "`x` must be an array that still has its memory, got a detached array". */
export function badState(argument: string, rule: Rule, state: State): PosencError {
  return refusal('bad-argument', { argument, rule, state });
}

/** The error of a fault. Where no value was given, the state stands for it. */
export function refusal(code: PosencErrorCode, fault: Fault, cause?: unknown): PosencError {
  const { rule, state } = fault;
  const expected = expectedOf(rule);
  return new PosencError(code, englishSentence(fault), {
    ...(state === undefined ? {} : { got: stateText(state) }),
    ...(expected === undefined ? {} : { expected }),
    ...fault,
    cause,
  });
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
    const { code, argument, rule, got, state, index, cause } = error;
    if (rule === undefined) throw error;
    const where = { ...(state === undefined ? {} : { state }), ...(index === undefined ? {} : { index }) };
    throw refusal(code, { argument: prefix + argument, rule, got, ...where }, cause);
  }
}

/** The use of something that was disposed of. */
export function disposed(argument: string, what: 'buffer' | 'cache' | 'pool'): PosencError {
  return refusal('disposed', {
    argument,
    rule: { kind: 'in-use', what },
    got: `a disposed ${what}`,
    state: { kind: 'disposed' },
  });
}
