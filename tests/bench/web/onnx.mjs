// Small ONNX models, written as the protocol buffers of onnx.proto: enough for graphs of a few float nodes.

const FLOAT = 1;
const INT64 = 7;

/**
 * @param nodes    [{ op, inputs, outputs, attributes }]; attributes are whole numbers
 * @param inputs, outputs   shapes by name; an input whose name starts with "int" holds int64
 * @param constants   { name: { shape, values } } of floats, held by the model
 */
export function onnxModel({ nodes, inputs, outputs, constants = {} }) {
  const graph = [
    ...nodes.map((node) => part(1, nodeProto(node))),
    text(2, 'graph'),
    ...Object.entries(constants).map(([name, constant]) => part(5, tensorProto(name, constant))),
    ...Object.entries(inputs).map(([name, shape]) => part(11, valueProto(name, shape))),
    ...Object.entries(outputs).map(([name, shape]) => part(12, valueProto(name, shape))),
  ];
  return join([whole(1, 10), part(7, join(graph)), part(8, join([text(1, ''), whole(2, 23)]))]);
}

function nodeProto({ op, inputs, outputs, attributes = {} }) {
  const attributeProto = ([name, value]) => part(5, join([text(1, name), whole(3, value), whole(20, 2)]));
  return join([
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(attributeProto),
  ]);
}

function valueProto(name, shape) {
  const dimensions = join(shape.map((size) => part(1, whole(1, size))));
  const tensorType = join([whole(1, name.startsWith('int') ? INT64 : FLOAT), part(2, dimensions)]);
  return join([text(1, name), part(2, part(1, tensorType))]);
}

function tensorProto(name, { shape, values }) {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return join([...shape.map((size) => whole(1, size)), whole(2, FLOAT), text(8, name), part(9, bytes)]);
}

function whole(field, value) {
  return Uint8Array.from([...varint(field * 8), ...varint(value)]);
}

function text(field, value) {
  return part(field, new TextEncoder().encode(value));
}

function part(field, bytes) {
  return join([Uint8Array.from([...varint(field * 8 + 2), ...varint(bytes.length)]), bytes]);
}

function varint(value) {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

function join(parts) {
  const joined = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const bytes of parts) {
    joined.set(bytes, at);
    at += bytes.length;
  }
  return joined;
}
