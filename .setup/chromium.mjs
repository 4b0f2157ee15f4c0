// Chromium, which the tests of the page run in. Its path is handed on in CHROMIUM_PATH.
import { SetupError } from './log.mjs';
import { onPath } from './run.mjs';

export const chromium = {
  // A fresh machine has no fonts, and the page is laid out in Latin, Chinese and mathematics.
  packages: () => (find() ? [] : ['chromium', 'fonts-dejavu', 'fonts-noto-cjk']),

  prepare() {
    const path = find();
    if (!path) throw new SetupError('Chromium was not found: install it, or put its path into CHROMIUM_PATH.');
    process.env.CHROMIUM_PATH = path;
  },
};

function find() {
  const names = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser'];
  return process.env.CHROMIUM_PATH || onPath(...names);
}
