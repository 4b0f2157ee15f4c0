// A model for wllama, written as a GGUF file: one layer of the architecture of Llama with one head, and random weights.

const FLOAT32 = 0; // as the type of a tensor
const types = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 };
const ALIGNMENT = 32;

/** The one letter of the vocabulary beside bytes and marks: every prompt is of it, and so is every answer. */
export const LETTER = 'a';

/** The file, for prompts of up to `context` tokens. */
export function oneHeadModel({ width, context }) {
  const bytes = Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`);
  const vocabulary = [
    ...['<unk>', '<s>', '</s>'].map((token, i) => ({ token, type: i === 0 ? 2 : 3 })),
    ...bytes.map((token) => ({ token, type: 6 })),
    { token: LETTER, type: 1 },
  ];
  const hidden = width / 2;
  const entries = [
    entry('general.architecture', 'string', 'llama'),
    entry('llama.context_length', 'uint32', context),
    entry('llama.embedding_length', 'uint32', width),
    entry('llama.block_count', 'uint32', 1),
    entry('llama.feed_forward_length', 'uint32', hidden),
    entry('llama.attention.head_count', 'uint32', 1),
    entry('llama.attention.layer_norm_rms_epsilon', 'float32', 1e-5),
    entry('llama.rope.dimension_count', 'uint32', width),
    entry('tokenizer.ggml.model', 'string', 'llama'),
    list(
      'tokenizer.ggml.tokens',
      'string',
      vocabulary.map(({ token }) => token),
    ),
    list(
      'tokenizer.ggml.scores',
      'float32',
      vocabulary.map(() => 0),
    ),
    list(
      'tokenizer.ggml.token_type',
      'int32',
      vocabulary.map(({ type }) => type),
    ),
    entry('tokenizer.ggml.bos_token_id', 'uint32', 1),
    entry('tokenizer.ggml.eos_token_id', 'uint32', 2),
    entry('tokenizer.ggml.add_bos_token', 'bool', false),
    entry('tokenizer.ggml.add_space_prefix', 'bool', false),
  ];
  const ones = () => 1;
  const random = () => Math.random() / 5 - 0.1;
  // The letter is far longer than the other tokens, so that it is also what comes next.
  const embedding = (i) => random() * (Math.floor(i / width) === vocabulary.length - 1 ? 30 : 1);
  const tensors = [
    tensor('token_embd.weight', [width, vocabulary.length], embedding),
    tensor('output_norm.weight', [width], ones),
    tensor('blk.0.attn_norm.weight', [width], ones),
    ...['q', 'k', 'v', 'output'].map((name) => tensor(`blk.0.attn_${name}.weight`, [width, width], random)),
    tensor('blk.0.ffn_norm.weight', [width], ones),
    tensor('blk.0.ffn_gate.weight', [width, hidden], random),
    tensor('blk.0.ffn_up.weight', [width, hidden], random),
    tensor('blk.0.ffn_down.weight', [hidden, width], random),
  ];
  let offset = 0;
  const infos = tensors.map(({ name, shape, values }) => {
    const info = [...text(name), ...whole32(shape.length), ...shape.flatMap(whole64), ...whole32(FLOAT32)];
    info.push(...whole64(offset));
    offset += padded(values.byteLength);
    return info;
  });
  const head = Uint8Array.from([
    ...new TextEncoder().encode('GGUF'),
    ...whole32(3),
    ...whole64(tensors.length),
    ...whole64(entries.length),
    ...entries.flat(),
    ...infos.flat(),
  ]);
  const parts = [head, ...tensors.map(({ values }) => values)];
  return new Blob(parts.flatMap((part) => [part, new Uint8Array(padded(part.byteLength) - part.byteLength)]));
}

function tensor(name, shape, value) {
  const length = shape.reduce((product, size) => product * size);
  return { name, shape, values: Float32Array.from({ length }, (_, i) => value(i)) };
}

function entry(key, type, value) {
  return [...text(key), ...whole32(types[type]), ...scalar(type, value)];
}

function list(key, type, values) {
  const items = values.flatMap((value) => scalar(type, value));
  return [...text(key), ...whole32(types.array), ...whole32(types[type]), ...whole64(values.length), ...items];
}

function scalar(type, value) {
  if (type === 'string') return text(value);
  if (type === 'bool') return [Number(value)];
  return type === 'float32' ? [...new Uint8Array(Float32Array.of(value).buffer)] : whole32(value);
}

function text(value) {
  const encoded = new TextEncoder().encode(value);
  return [...whole64(encoded.length), ...encoded];
}

function whole32(value) {
  return [...new Uint8Array(Uint32Array.of(value).buffer)];
}

function whole64(value) {
  return [...new Uint8Array(BigUint64Array.of(BigInt(value)).buffer)];
}

function padded(length) {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
