/**
 * Cases of tests/fixtures that this version does not compute, by file and name, with the reason. The tests run all others,
 * and fail where one of these would pass as well.
 */
export const later: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rope_parameters: {
    'Llama-3.1-8B': 'rope type llama3',
    'Qwen2-VL-7B': 'rope type mrope',
    'Phi-3-mini-128k (longrope)': 'rope type longrope',
    'Phi-3-mini-128k (longrope), length 8192': 'rope type longrope',
    'Gemma-3-4B, global': 'rope type linear',
    'Gemma-4 text (proportional), global': 'rope type proportional',
    'DeepSeek-V2-Lite': 'rope type yarn',
    'DeepSeek-V3': 'rope type yarn',
    'gpt-oss-20b': 'rope type yarn',
    'synthetic-linear': 'rope type linear',
    'synthetic-ntk': 'rope type ntk',
    'synthetic-dynamic, length 7168': 'rope type dynamic',
    'synthetic-yarn': 'rope type yarn',
    'synthetic-yarn_trunc_off': 'rope type yarn',
    'synthetic-yarn_mscale': 'rope type yarn',
    'synthetic-yarn_degenerate': 'rope type yarn',
    'synthetic-longrope, length 2049': 'rope type longrope',
    'synthetic-llama3': 'rope type llama3',
    'synthetic-proportional': 'rope type proportional',
  },
  analysis: {
    f32_iter: 'angles by repeated multiplication: no stage of the precision laboratory',
  },
};
