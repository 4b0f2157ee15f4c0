import { sentence } from '../errors/zh-hans.js';
import { listed, nameOf, round, shown } from '../shown.js';
import type { FindingBook, LayerInShort, MeaningBook } from './en.js';

export const meanings: MeaningBook = {
  conflict: '两个键给同一参数写了不同的值',
  unusable: '某个参数缺失或超出范围，无法算出频率',
  mrope_section_sum: '时间、高、宽三段之和不等于维度对的数目',
  pairing_differs: '权重所用的配对方式与运行时不同',
  past_learned_table: '所需长度超出学习得到的位置表',
  freq_base_missing: 'GGUF 文件没有写底数，运行时取 10000，而模型用的是别的值',
  launch_differs: '启动参数与模型自身的设置不同',
  past_context: '所需长度超出上下文长度',
  factor_too_large: '较小的倍数即可达到所需长度，对短文本的影响也更小',
  scale_and_base: '启动参数同时缩放位置并改变底数',
  scaling_for_size: '同一规模的公开模型用的是别的缩放',
  scaling_without_type: '只有倍数而没有类型的缩放不会被读取',
  encoding_assumed: '没有任何键说明位置如何编码',
  head_dim_assumed: '没有任何键说明注意力头的宽度',
  original_assumed: '缩放没有写原始上下文长度，取上下文长度代替',
  duplicate_key: '同一对象中有重复的键，各种程序取哪一个并不一定',
  ramp_rounded: '运行时会把 YaRN 过渡区的边界取整，而模型不取整',
  scaling_shortens: '缩放使上下文短于原始长度',
  flags_alone: '启动参数本身不说明所用的模型',
  pairing_assumed: '架构未知，配对方式也就未知',
  freq_base_assumed: 'GGUF 文件没有写底数，取 10000',
  pairing_permuted: '配对方式取决于权重的来源',
  head_dim_given: '头的宽度不等于隐藏维度除以头数',
  layer_tables: '各层并不共用一张旋转表',
  unrotated_layers: '有些层没有旋转位置编码',
  learned_table: '位置是学习得到的表中的行，没有公式',
  softmax_factor: 'YaRN 的一个强度另给 softmax 一个乘数，与表上的乘数不同',
  attention_factor_given: '注意力系数已直接给出，是最终值',
  short_prompts_changed: '缩放同样改变短文本',
  depends_on_length: '频率随文本长度而变',
  legacy_key: '键用的是旧名',
  not_read: '给出的某些内容在此不起作用',
};

