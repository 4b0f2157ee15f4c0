import type { Variant } from 'posenc';
import type { MainModule } from '../../../dist/wasm/simd.mjs';
import { binaryOf } from './variants.ts';

/** A module of its own, below the library. */
export async function instantiate(variant: Variant): Promise<MainModule> {
  const glue = (await import(`../../../dist/wasm/${variant}.mjs`)) as typeof import('../../../dist/wasm/simd.mjs');
  const module = await WebAssembly.compile(binaryOf(variant));
  return glue.default({
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) {
      void WebAssembly.instantiate(module, imports).then(receive);
      return {};
    },
  });
}
