/**
 * Cases of tests/conformance outside the field of this library, by file and name, with the reason. All others are run.
 */
export const later: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hf_apply_rotary: {
    'vjepa2/mixed_layout_quirk': 'neighbours turned by different angles, which is no rotation: a quirk of one model',
  },
  ggml: {
    'timestep_embedding/dim15_period10000': 'features of a diffusion time, not of a position',
    'timestep_embedding/dim8_period100': 'features of a diffusion time, not of a position',
    'get_rel_pos/2x2': 'decomposed relative positions of one model, Segment Anything',
    'test_rel_pos/add_rel_pos': 'decomposed relative positions of one model, Segment Anything',
  },
  hf_attention_bias: {
    'falcon/alibi_h7_bf16_slopes': 'slopes rounded to bfloat16: a quirk of one model',
    'swin/relative_position_index_2x3': 'windows of image patches',
    'swinv2/coords_table_3x4_pretrained_0': 'windows of image patches',
    'beit/relative_position_index_2x3': 'image patches with a class token',
    'sam/decomposed_rel_pos_interpolated': 'image patches with tables resized by interpolation',
    'wav2vec2_conformer/relative_scores': 'the speech layer of one model',
    'vits/get_relative_embeddings_len2_win2': 'the padding of tables in one speech model',
    'vits/get_relative_embeddings_len6_win2': 'the padding of tables in one speech model',
    'vits/relative_to_absolute': 'the reshaping of scores in one speech model',
    'vits/absolute_to_relative': 'the reshaping of scores in one speech model',
  },
  hf_sinusoidal: {
    'perceiver/fourier_concat': 'Fourier features of coordinates, with frequencies in equal steps',
  },
  onnxruntime_relative_bias: {
    'GatedRelativePositionBiasTest.FP16_BSNHD_1x3x2x4x8': 'a bias gated by the query: WavLM',
    'GatedRelativePositionBiasTest.FP32_LongSeq_BSNHD_2x5x2x4x4': 'a bias gated by the query: WavLM',
  },
  x_transformers: {
    'polar/apply': 'polar embedding: vectors turned into magnitudes, twice as wide',
  },
};
