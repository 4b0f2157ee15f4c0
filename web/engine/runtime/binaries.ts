import type { Variant } from './engine.js';

/**
 * The binary of each variant, beside the files of the package. A bundler finds them by these expressions. The page is built
 * from the sources, and has its own in web/app/engine/binaries.ts.
 */
export const binaries: Readonly<Record<Variant, () => URL>> = {
  simd: () => new URL('./wasm/simd.wasm', import.meta.url),
  relaxed: () => new URL('./wasm/relaxed.wasm', import.meta.url),
};
