import { setFlagsFromString } from 'node:v8';
import { accepts } from './variants.ts';

// Node 20 holds relaxed SIMD behind a flag; later ones have it without, and know the flag no more.
if (!accepts('relaxed') && process.versions.node.startsWith('20.')) {
  setFlagsFromString('--experimental-wasm-relaxed-simd');
}
