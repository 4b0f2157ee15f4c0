import type { Books } from '../language.js';
import { settings as en, type SettingBook } from './en.js';
import { settings as simplified } from './zh-hans.js';
import { settings as traditional } from './zh-hant.js';

export const settingBooks: Books<SettingBook> = { en, 'zh-Hans': simplified, 'zh-Hant': traditional };
