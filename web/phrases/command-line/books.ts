import type { Books } from '../language.js';
import { commandLine as en, type CommandLineBook } from './en.js';
import { commandLine as simplified } from './zh-hans.js';
import { commandLine as traditional } from './zh-hant.js';

export const commandLineBooks: Books<CommandLineBook> = { en, 'zh-Hans': simplified, 'zh-Hant': traditional };
