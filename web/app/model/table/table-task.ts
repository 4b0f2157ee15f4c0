import type { Encodings } from 'posenc';

/** Rows of a learned table. */
export interface TableRequest {
  /** `[rows, dim]`. */
  readonly table: Float32Array;
  readonly rows: number;
  readonly dim: number;
}

export interface TableResult {
  /** `[rows, rows]`. */
  readonly similarity: Float32Array;
}

/** Cosine similarity of every two rows of a learned table. */
export function tableTask(encodings: Encodings, request: TableRequest): TableResult {
  return { similarity: encodings.similarity({ ...request }) };
}
