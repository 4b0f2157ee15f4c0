import { bilingual } from './bilingual.js';
import { en } from './en.js';
import { zhHans } from './zh-hans.js';

/** The page's own text, in the language on screen. Figures bring their text with them. */
export const messages = bilingual(en, zhHans);
