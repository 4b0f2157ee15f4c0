// The build takes what is imported from outside this folder out of the package, which is one file for all threads.
import { PosencError } from '../../common/errors.js';
import type { Encodings } from '../encodings.js';
import { load } from '../load.js';
import { memoryOf, type Order, type PlainError, type Port, type Reply } from './protocol.js';

/** The work of a worker: one instance of the module, and the calls that a pool sends. */
export function serve(port: Port<Reply, Order>): void {
  let encodings: Encodings;
  const kept = new Map<number, object>();
  port.listen((order) => {
    switch (order.kind) {
      case 'load':
        load({ variant: order.variant, wasm: order.module }).then(
          (loaded) => {
            encodings = loaded;
            port.post({ kind: 'ready' }, []);
          },
          (error: unknown) => port.post({ kind: 'error', error: toPlain(error) }, []),
        );
        break;
      case 'keep':
        kept.set(order.key, order.options);
        break;
      case 'drop':
        kept.delete(order.key);
        break;
      case 'call':
        port.post(...answer(order));
    }
  });

  function answer({ name, kept: key, options }: Order & { kind: 'call' }): [Reply, ArrayBuffer[]] {
    try {
      const call = encodings[name] as (options: object) => unknown;
      const result = call(key === undefined ? options : { ...kept.get(key), ...options });
      return [{ kind: 'result', result }, memoryOf(result)];
    } catch (error) {
      return [{ kind: 'error', error: toPlain(error) }, []];
    }
  }
}

function toPlain(error: unknown): PlainError {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof PosencError)) return { message };
  const { name: _, got, ...details } = error;
  return {
    ...details,
    message,
    // What is no plain value may not travel; the message describes it.
    ...(typeof got === 'object' || typeof got === 'function' || typeof got === 'symbol' ? {} : { got }),
  };
}
