// wllama as a contender, in a page: it computes no attention by itself, so it reads a prompt through one layer with one
// head. All but attention is a few hundredths of the arithmetic there, and we do not know of another engine in WebAssembly
// that takes a sequence so long.
import { LETTER, oneHeadModel } from './gguf.mjs';

/** What `workloads.mjs` calls `prompt`, for one thread of wllama in float32. */
export function prompts(Wllama) {
  return async ({ width, length }) => {
    const wllama = new Wllama({ default: '/wllama/wasm/wllama.wasm' }, { suppressNativeLog: true });
    const context = length + 64;
    const model = new File([oneHeadModel({ width, context })], 'one-head.gguf');
    const kinds = { cache_type_k: 'f32', cache_type_v: 'f32', flash_attn: true };
    await wllama.loadModel([model], { n_ctx: context, n_batch: 2048, n_ubatch: 2048, n_threads: 1, ...kinds });
    const read = async (tokens) => {
      const answer = { max_tokens: 1, temperature: 0, cache_prompt: false };
      const { usage } = await wllama.createCompletion({ prompt: LETTER.repeat(tokens), ...answer });
      if (usage.prompt_tokens !== tokens) throw new Error(`wllama read ${usage.prompt_tokens} tokens, not ${tokens}`);
    };
    await read(length / 4); // by then its code is compiled for good
    return { run: () => read(length), dispose: () => wllama.exit() };
  };
}
