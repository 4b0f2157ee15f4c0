import { heroBadge, heroStrip } from '../hero/hero-tasks.js';
import { aliasesTask } from './aliases/task.js';
import { distanceCurveTask, distancePairTask, distanceTask } from './distance/task.js';
import { readTask } from '../model/read-task.js';
import { tableTask } from '../model/table/table-task.js';
import { speedTask } from '../speed/speed-task.js';
import { handsTask } from './hands/task.js';
import { numbersTask } from './numbers/task.js';
import { orderTask } from './order/task.js';
import { decayTask } from './decay/task.js';
import { extendTask } from './extend/task.js';
import { ledgerTask } from './ledger/task.js';
import { precisionTask } from './precision/task.js';
import { relativeTask } from './relative/task.js';
import { rotateTask } from './rotate/task.js';
import { slideCurveTask, slideTask } from './slide/task.js';
import { stepsTask } from './steps/task.js';
import { termsTask } from './terms/task.js';
import { wavesColumnTask, wavesTask } from './waves/task.js';

/** Everything the worker can be asked. A figure adds one line; its name here is its name everywhere. */
export const tasks = {
  heroStrip,
  heroBadge,
  order: orderTask,
  numbers: numbersTask,
  waves: wavesTask,
  wavesColumn: wavesColumnTask,
  hands: handsTask,
  distance: distanceTask,
  distancePair: distancePairTask,
  distanceCurve: distanceCurveTask,
  aliases: aliasesTask,
  rotate: rotateTask,
  slide: slideTask,
  slideCurve: slideCurveTask,
  steps: stepsTask,
  terms: termsTask,
  decay: decayTask,
  relative: relativeTask,
  extend: extendTask,
  precision: precisionTask,
  ledger: ledgerTask,
  speed: speedTask,
  table: tableTask,
  read: readTask,
};
