import { PosencError } from 'posenc';

/** What some work gives; undefined where it fails, so that no answer to an earlier question stays on screen. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    report(error);
    return undefined;
  }
}

/** Hands an error that is no refusal of the library, and so the page's own, to the browser's console. */
export function report(error: unknown): void {
  if (error instanceof PosencError) return;
  queueMicrotask(() => {
    throw error;
  });
}
