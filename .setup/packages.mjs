// The npm packages of package-lock.json.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reconnect, root, run } from './run.mjs';

export const npmPackages = {
  async prepare() {
    const wanted = join(root, 'package-lock.json');
    const installed = join(root, 'node_modules', '.package-lock.json'); // npm's own record, written last
    if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
    await run('Installing npm packages', 'npm', ['ci', '--no-audit', '--no-fund'], { cure: reconnect });
  },
};
