import type { Variant } from 'posenc';
import glue, { type MainModule } from '../../../web/engine/wasm/simd.mjs'; // the same for both variants
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
