import type { Text } from '../phrases/language.js';

/**
 * Everything that `check` can find, by its code: how grave it is and what it means. The codes do not change.
 *
 * - `error`  the model gives wrong results as it stands, or two readers of the source disagree about it
 * - `warning`  probably not what was meant
 * - `info`  right, and worth knowing
 */
export const FINDINGS = {
  conflict: {
    severity: 'error',
    meaning: { en: 'two keys state different values of one parameter', 'zh-Hans': '两个键给同一参数写了不同的值' },
  },
  unusable: {
    severity: 'error',
    meaning: {
      en: 'a parameter is missing or out of range, so that no frequency can be computed',
      'zh-Hans': '某个参数缺失或超出范围，无法算出频率',
    },
  },
  mrope_section_sum: {
    severity: 'error',
    meaning: {
      en: 'the sections of time, height and width do not cover the pairs',
      'zh-Hans': '时间、高、宽三段之和不等于维度对的数目',
    },
  },
  pairing_differs: {
    severity: 'error',
    meaning: {
      en: 'the weights are laid out for another pairing than they are served with',
      'zh-Hans': '权重所用的配对方式与运行时不同',
    },
  },
  past_learned_table: {
    severity: 'error',
    meaning: { en: 'the length asked for is longer than the learned table', 'zh-Hans': '所需长度超出学习得到的位置表' },
  },
  freq_base_missing: {
    severity: 'error',
    meaning: {
      en: 'a GGUF file states no base, so that a runtime takes 10000 where the model has another',
      'zh-Hans': 'GGUF 文件没有写底数，运行时取 10000，而模型用的是别的值',
    },
  },
  launch_differs: {
    severity: 'warning',
    meaning: {
      en: 'the model is served with another value than its source states',
      'zh-Hans': '启动参数与模型自身的设置不同',
    },
  },
  past_context: {
    severity: 'warning',
    meaning: { en: 'the length asked for is longer than the context', 'zh-Hans': '所需长度超出上下文长度' },
  },
  factor_too_large: {
    severity: 'warning',
    meaning: {
      en: 'a smaller factor reaches the length asked for, and changes short prompts less',
      'zh-Hans': '较小的倍数即可达到所需长度，对短文本的影响也更小',
    },
  },
  scale_and_base: {
    severity: 'warning',
    meaning: {
      en: 'flags scale the positions and set a base at once',
      'zh-Hans': '启动参数同时缩放位置并改变底数',
    },
  },
  scaling_for_size: {
    severity: 'warning',
    meaning: {
      en: 'the published model of this size has another scaling',
      'zh-Hans': '同一规模的公开模型用的是别的缩放',
    },
  },
  scaling_without_type: {
    severity: 'warning',
    meaning: { en: 'a scaling factor without a type is not read', 'zh-Hans': '只有倍数而没有类型的缩放不会被读取' },
  },
  encoding_assumed: {
    severity: 'warning',
    meaning: { en: 'nothing says how positions are encoded', 'zh-Hans': '没有任何键说明位置如何编码' },
  },
  head_dim_assumed: {
    severity: 'warning',
    meaning: { en: 'nothing says how wide a head is', 'zh-Hans': '没有任何键说明注意力头的宽度' },
  },
  original_assumed: {
    severity: 'warning',
    meaning: {
      en: 'a scaling states no original context, and the context is taken for it',
      'zh-Hans': '缩放没有写原始上下文长度，取上下文长度代替',
    },
  },
  doubled_key: {
    severity: 'warning',
    meaning: {
      en: 'a key stands twice in one object, of which readers may take either',
      'zh-Hans': '同一对象中有重复的键，各种程序取哪一个并不一定',
    },
  },
  ramp_rounded: {
    severity: 'warning',
    meaning: {
      en: 'a runtime rounds the bounds of the ramp of YaRN, which the model does not',
      'zh-Hans': '运行时会把 YaRN 过渡区的边界取整，而模型不取整',
    },
  },
  scaling_shortens: {
    severity: 'warning',
    meaning: {
      en: 'a scaling makes the context shorter than the original one',
      'zh-Hans': '缩放使上下文短于原始长度',
    },
  },
  flags_alone: {
    severity: 'info',
    meaning: { en: 'flags say nothing of the model that they are for', 'zh-Hans': '启动参数本身不说明所用的模型' },
  },
  pairing_assumed: {
    severity: 'info',
    meaning: { en: 'the architecture is unknown, and so is its pairing', 'zh-Hans': '架构未知，配对方式也就未知' },
  },
  freq_base_assumed: {
    severity: 'info',
    meaning: { en: 'a GGUF file states no base, and 10000 is taken', 'zh-Hans': 'GGUF 文件没有写底数，取 10000' },
  },
  pairing_permuted: {
    severity: 'info',
    meaning: { en: 'the pairing depends on where the weights come from', 'zh-Hans': '配对方式取决于权重的来源' },
  },
  head_dim_given: {
    severity: 'info',
    meaning: { en: 'a head is not hidden size / heads wide', 'zh-Hans': '头的宽度不等于隐藏维度除以头数' },
  },
  layer_tables: {
    severity: 'info',
    meaning: { en: 'the layers do not share one embedding', 'zh-Hans': '各层并不共用一张旋转表' },
  },
  unrotated_layers: {
    severity: 'info',
    meaning: { en: 'some layers have no rotary embedding', 'zh-Hans': '有些层没有旋转位置编码' },
  },
  learned_table: {
    severity: 'info',
    meaning: {
      en: 'positions are rows of a learned table, and there is no formula',
      'zh-Hans': '位置是学习得到的表中的行，没有公式',
    },
  },
  softmax_factor: {
    severity: 'info',
    meaning: {
      en: 'a strength of YaRN multiplies the softmax, beside what multiplies the table',
      'zh-Hans': 'YaRN 的一个强度另给 softmax 一个乘数，与表上的乘数不同',
    },
  },
  attention_factor_given: {
    severity: 'info',
    meaning: {
      en: 'the attention factor is given, and final',
      'zh-Hans': '注意力系数已直接给出，是最终值',
    },
  },
  short_prompts_changed: {
    severity: 'info',
    meaning: { en: 'the scaling changes short prompts as well', 'zh-Hans': '缩放同样改变短文本' },
  },
  depends_on_length: {
    severity: 'info',
    meaning: { en: 'the frequencies depend on the length of the text', 'zh-Hans': '频率随文本长度而变' },
  },
  legacy_key: { severity: 'info', meaning: { en: 'a key has an older name', 'zh-Hans': '键用的是旧名' } },
  not_read: {
    severity: 'info',
    meaning: { en: 'something was given that does not count here', 'zh-Hans': '给出的某些内容在此不起作用' },
  },
} as const satisfies Readonly<Record<string, { severity: Severity; meaning: Text }>>;

export type Severity = 'info' | 'warning' | 'error';

export type FindingCode = keyof typeof FINDINGS;

/** Something about a model that its user should know. */
export interface Finding {
  code: FindingCode;
  severity: Severity;
  /** The key it is about, by its path in the source. */
  key: string;
  found: unknown;
  expected: unknown;
  /** One sentence or a few, in the language that was asked for. */
  why: string;
}

/** A finding in every language. */
export interface Observation extends Omit<Finding, 'why'> {
  why: Text;
}

/** A finding with the severity of its code. */
export function finding(
  code: FindingCode,
  about: Pick<Observation, 'key' | 'found' | 'expected' | 'why'>,
): Observation {
  return { code, severity: FINDINGS[code].severity, ...about };
}