export const reasons: FindingBook = {
  conflict: (of) =>
    `对于 ${of.setting}，${nameOf(of.key)} 给出 ${shown(of.value)}，${nameOf(of.otherKey)} 给出 ${shown(of.otherValue)}。这里取前者；别的运行时可能取后者。`,
  unusable: ({ error }) => `无法计算频率：${sentence(error)}。`,
  mrope_section_sum: ({ sections, total, pairs }) =>
    `时间、高、宽三段（${listed(sections, more, ' + ')} = ${total}）必须恰为三段，且合计为一个头的 ${pairs} 个维度对。`,
  pairing_differs: (rows) => `除非查询和键投影的行在转换时重排过，否则注意力分数是错的。${permutation(rows)}`,
  past_learned_table: ({ last }) => `学习得到的位置表止于位置 ${last}，之后的位置不存在。`,
  freq_base_missing: ({ taken, base, turns }) =>
    `文件没有写 rope.freq_base，运行时取 ${taken}，而模型用的是 ${base}` +
    `${turns === undefined ? '' : `：最慢的一对每 ${round(turns.taken)} 个词元转一圈，而不是 ${round(turns.meant)} 个`}。` +
    `llama.cpp 可加 --rope-freq-base ${base}，0.1.35 之前的 Ollama 可写 PARAMETER rope_frequency_base ${base}。`,
  launch_differs: ({ setting, served, stated }) =>
    `启动时 ${setting} 为 ${shown(served)}，而模型自身写的是 ${shown(stated)}。`,
  past_context: ({ context, worst }) =>
    `模型给出的上下文为 ${context} 个词元；${worst === undefined ? '慢的维度对' : `${worst.pairs} 对中有 ${worst.out} 对`}会转到训练中从未见过的角度。`,
  factor_too_large: ({ target, factor, attentionFactor }) =>
    `${target} 个词元只需倍数 ${round(factor)}，注意力系数为 ${round(attentionFactor)}。更大的倍数会不必要地改变短文本。`,
  scale_and_base: ({ factor, base, shortest, longest }) =>
    `位置除以 ${factor} 的同时底数又为 ${base}，这种组合并不常见：两者各自都会拉长上下文。合起来一圈为 ${round(shortest)} … ${round(longest)} 个词元。`,
  scaling_for_size: ({ model, type, factor }) => `这一规模的 ${model} 用的是 ${type} 缩放，倍数为 ${factor}。`,
  scaling_without_type: ({ type }) => `旁边没有类型，因此按 ${type} 读取，这个倍数不起作用。`,
  encoding_assumed: () => '架构未知，也没有与位置有关的键，因此假定为旋转位置编码。',
  head_dim_assumed: ({ headDim }) => `既没有 head_dim，也没有能推出它的尺寸，因此假定为 ${headDim}。`,
  original_assumed: () =>
    '缩放没有写原始上下文长度，因此以 max_position_embeddings 代替。若后者已把缩放计算在内，频率就是错的。',
  duplicate_key: ({ key }) =>
    `${nameOf(key)} 在同一对象中出现了两次。这里取后一个值，与 Python 相同；别的程序可能取前一个，或拒绝读取。`,
  ramp_rounded: ({ changed, pairs, percent }) =>
    `模型不对过渡区的边界取整（truncate: false）；llama.cpp 及以它为基础的程序则取整到整数对，且没有相应的设置。${pairs} 对中有 ${changed} 对的转速不同，最多相差 ${round(percent)}%。`,
  scaling_shortens: (of) =>
    'factor' in of
      ? `倍数 ${of.factor} 使维度对转得比没有缩放时更快；要拉长上下文，倍数应大于 1，也许应为 ${round(1 / of.factor)}。`
      : `原始上下文为 ${of.original} 个词元，比缩放本应达到的上下文（${of.context} 个词元）还长。`,
  flags_alone: ({ headDim, base }) =>
    `启动参数不说明模型：这里假定头宽为 ${headDim}，底数为 ${base}。要核对某个模型，请把这些参数作为它的启动参数。`,
  pairing_assumed: () => '架构未知，因此假定为前后两半配对，这种格式的模型大多如此。',
  freq_base_assumed: () => '文件没有写 rope.freq_base，运行时取 10000。请与模型的 config.json 核对。',
  pairing_permuted: (rows) => `这些权重在转换时重排过。${permutation(rows)}`,
  head_dim_given: (of) =>
    `头宽为 ${shown(of.value)}，由 ${nameOf(of.key)} 给出；只有没有这个键时才用 ${of.hiddenSize} / ${of.heads}。`,
  layer_tables: ({ layers }) => `每种层各有一张旋转表。${listed(layers.map(inShort), more, '；')}。`,
  unrotated_layers: () => '有些层没有旋转位置编码：它们只能通过因果掩码和其他层感知顺序。缩放对它们不起作用。',
  learned_table: ({ last }) => `位置是学习得到的绝对位置表中的行；没有公式，${last} 之后的位置不存在。`,
  softmax_factor: ({ table, softmax, origin }) => {
    const from =
      origin.from === 'ratio'
        ? `即两个强度之比；没有这些键时则为 ${round(origin.otherwise)}`
        : origin.from === 'given'
          ? '即给定的注意力系数，强度只作用于 softmax'
          : '即 YaRN 的通常系数，因为只给出了 mscale_all_dim 而没有 mscale';
    return `余弦和正弦乘以 ${round(table)}，${from}。DeepSeek 一类的模型另将 softmax 的缩放乘以 ${round(softmax)}。忽略这些键、或把两者都乘到表上的运行时是错的。`;
  },
  attention_factor_given: ({ given, computed }) =>
    `${round(given)} 是最终值，取代缩放本身给出的 ${round(computed)}。把两者相乘的运行时得到的是 ${round(given * computed)}。`,
  short_prompts_changed: ({ type, factor, change }) =>
    `${type} 倍数 ${factor} 对任何长度都起作用：距离小于 100 时，所有维度对的平均余弦最多改变 ${round(change)}。训练时就带此缩放的模型正该如此；否则短文本也会受影响。`,
  depends_on_length: ({ type, original }) =>
    type === 'dynamic'
      ? `文本超过 ${original} 个词元后底数增大，遇到下一段短文本又恢复原值。在另一底数下缓存的键并不匹配；按最大长度只算一次底数的运行时，也会改变短文本。`
      : `不超过 ${original} 个词元的文本用 short_factor，更长的用 long_factor。按分配长度选择的运行时，短文本也会用 long_factor；切换之前缓存的键并不匹配。`,
  legacy_key: () => '这个键现在叫 rope_type；只认新名的运行时会漏掉缩放。',
  not_read: ({ names, joined }) =>
    `以下内容与位置无关、名称未知，或这里没有对应的类型，因此没有读取：${listed(names, more, '、')}。${joined ? 'llama.cpp 不接受 = 后的值，须用空格。' : ''}`,
};

function more(count: number): string {
  return `另外 ${count} 项`;
}

function permutation({ half }: { readonly half: number }): string {
  return `在查询和键投影的每个头中，两半配对的第 i 与 i + ${half} 行，就是相邻配对的第 2i 与 2i + 1 行；值投影的行保持原位。`;
}

function inShort({ name, base, type, factor }: LayerInShort): string {
  return `${name}：底数 ${base}，${type}${factor === undefined ? '' : ` ${factor}`}`;
}
