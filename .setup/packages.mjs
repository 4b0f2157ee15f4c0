// The npm packages of the lock files.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reconnect, root, run } from './run.mjs';

/** Those of package-lock.json. */
export const npmPackages = { prepare: () => installIn('.', 'Installing npm packages') };

/** Those that the benchmarks compare posenc with. */
export const benchPackages = { prepare: () => installIn('tests/bench', 'Installing what posenc is compared with') };

async function installIn(folder, title) {
  const wanted = join(root, folder, 'package-lock.json');
  const installed = join(root, folder, 'node_modules', '.package-lock.json'); // npm's own record, written last
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
  await run(title, 'npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], { cure: reconnect });
}
