import type { TaskName } from '../engine/protocol.js';
import type { Texts } from '../texts/index.js';
import { AliasesFigure } from './aliases/figure.js';
import { DistanceFigure } from './distance/figure.js';
import { HandsFigure } from './hands/figure.js';
import { NumbersFigure } from './numbers/figure.js';
import { LedgerFigure } from './ledger/figure.js';
import { OrderFigure } from './order/figure.js';
import { DecayFigure } from './decay/figure.js';
import { ExtendFigure } from './extend/figure.js';
import { PrecisionFigure } from './precision/figure.js';
import { RelativeFigure } from './relative/figure.js';
import { RotateFigure } from './rotate/figure.js';
import { SlideFigure } from './slide/figure.js';
import { StepsFigure } from './steps/figure.js';
import { TermsFigure } from './terms/figure.js';
import { WavesFigure } from './waves/figure.js';

/** The name of a figure's task and of its texts, and the id of its section. */
export type FigureName = Exclude<TaskName & keyof Texts, 'speed' | 'table'>;
export type FigureGroup = 'add' | 'rotate' | 'real';

export interface FigureEntry {
  readonly task: FigureName;
  readonly group: FigureGroup;
  /** Defined as `<task>-figure`. */
  readonly element: new () => HTMLElement;
}

/** The figures in the order of the page; numbers follow from it. */
export const figures: readonly FigureEntry[] = [
  { task: 'order', group: 'add', element: OrderFigure },
  { task: 'numbers', group: 'add', element: NumbersFigure },
  { task: 'waves', group: 'add', element: WavesFigure },
  { task: 'hands', group: 'add', element: HandsFigure },
  { task: 'distance', group: 'add', element: DistanceFigure },
  { task: 'aliases', group: 'add', element: AliasesFigure },
  { task: 'rotate', group: 'rotate', element: RotateFigure },
  { task: 'slide', group: 'rotate', element: SlideFigure },
  { task: 'steps', group: 'rotate', element: StepsFigure },
  { task: 'terms', group: 'rotate', element: TermsFigure },
  { task: 'decay', group: 'rotate', element: DecayFigure },
  { task: 'relative', group: 'rotate', element: RelativeFigure },
  { task: 'extend', group: 'real', element: ExtendFigure },
  { task: 'precision', group: 'real', element: PrecisionFigure },
  { task: 'ledger', group: 'real', element: LedgerFigure },
];
