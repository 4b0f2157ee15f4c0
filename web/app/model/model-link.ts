import { type ParsedModel, PosencError, type RopeParams, render } from 'posenc';
import { readLinkedModel, writeLinkedModel } from '../own-model.js';

/** A longer address is cut off by some programs that pass links on. */
const LONGEST = 4000;

/** A model as a link gives it. */
export interface LinkedModel {
  /** The configuration that says the same. */
  readonly text: string;
  readonly model: ParsedModel;
}

/** The parameters of a rotary embedding as the value of a link; undefined where they are too long or it could not be read. */
export function linkOf(params: RopeParams): string | undefined {
  const written = writeLinkedModel(params);
  return written.length <= LONGEST && linkedModel(written) ? written : undefined;
}

/** What such a value stands for; undefined for any other text. */
export function linkedModel(written: string): LinkedModel | undefined {
  const params = readLinkedModel(written);
  if (!params) return undefined;
  const { maxPosition } = params;
  try {
    return {
      text: render(params, 'hf-v5'),
      model: {
        source: 'hf',
        schema: 'v5',
        encoding: params.type === 'mrope' || params.mropeSection ? 'mrope' : 'rope',
        layers: [{ name: 'all', params }],
        ...(maxPosition === undefined ? {} : { maxPosition }),
        statements: [],
        assumed: [],
      },
    };
  } catch (error) {
    if (error instanceof PosencError) return undefined;
    throw error;
  }
}
