// Firefox, the second browser that the tests of the page run in. Its path is handed on in FIREFOX_PATH.
import { SetupError } from './log.mjs';
import { onPath } from './run.mjs';

export const firefox = {
  packages: () => (find() ? [] : ['firefox-esr']),

  prepare() {
    const path = find();
    if (!path) throw new SetupError('Firefox was not found: install it, or put its path into FIREFOX_PATH.');
    process.env.FIREFOX_PATH = path;
  },
};

function find() {
  return process.env.FIREFOX_PATH || onPath('firefox-esr', 'firefox');
}
