import { bilingual } from './bilingual.js';
import { en } from './en.js';
import { zhHans } from './zh-hans.js';
import { zhHans as zhHant } from './zh-hans.js?traditional';

/** The page's own text, in the language on screen. Figures bring their text with them. */
export const messages = bilingual(en, zhHans, zhHant);
