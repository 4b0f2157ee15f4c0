/** The options of one call of a job. */
export interface PartOptions {
  /** Made for this part; their memory moves to the worker. */
  own: object;
  /** The caller's, of which the worker gets a copy. */
  lent: object;
}

/** One call of a job. */
export interface Part {
  /** Asked when a worker is free. */
  options(): PartOptions;
  /** Takes what the worker answered. */
  take(result: unknown): void;
}

/** A call as workers make it: whole, or in parts. */
export interface Job {
  /** What all parts need: each worker gets it once. */
  readonly shared?: object;
  readonly parts: readonly Part[];
  /** Once every part has been taken. */
  result(): unknown;
}

/** A call that one worker makes. */
export function wholeJob(options: object): Job {
  let answer: unknown;
  return {
    parts: [{ options: () => ({ own: {}, lent: options }), take: (result) => (answer = result) }],
    result: () => answer,
  };
}
