// Chromium, which the tests of the page run in. Its path is handed on in CHROMIUM_PATH.
import { install } from './debian.mjs';
import { SetupError } from './log.mjs';
import { onPath } from './run.mjs';

export async function chromium() {
  if (process.env.CHROMIUM_PATH) return;
  if (!find()) await install(['chromium', 'fonts-liberation'], 'To test the page, posenc');
  const path = find();
  if (!path) throw new SetupError('Chromium was not found: install it, or put its path into CHROMIUM_PATH.');
  process.env.CHROMIUM_PATH = path;
}

function find() {
  return onPath('chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser');
}
