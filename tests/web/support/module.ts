import type { Variant } from 'posenc';
import type { MainModule } from '../../../dist/wasm/simd.mjs';
import { binaryOf } from './variants.ts';

/** A module of its own, below the library. */
export async function instantiate(variant: Variant): Promise<MainModule> {
  const glue = await import('../../../dist/wasm/simd.mjs');
  const module = await WebAssembly.compile(binaryOf(variant));
  return glue.default({
    wasm(imports: WebAssembly.Imports, receive: (result: object) => void) {
      void WebAssembly.instantiate(module, imports).then((instance) => receive({ instance }));
    },
  });
}
