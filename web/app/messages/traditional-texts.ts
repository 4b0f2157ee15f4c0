import { texts as converted } from 'virtual:traditional-texts';
import { MESSAGES } from './key.js';
import { zhHans } from './zh-hans.js?traditional';

/** All texts in traditional Chinese with their keys. */
export const texts: readonly (readonly [key: string, text: unknown])[] = [...converted, [MESSAGES, zhHans]];
