import { parseHfConfig, ropeFrequencies } from 'posenc';
import { describe, expect, test } from 'vitest';

const sizes = { model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 32768 };
const yarn = { rope_theta: 500000, rope_type: 'yarn', factor: 4, original_max_position_embeddings: 8192 };

describe('an object inside rope_parameters', () => {
  test('beside parameters is no type of layer, and is not read', () => {
    const model = parseHfConfig({ ...sizes, rope_parameters: { ...yarn, metadata: { note: 'x' } } });
    expect(model.layers.map(({ name }) => name)).toEqual(['all']);
    expect(model.layers[0]!.params).toMatchObject({ type: 'yarn', factor: 4, base: 500000, originalMaxPosition: 8192 });
    expect(model.unread).toEqual(['rope_parameters.metadata']);
    // The factor of YaRN: 0.1 ln 4 + 1.
    expect(ropeFrequencies(model.layers[0]!.params).attentionFactor).toBeCloseTo(1.138629436111989, 15);
  });

  test('beside types of layers is none unless it holds parameters or the model has such layers', () => {
    const types = { full_attention: yarn, sliding_attention: { rope_type: 'default', rope_theta: 10000 } };
    const model = parseHfConfig({ ...sizes, rope_parameters: { ...types, notes: { by: 'x' } } });
    expect(model.layers.map(({ name }) => name)).toEqual(['full_attention', 'sliding_attention']);
    expect(model.unread).toEqual(['rope_parameters.notes']);

    const own = parseHfConfig({
      ...sizes,
      layer_types: ['wide', 'narrow'],
      rope_parameters: { wide: yarn, narrow: {} },
    });
    expect(own.layers.map(({ name }) => name)).toEqual(['wide', 'narrow']);
  });
});
