import { readFileSync } from 'node:fs';
import { load, type Encodings, type Variant } from 'posenc';
import { describe, test } from 'vitest';

export const variants: readonly Variant[] = ['simd', 'relaxed'];

/** The bytes of a variant as they ship. */
export function binaryOf(variant: Variant): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(binaryUrl(variant)));
}

export function binaryUrl(variant: Variant): URL {
  return new URL(`../../../dist/wasm/${variant}.wasm`, import.meta.url);
}

/** Whether this engine runs a variant. */
export function accepts(variant: Variant): boolean {
  return WebAssembly.validate(binaryOf(variant));
}

/** Runs a suite with both variants. One that this engine refuses shows as a skipped test. */
export async function describeVariants(title: string, suite: (encodings: Encodings) => void): Promise<void> {
  for (const variant of variants) {
    if (accepts(variant)) {
      const encodings = await load({ variant });
      describe(`${title} [${variant}]`, () => suite(encodings));
    } else {
      test.skip(`${title} [${variant}]: this engine refuses the variant`, () => {});
    }
  }
}
