import type { Variant } from 'posenc';
import glue from '#glue'; // the same for both variants
import type { MainModule } from '../../../web/engine/runtime/glue.ts';
import { binaryOf } from './variants.ts';

/** A module of its own, below the library. */
export async function instantiate(variant: Variant): Promise<MainModule> {
  const module = await WebAssembly.compile(binaryOf(variant));
  return glue({
    wasm(imports: WebAssembly.Imports, receive: (result: object) => void) {
      void WebAssembly.instantiate(module, imports).then((instance) => receive({ instance }));
    },
  });
}
