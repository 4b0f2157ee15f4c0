import type { RopeParams } from 'posenc';
import { METHODS } from '../figures/extend/task.js';
import { readOwnModel, writeOwnModel } from '../own-model.js';
import { nearestOnGrid } from '../state/fields.js';
import type { WrittenState } from '../state/link.js';

export type LoadedTask = 'slide' | 'extend' | 'precision';

/** What of the context-extension figure can differ from the model. */
const FACTORS = { minimum: 1, maximum: 64, step: 1 };
const LENGTHS = { minimum: 1024, maximum: 2 ** 20, step: 1 };

/** A figure and the values of its controls that show a model. */
export interface FigureLoad {
  readonly task: LoadedTask;
  readonly state: WrittenState;
  /** The factor that the figure shows, where it cannot show the model's. */
  readonly factor?: number;
}

/** The figures that can show a rotary embedding: on rotation, context extension and precision. */
export function figureLoads(params: RopeParams): FigureLoad[] {
  // Both compare scores of unit vectors, which a factor on the table would only stretch.
  const model = writeOwnModel({ ...params, attentionFactor: 1 });
  if (!readOwnModel(model)) return [];
  const unit = (task: LoadedTask): FigureLoad => ({ task, state: new Map([['model', model]]) });
  return [unit('slide'), ...extendLoad(params), unit('precision')];
}

function extendLoad(params: RopeParams): FigureLoad[] {
  const type = params.type === undefined || params.type === 'mrope' ? 'default' : params.type;
  const originalMaxPosition = params.originalMaxPosition ?? params.maxPosition;
  if (originalMaxPosition === undefined || !METHODS.some((method) => method === type)) return [];
  const model = writeOwnModel({ ...params, originalMaxPosition });
  if (!readOwnModel(model)) return [];
  const { maxPosition = originalMaxPosition } = params;
  const factor = type === 'default' ? 1 : (params.factor ?? maxPosition / originalMaxPosition);
  const shown = nearestOnGrid(factor, FACTORS);
  const state = new Map([
    ['model', model],
    ['method', type],
    ['factor', String(shown)],
    ['length', String(nearestOnGrid(maxPosition, LENGTHS))],
  ]);
  return [{ task: 'extend', state, ...(shown === factor ? {} : { factor: shown }) }];
}
