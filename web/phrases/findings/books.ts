import type { Books } from '../language.js';
import { findings as en, type FindingBook } from './en.js';
import { findings as simplified } from './zh-hans.js';
import { findings as traditional } from './zh-hant.js';

export const findingBooks: Books<FindingBook> = { en, 'zh-Hans': simplified, 'zh-Hant': traditional };
