// Debian's packages: installing them, and unpacking those of a newer suite into a folder without installing them.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, SetupError } from './log.mjs';
import { cache, capture, onPath, reconnect, run } from './run.mjs';

const quietly = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
const waitForLock = ['-o', 'DPkg::Lock::Timeout=600'];

/** Installs those of these packages that are missing, system-wide. */
export async function install(packages) {
  const missing = [];
  for (const name of packages) if (!(await isInstalled(name))) missing.push(name);
  if (missing.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (!onPath('apt-get')) {
    throw new SetupError(
      `posenc needs programs that were not found. Debian calls their packages\n  ${missing.join(' ')}\n` +
        "Install them with your system's package manager and run this command again.",
    );
  }
  const asRoot = await rootPrefix();
  if (!asRoot) {
    const [who, sudo] = onPath('sudo') ? ['sudo asks for a password', 'sudo '] : ['there is no sudo', ''];
    throw new SetupError(
      `posenc needs packages that only root can install, and ${who} here. Run this${sudo ? '' : ' as root'}, ` +
        `then this command again:\n  ${sudo}apt-get update && ${sudo}${command}`,
    );
  }
  await update();
  const [program, ...args] = [...asRoot, ...command.split(' '), ...waitForLock];
  await run(`Installing ${missing.join(', ')}`, program, args, { env: quietly, cure: reconnect });
}

async function isInstalled(name) {
  const { output } = await capture('dpkg-query', ['-W', '-f=${db:Status-Status}', name], { env: quietly });
  return output === 'installed';
}

/** The version of a package that the system would install, without epoch; undefined when it knows none. */
export async function candidate(name) {
  if (!onPath('apt-get')) return undefined;
  if (await rootPrefix()) await update();
  const { output } = await capture('apt-cache', ['policy', name], { env: quietly });
  return /Candidate: (?:\d+:)?(\d\S*)/.exec(output)?.[1];
}

/** Whether a dotted version is at least another; anything after the numbers is ignored. */
export function atLeast(version, oldest) {
  const parts = (text) => (/^\d+(\.\d+)*/.exec(text)?.[0] ?? '0').split('.').map(Number);
  const [a, b] = [parts(version), parts(oldest)];
  const differs = b.findIndex((part, i) => (a[i] ?? 0) !== part);
  return differs === -1 || (a[differs] ?? 0) > b[differs];
}

let prefix;

/** What to write before a command so that root runs it: nothing, sudo, or undefined when neither is to be had. */
async function rootPrefix() {
  prefix ??= (async () => {
    if (process.getuid() === 0) return [];
    const sudo = onPath('sudo');
    const allowed = sudo && (await capture(sudo, ['-n', 'true'])).status === 0;
    return allowed ? [sudo, '-n', 'env', 'DEBIAN_FRONTEND=noninteractive'] : undefined;
  })();
  return prefix;
}

let updated;

/** Reads the package lists, once. A source that fails is no reason to stop: the packages may come from the others. */
function update() {
  updated ??= (async () => {
    const [program, ...args] = [...(await rootPrefix()), 'apt-get', 'update', ...waitForLock];
    await run("Reading the system's package lists", program, args, { env: quietly, cure: reconnect }).catch((error) =>
      say(error.message),
    );
  })();
  return updated;
}

/**
 * Unpacks packages of another Debian suite into a folder. They come from the mirror that the system's own sources
 * name, through an apt configuration of our own: the system's sources, lists and packages stay as they are.
 */
export async function unpack(suite, packages, folder, { without = [] } = {}) {
  const apt = await privateApt(suite);
  const archives = join(apt.folder, 'archives');
  rmSync(archives, { recursive: true, force: true });
  mkdirSync(archives, { recursive: true });
  const title = `${packages.join(', ')} of Debian ${suite}`;
  await run(`Downloading ${title}`, 'apt-get', ['download', ...packages], {
    cwd: archives,
    env: apt.env,
    cure: reconnect,
  });
  mkdirSync(folder, { recursive: true });
  const excludes = without.map((pattern) => `--exclude='${pattern}'`).join(' ');
  const script = `set -e; for deb in *.deb; do dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$0" ${excludes}; done`;
  await run(`Unpacking ${title}`, 'sh', ['-c', script, folder], { cwd: archives });
  rmSync(archives, { recursive: true });
}

/** Whether this is a Debian whose sources name a mirror. */
export async function hasMirror() {
  return (await mirror()) !== undefined;
}

const privateApts = new Map();

function privateApt(suite) {
  if (!privateApts.has(suite)) privateApts.set(suite, makePrivateApt(suite));
  return privateApts.get(suite);
}

async function makePrivateApt(suite) {
  const folder = join(cache, `apt-${suite}`);
  for (const part of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, part), { recursive: true });
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  writeFileSync(join(folder, 'sources.list'), `deb [signed-by=${keyring}] ${await mirror()} ${suite} main\n`);
  const settings = {
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferences': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'Acquire::Languages': 'none',
    ...(process.getuid() === 0 && { 'APT::Sandbox::User': 'root' }), // the folder may be closed to apt's own user
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} "${value}";\n`);
  writeFileSync(join(folder, 'apt.conf'), lines.join(''));
  const env = { ...quietly, APT_CONFIG: join(folder, 'apt.conf') };
  await run(`Reading the package lists of Debian ${suite}`, 'apt-get', ['update', '--error-on=any'], {
    env,
    cure: reconnect,
  });
  return { folder, env };
}

async function mirror() {
  if (!onPath('apt-get') || !existsSync('/etc/os-release')) return undefined;
  const codename = /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  const fields = '$(CODENAME) $(COMPONENT) $(ORIGIN) $(REPO_URI)';
  const { output } = await capture('apt-get', ['indextargets', '--format', fields, 'Created-By: Packages']);
  const line = output.split('\n').find((text) => text.startsWith(`${codename} main Debian `));
  return line?.split(' ').at(-1);
}
