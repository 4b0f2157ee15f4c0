import { ChoiceGroup } from '../parts/choice-group.js';
import { CopyButton } from '../parts/copy-button.js';
import { DataTable } from '../parts/data-table.js';
import { MenuButton } from '../parts/menu-button.js';
import { NumberSlider } from '../parts/number-slider.js';
import { PlayControl } from '../parts/play-control.js';
import { ProofLine } from '../parts/proof-line.js';
import { TextField } from '../parts/text-field.js';
import { TokenChips } from '../parts/token-chips.js';
import { ContentsRail } from './contents-rail.js';
import { EncodingList } from './encoding-list.js';
import { EngineNotice } from './engine-notice.js';
import { LinkNotice } from './link-notice.js';
import { PageFooter } from './page-footer.js';
import { PageHeader } from './page-header.js';

/** The page's elements by tag. Importing a part defines nothing; the page's start does. */
export const elements: Readonly<Record<string, CustomElementConstructor>> = {
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
