import type { Variant } from 'posenc';

/** The binary of each variant where the build leaves it: for the page, what the package has beside its files. */
export const binaries: Readonly<Record<Variant, () => URL>> = {
  simd: () => new URL('../../../build/wasm/simd.wasm', import.meta.url),
  relaxed: () => new URL('../../../build/wasm/relaxed.wasm', import.meta.url),
};
