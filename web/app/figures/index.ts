import type { TaskName } from '../engine/protocol.js';
import type { FigureText } from '../parts/figure.js';
import { AliasesFigure } from './aliases.js';
import { aliasesText } from './aliases-text.js';
import { DistanceFigure } from './distance.js';
import { distanceText } from './distance-text.js';
import { HandsFigure } from './hands.js';
import { handsText } from './hands-text.js';
import { NumbersFigure } from './numbers.js';
import { numbersText } from './numbers-text.js';
import { LedgerFigure } from './ledger.js';
import { ledgerText } from './ledger-text.js';
import { OrderFigure } from './order.js';
import { orderText } from './order-text.js';
import { DecayFigure } from './decay.js';
import { decayText } from './decay-text.js';
import { ExtendFigure } from './extend.js';
import { extendText } from './extend-text.js';
import { PrecisionFigure } from './precision.js';
import { precisionText } from './precision-text.js';
import { RelativeFigure } from './relative.js';
import { relativeText } from './relative-text.js';
import { RotateFigure } from './rotate.js';
import { rotateText } from './rotate-text.js';
import { SlideFigure } from './slide.js';
import { slideText } from './slide-text.js';
import { StepsFigure } from './steps.js';
import { stepsText } from './steps-text.js';
import { TermsFigure } from './terms.js';
import { termsText } from './terms-text.js';
import { WavesFigure } from './waves.js';
import { wavesText } from './waves-text.js';

export type FigureGroup = 'add' | 'rotate' | 'real';

export interface FigureEntry {
  /** The figure's task, and the id of its section. */
  readonly task: TaskName;
  readonly group: FigureGroup;
  readonly text: () => FigureText;
  /** Defined as `<task>-figure`. */
  readonly element: new () => HTMLElement;
}

/** The figures in the order of the page; numbers follow from it. */
export const figures: readonly FigureEntry[] = [
  { task: 'order', group: 'add', text: orderText, element: OrderFigure },
  { task: 'numbers', group: 'add', text: numbersText, element: NumbersFigure },
  { task: 'waves', group: 'add', text: wavesText, element: WavesFigure },
  { task: 'hands', group: 'add', text: handsText, element: HandsFigure },
  { task: 'distance', group: 'add', text: distanceText, element: DistanceFigure },
  { task: 'aliases', group: 'add', text: aliasesText, element: AliasesFigure },
  { task: 'rotate', group: 'rotate', text: rotateText, element: RotateFigure },
  { task: 'slide', group: 'rotate', text: slideText, element: SlideFigure },
  { task: 'steps', group: 'rotate', text: stepsText, element: StepsFigure },
  { task: 'terms', group: 'rotate', text: termsText, element: TermsFigure },
  { task: 'decay', group: 'rotate', text: decayText, element: DecayFigure },
  { task: 'relative', group: 'rotate', text: relativeText, element: RelativeFigure },
  { task: 'extend', group: 'real', text: extendText, element: ExtendFigure },
  { task: 'precision', group: 'real', text: precisionText, element: PrecisionFigure },
  { task: 'ledger', group: 'real', text: ledgerText, element: LedgerFigure },
];
