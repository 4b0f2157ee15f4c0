import { ChoiceGroup } from './choice-group.js';
import { ContentsRail } from './contents-rail.js';
import { CopyButton } from './copy-button.js';
import { DataTable } from './data-table.js';
import { EncodingList } from './encoding-list.js';
import { EngineNotice } from './engine-notice.js';
import { LinkNotice } from './link-notice.js';
import { MenuButton } from './menu-button.js';
import { NumberSlider } from './number-slider.js';
import { PageFooter } from './page-footer.js';
import { PageHeader } from './page-header.js';
import { PlayControl } from './play-control.js';
import { ProofLine } from './proof-line.js';
import { TextField } from './text-field.js';
import { TokenChips } from './token-chips.js';

/** The page's elements by tag. Importing a part defines nothing; the page's start does. */
export const parts: Readonly<Record<string, CustomElementConstructor>> = {
  'choice-group': ChoiceGroup,
  'contents-rail': ContentsRail,
  'copy-button': CopyButton,
  'data-table': DataTable,
  'encoding-list': EncodingList,
  'engine-notice': EngineNotice,
  'link-notice': LinkNotice,
  'menu-button': MenuButton,
  'number-slider': NumberSlider,
  'page-footer': PageFooter,
  'page-header': PageHeader,
  'play-control': PlayControl,
  'proof-line': ProofLine,
  'text-field': TextField,
  'token-chips': TokenChips,
};
