import type { Books } from '../language.js';
import * as en from './en.js';
import * as simplified from './zh-hans.js';
import * as traditional from './zh-hant.js';

export const reasonBooks: Books<en.FindingBook> = {
  en: en.reasons,
  'zh-Hans': simplified.reasons,
  'zh-Hant': traditional.reasons,
};

/** Apart from the reasons, since few programs list all codes. */
export const meaningBooks: Books<en.MeaningBook> = {
  en: en.meanings,
  'zh-Hans': simplified.meanings,
  'zh-Hant': traditional.meanings,
};
