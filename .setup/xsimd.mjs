// xsimd, the header library behind cpp/core/simd.hpp. Where neither the system nor Debian has it, CMake fetches it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, candidate, hasMirror, unpack } from './debian.mjs';
import { cache } from './run.mjs';

const oldest = '13.2'; // the first with every WebAssembly operation that the core uses

const unpacked = join(cache, 'xsimd');

export const xsimd = {
  packages: async () => (!found() && (await debianIsRecent()) ? ['libxsimd-dev'] : []),

  async prepare() {
    if (!found() && (await hasMirror())) await unpack('trixie', ['libxsimd-dev'], unpacked);
  },
};

async function debianIsRecent() {
  return atLeast((await candidate('libxsimd-dev')) ?? '0', oldest);
}

function found() {
  return recentIn('/usr/include') || recentIn(join(unpacked, 'usr', 'include'));
}

function recentIn(folder) {
  const header = join(folder, 'xsimd', 'config', 'xsimd_config.hpp');
  if (!existsSync(header)) return false;
  const text = readFileSync(header, 'utf8');
  const part = (name) => new RegExp(`define XSIMD_VERSION_${name} (\\d+)`).exec(text)?.[1] ?? '0';
  return atLeast(`${part('MAJOR')}.${part('MINOR')}`, oldest);
}
