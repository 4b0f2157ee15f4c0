import type { ModelEncoding } from './parsed-model.js';

/** What an architecture of a GGUF file means where its keys do not say it. */
export interface GgufFamily {
  /** `rope` by default. */
  encoding?: ModelEncoding;
  /** How its weights in this format are turned: `half` is what ggml calls NEOX, `interleaved` NORM. */
  pairing?: 'half' | 'interleaved';
  /** The base of layers that look at a window only, where the file does not state it. */
  localBase?: number;
  /** Time, height and width take turns over the pairs. */
  mropeInterleaved?: true;
  /** Its attention factor is 1 where the file states only how the one of YaRN is taken back. */
  cancelsMscale?: true;
}

const INTERLEAVED = (
  'llama llada llama4 deci baichuan internlm2 minicpm xverse command-r cohere2 olmo arctic deepseek deepseek2 ' +
  'deepseek2-ocr deepseek32 plm chatglm glm4 glm-dsa granite granitemoe granitehybrid chameleon bailingmoe neo-bert ' +
  'smollm3 arcee ernie4_5 ernie4_5-moe mistral3 mistral4 llama-embed maincoder nanbeige gptj'
).split(' ');
const HALF = (
  'falcon falcon-h1 grok dbrx jina-bert-v3 modern-bert nomic-bert nomic-bert-moe eurobert stablelm bitnet qwen qwen2 ' +
  'dream qwen2moe qwen3 qwen3moe llada-moe rnd1 olmo2 olmoe phi2 phi3 phimoe plamo plamo2 plamo3 gemma gemma2 gemma3 ' +
  'gemma3n gemma4 gemma-embedding starcoder2 openelm gptneox codeshell orion nemotron exaone exaone4 exaone-moe ' +
  'minicpm3 bailingmoe2 dots1 hunyuan-moe hunyuan-dense gpt-oss lfm2 lfm2moe smallthinker seed_oss grovemoe apertus ' +
  'minimax-01 minimax-m2 minimax-m3 cogvlm pangu-embedded afmoe qwen3next mimo2 glm4moe qwen2vl qwen3vl qwen3vlmoe ' +
  'qwen35 qwen35moe paddleocr jais2 hunyuan_vl hy_v3 laguna step35 talkie mellum'
).split(' ');

const OTHERS: Readonly<Record<string, GgufFamily>> = {
  gemma3: { localBase: 1e4 },
  gemma3n: { localBase: 1e4 },
  'gemma-embedding': { localBase: 1e4 },
  qwen3vl: { mropeInterleaved: true },
  qwen3vlmoe: { mropeInterleaved: true },
  qwen35: { mropeInterleaved: true },
  qwen35moe: { mropeInterleaved: true },
  deepseek2: { cancelsMscale: true },
  gpt2: { encoding: 'learned' },
  starcoder: { encoding: 'learned' },
  bert: { encoding: 'learned' },
  bloom: { encoding: 'alibi' },
  mpt: { encoding: 'alibi' },
  refact: { encoding: 'alibi' },
  jais: { encoding: 'alibi' },
  'jina-bert-v2': { encoding: 'alibi' },
  t5: { encoding: 't5' },
  t5encoder: { encoding: 't5' },
  mamba: { encoding: 'none' },
  mamba2: { encoding: 'none' },
  jamba: { encoding: 'none' },
  nemotron_h: { encoding: 'none' },
  rwkv6: { encoding: 'none' },
  rwkv6qwen2: { encoding: 'none' },
  rwkv7: { encoding: 'none' },
  arwkv7: { encoding: 'none' },
};

/**
 * What is known of an architecture, by its `general.architecture`.
 *
 * Source: ggml-org/llama.cpp, src/llama-model.cpp, llama_model_rope_type, and src/llama-arch.cpp. Weights of Hugging Face's
 * Llama layout are permuted on conversion, so that they turn neighbours here.
 */
export function ggufFamilyOf(architecture: string): GgufFamily | undefined {
  const other = Object.hasOwn(OTHERS, architecture) ? OTHERS[architecture] : undefined;
  if (INTERLEAVED.includes(architecture)) return { pairing: 'interleaved', ...other };
  return HALF.includes(architecture) ? { pairing: 'half', ...other } : other;
}
