import fc from 'fast-check';

/** One change to some bytes. Places count from the start and wrap around. */
type ByteEdit =
  | { kind: 'set'; at: number; byte: number }
  | { kind: 'number'; at: number; value: bigint }
  | { kind: 'insert'; at: number; bytes: Uint8Array }
  | { kind: 'remove'; at: number; count: number }
  | { kind: 'cut'; at: number };

/** Numbers of 64 bits that readers stumble over. */
const EXTREMES = [0n, 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n, 0x7ff8n << 48n];

const place = fc.nat({ max: 4095 });
const byteEdit: fc.Arbitrary<ByteEdit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('set'), at: place, byte: fc.nat({ max: 255 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('number'), at: place, value: fc.constantFrom(...EXTREMES) }) },
  fc.record({ kind: fc.constant('insert'), at: place, bytes: fc.uint8Array({ minLength: 1, maxLength: 9 }) }),
  fc.record({ kind: fc.constant('remove'), at: place, count: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ kind: fc.constant('cut'), at: place }),
) as fc.Arbitrary<ByteEdit>;

/** One of some files, with a few bytes changed. */
export function mutatedBytes(seeds: readonly ArrayBuffer[]): fc.Arbitrary<ArrayBuffer> {
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(byteEdit, { minLength: 1, maxLength: 4 }))
    .map(([seed, edits]) => edits.reduce(edited, new Uint8Array(seed.slice(0))).buffer as ArrayBuffer);
}

function edited(bytes: Uint8Array, edit: ByteEdit): Uint8Array {
  const at = bytes.length === 0 ? 0 : edit.at % bytes.length;
  switch (edit.kind) {
    case 'set':
      if (bytes.length > 0) bytes[at] = edit.byte;
      return bytes;
    case 'number':
      if (bytes.length >= 8) new DataView(bytes.buffer).setBigUint64(Math.min(at, bytes.length - 8), edit.value, true);
      return bytes;
    case 'insert':
      return Uint8Array.from([...bytes.subarray(0, at), ...edit.bytes, ...bytes.subarray(at)]);
    case 'remove':
      return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + edit.count)]);
    case 'cut':
      return bytes.slice(0, at);
  }
}

/** Values that readers of JSON stumble over. */
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    1,
    2,
    0.5,
    1e-320,
    1e308,
    2 ** 31,
    2 ** 53,
    '',
    '8',
    'yarn',
    'linear',
  ),
  fc.constantFrom<unknown>(
    [],
    [0],
    [16, 24, 24],
    {},
    { rope_type: 'longrope' },
    { factor: 8 },
    { a: { b: { c: {} } } },
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.double(),
  fc.array(fc.double(), { maxLength: 70 }),
);

/** Names that are those of every object too. */
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'rope_scaling', 'type', '', '0'];

interface JsonEdit {
  at: number;
  value: unknown;
  name: string | undefined;
  isRemoved: boolean;
}

const jsonEdit: fc.Arbitrary<JsonEdit> = fc.record({
  at: fc.nat({ max: 255 }),
  value: oddValue,
  name: fc.option(fc.constantFrom(...NAMES), { nil: undefined, freq: 4 }),
  isRemoved: fc.boolean(),
});

/** The text of one of some values, with a few of its parts changed, removed or renamed. */
export function mutatedJson(seeds: readonly unknown[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(jsonEdit, { minLength: 1, maxLength: 4 }))
    .map(([seed, edits]) => edits.reduce(editedText, JSON.stringify(seed)));
}

/** Written member by member, so that names like __proto__ stay names. */
function editedText(text: string, edit: JsonEdit): string {
  const root = JSON.parse(text) as unknown;
  let place = 0;
  const write = (node: unknown, target: number): string => {
    if (typeof node !== 'object' || node === null) return JSON.stringify(node);
    const isList = Array.isArray(node);
    const members = Object.entries(node).flatMap(([key, child]: [string, unknown]) => {
      const isTarget = place++ === target;
      if (isTarget && edit.isRemoved && edit.name === undefined) return [];
      const isReplaced = isTarget && edit.name === undefined;
      const value = isReplaced ? (JSON.stringify(edit.value) ?? 'null') : write(child, target);
      return isList ? value : `${JSON.stringify((isTarget ? edit.name : undefined) ?? key)}:${value}`;
    });
    return isList ? `[${members.join()}]` : `{${members.join()}}`;
  };
  write(root, -1);
  const target = edit.at % Math.max(1, place);
  place = 0;
  return write(root, target);
}
