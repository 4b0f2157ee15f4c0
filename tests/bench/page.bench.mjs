// How the page comes up and how it follows a slider, in headless Chromium from a server on this machine.
//
//   npm run bench -- page          three visits of each language and width, four drags; medians of visits
//   npm run bench -- page --once   one visit of each
import { visit } from './web/page.mjs';

const options = process.argv.slice(2);
const wanted = options.find((option) => !option.startsWith('-')) ?? '';
if ('page'.includes(wanted)) await visit(options.includes('--once') ? 1 : 3);
