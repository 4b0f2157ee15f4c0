import { round } from '../shown.js';
import type { SettingBook } from './en.js';

const GREATER = '加大模型训练时所带的缩放。模型从未见过这样的长度。';

export const settings: SettingBook = {
  notes: {
    pairing: () => '通道如何配对、有多少通道旋转，由模型的架构和文件决定。',
    sections: () => '时间、高、宽三段取自模型文件。',
    'modelfile-versions': () =>
      '0.1.35 及以后的版本只认 num_ctx，不接受另外两项：此时须保证 GGUF 文件中的 rope.freq_base 与 rope.scaling 正确。',
    'yarn-factor': ({ factor }) => `YaRN 将余弦和正弦乘以 (1 + 0.1 ln 倍数) × attn_factor = ${factor}。`,
    'log-multiplier': ({ flag }) =>
      `2025 年 12 月起的版本，以及较早版本中的 deepseek2，会读取文件中的 rope.scaling.yarn_log_multiplier。其他情况须加 --yarn-attn-factor ${flag}。`,
    'ignored-flag': ({ flag }) =>
      `2025 年 12 月起的版本在使用 YaRN 时忽略 --yarn-attn-factor：请改用 --override-kv 将键 ARCH.rope.scaling.attn_factor 设为 ${flag}。`,
    'softmax-in-file': ({ factor }) =>
      `softmax 缩放的乘数 ${factor} 没有对应参数：对 DeepSeek 架构，它由文件中的 rope.scaling.yarn_log_multiplier 决定。`,
    'exllama-base': ({ base }) =>
      `底数 ${base} 没有对应参数，须写在模型的 config.json 中。-rs 是位置的倍数，-ra 是 alpha。第一代 ExLlama 中它们叫 -cpe 和 -a，底数用 -theta。`,
    ropeconfig: () => '第一个数与位置相乘，即 1 / 倍数。不写 --ropeconfig 时，若上下文超出文件所写，底数会自动增大。',
    architecture: () => '通道配对由架构决定；并非每种架构都读取 head_dim。',
    'ntk-base': () => '这里没有单独的 NTK 类型：写成增大后的底数，效果相同。',
    'dynamic-start': () => 'max_position_embeddings 是底数开始增大的长度，因此写的是原始上下文。',
    'final-factor': () => 'attention_factor 是最终值：只有它乘到余弦和正弦上。',
    'phi-moe': () => '只有 Phi-MoE 读取 short_mscale 与 long_mscale。',
    'softmax-in-code': ({ factor }) =>
      `DeepSeek 一类的模型由代码按 mscale_all_dim 将 softmax 的缩放乘以 ${factor}；别的架构不会。`,
    'vllm-yarn': () => 'YaRN 对任何长度都起作用。这里 attn_factor 与 0.1 ln 倍数 + 1 相乘；不读取 attention_factor。',
    'vllm-mscale': () => 'mscale 与 mscale_all_dim 只对 DeepSeek 架构有效，这些架构还会将 softmax 的缩放相乘。',
    'vllm-lists': () => '两组系数按 --max-model-len 选择：它超过原始上下文时，短文本也用 long_factor。',
  },
  plans: {
    none: ({ trained, reach }) =>
      `保持原样：训练长度为 ${trained} 个词元${reach > trained ? `，缩放后为 ${reach}` : ''}。`,
    greater: () => GREATER,
    'every-divisor': ({ stretch }) => `${GREATER}长文本的每个除数都乘以 ${round(stretch)}，最快的一对也不例外。`,
    smaller: ({ factor, reach, stretch }) =>
      `倍数 ${factor} 可达 ${reach} 个词元；${stretch > 1 ? `只需 ${stretch}` : '其实不需要缩放'}，对短文本的影响更小。`,
    linear: ({ factor }) => `所有维度对都慢 ${factor} 倍。没有一对超出范围，但相邻词元更难分辨；需要微调。`,
    ntk: ({ factor, alpha, target }) =>
      `增大底数：最快的一对不变，只有最慢的一对除以 ${factor}。要让所有维度对在 ${target} 个词元内不超出范围，alpha 需为 ${alpha}。`,
    dynamic: ({ trained }) => `短文本保持不变；超过 ${trained} 个词元后底数随长度增大，已缓存的键不再匹配。`,
    yarn: () => '快的维度对不变，慢的作插值，并使注意力更集中；不微调时的通常选择。',
  },
};
