import { type Encodings, type ErrorFacts, PosencError } from 'posenc';
import type { ReadText } from './read-input.js';

/** What a long text says or why it is refused, read where it holds up nobody. Few texts are long: the code comes with them. */
export async function readTask(
  _encodings: Encodings,
  { text }: { readonly text: string },
): Promise<{ said: ReadText | 'otherJson' | ErrorFacts }> {
  const { readText } = await import('./read-input.js');
  try {
    return { said: readText(text) };
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    // An error that is sent would keep its message alone.
    return { said: { ...error, message: error.message } };
  }
}
