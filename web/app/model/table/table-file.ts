import { type State, type TensorEntry, PosencError, errorText, parseNpy, parseSafetensors } from 'posenc';

/** A table in a file: a tensor of floats with two axes of more than one entry. */
export interface TableEntry {
  /** As the file names it; the file's own name where the tensor has none. */
  readonly name: string;
  /** As the file names it; undefined for an array of NumPy, of which the reader tells the numbers alone. */
  readonly dtype: string | undefined;
  readonly rows: number;
  readonly dim: number;
}

/** The tables of a file. Their numbers stay in the file until they are read. */
export interface TableFile {
  readonly format: TableFormat;
  /** In the order of the file. */
  readonly tables: readonly TableEntry[];
  /** Whether their names speak of positions; if none does, every table of the file is here. */
  readonly areNamed: boolean;
  /** `[rows, dim]` of one of them. Throws what the reader of the library throws. */
  readonly read: (name: string) => Promise<Float32Array>;
}

export type TableFormat = 'safetensors' | 'npy';

const FLOATS: readonly string[] = ['F16', 'BF16', 'F32', 'F64'];
/** A part of a tensor's name that speaks of positions: `wpe.weight`, `embed_positions.weight`, `pos_embed`. */
const POSITION_NAME = /^(wpe|pe|pos|pos_?emb\w*|posit\w*)$/i;
/** A larger table is no table of positions, and its numbers would take more than 256 MB. */
const MOST_NUMBERS = 2 ** 26;

/**
 * Reads which tables a file has: of `.safetensors` the header alone, of `.npy` all of it, since it has one array.
 *
 * Throws what `parseSafetensors` and `parseNpy` throw; `bad-argument` for an array that is not a table or too large.
 */
export async function openTableFile(file: File, format: TableFormat): Promise<TableFile> {
  return format === 'npy' ? openNpy(file) : openSafetensors(file);
}

async function openSafetensors(file: File): Promise<TableFile> {
  const index = await parseSafetensors(file);
  const all = index.tensors.flatMap((entry) => tableOf(entry) ?? []);
  const named = all.filter(({ name }) => name.split(/[._-]/).some((part) => POSITION_NAME.test(part)));
  const areNamed = named.length > 0;
  return { format: 'safetensors', tables: areNamed ? named : all, areNamed, read: (name) => index.read(name) };
}

function tableOf({ name, dtype, shape }: TensorEntry): TableEntry | undefined {
  const sizes = tableSizes(shape);
  return sizes && FLOATS.includes(dtype) ? { name, dtype, ...sizes } : undefined;
}

/** A vision transformer has [1, rows, dim], PyTorch’s own tutorial [rows, 1, dim]. */
function tableSizes(shape: readonly number[]): { rows: number; dim: number } | undefined {
  const [rows, dim, ...others] = shape.filter((size) => size !== 1);
  if (rows === undefined || dim === undefined || others.length > 0) return undefined;
  return rows > 0 && dim > 0 && rows * dim <= MOST_NUMBERS ? { rows, dim } : undefined;
}

async function openNpy(file: File): Promise<TableFile> {
  const refused = (state: State): PosencError => {
    const facts = { argument: file.name, rule: { kind: 'table', most: MOST_NUMBERS }, state } as const;
    return new PosencError('bad-argument', errorText({ message: 'no table', ...facts }, 'en'), facts);
  };
  // A number has at most 8 bytes, the header at most a few hundred.
  if (file.size > 9 * MOST_NUMBERS) throw refused({ kind: 'bytes', count: file.size });
  const { data, shape } = parseNpy(await file.arrayBuffer());
  const sizes = tableSizes(shape);
  if (!sizes) throw refused({ kind: 'shape', shape });
  const table: TableEntry = { name: file.name, dtype: undefined, ...sizes };
  return { format: 'npy', tables: [table], areNamed: true, read: () => Promise.resolve(data) };
}
