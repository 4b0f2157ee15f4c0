// What a user of the installed package does: imports it, loads it, and gets the numbers of the formula.
import assert from 'node:assert/strict';
import { load } from 'posenc';
import { parseHfConfig } from 'posenc/model';

const encodings = await load();
const table = encodings.sinusoidal({ length: 2, dim: 4 });
const expected = [0, 1, 0, 1, Math.sin(1), Math.cos(1), Math.sin(0.01), Math.cos(0.01)];
assert.deepEqual([...table], expected.map(Math.fround));
const { layers } = parseHfConfig({ model_type: 'llama', hidden_size: 4096, num_attention_heads: 32 });
assert.equal(layers[0].params.headDim, 128);
console.log(`posenc loads as ${encodings.variant} and encodes`);
