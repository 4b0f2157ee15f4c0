// Emscripten, the compiler of the WebAssembly. In this order: an emcc on PATH, the system's package, and on a Debian
// whose own package is too old, Debian 13's package unpacked beside the system's clang 19.
// What is found is written into .cache/emscripten.cmake, the toolchain file of the wasm presets.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { atLeast, candidate, hasMirror, install, unpack } from './debian.mjs';
import { say, SetupError } from './log.mjs';
import { cache, capture, onPath, run } from './run.mjs';

const oldest = '3.1.69'; // the first with the final opcodes of relaxed SIMD and Embind's ahead-of-time JavaScript
const toolchainFile = join(cache, 'emscripten.cmake');
const node = join(cache, 'node');

// Of Debian's prebuilt system libraries only the plain ones are of use here: no threads, sanitizers, LTO or PIC.
const unused = ['*/emscripten/test', '*-mt*', '*-ww*', '*asan*', '*/wasm32-emscripten/lto*', '*/wasm32-emscripten/pic'];

export const emscripten = {
  async packages() {
    if (isCurrent()) return [];
    for (const { isPossible, packages } of ways) if (await isPossible()) return packages;
    return [];
  },

  async prepare() {
    if (isCurrent()) return;
    mkdirSync(cache, { recursive: true });
    writeProgram(node, nodeScript());
    for (const { name, isPossible, packages, folder } of ways) {
      if (!(await isPossible())) continue;
      await install(packages);
      const candidateFolder = await folder();
      if (await links(name, candidateFolder)) return writeToolchainFile(candidateFolder);
    }
    throw new SetupError(
      `posenc needs Emscripten ${oldest} or newer to compile to WebAssembly, and found no way to get it here.\n` +
        'Install it with emsdk (emscripten.org, "Download and install"), put emcc on PATH, and run this command again.',
    );
  },
};

/** The ways to a compiler, best first: whether it can be gone here, the packages that it takes, and where it ends. */
const ways = [
  {
    name: 'the emcc on PATH',
    isPossible: async () => atLeast(await versionOnPath(), oldest),
    packages: [],
    folder: () => folderOf(onPath('emcc')),
  },
  {
    name: "the system's Emscripten",
    isPossible: async () => atLeast((await candidate('emscripten')) ?? '0', oldest),
    packages: ['emscripten'],
    folder: () => folderOf('/usr/bin/emcc'),
  },
  {
    name: "Debian 13's Emscripten",
    isPossible: async () => (await candidate('clang-19')) !== undefined && (await hasMirror()),
    packages: ['clang-19', 'lld-19', 'llvm-19', 'python3'],
    folder: unpackEmscripten,
  },
];

/** Whether the toolchain file names a compiler and a Node that are still there. */
function isCurrent() {
  if (!existsSync(toolchainFile) || !existsSync(node)) return false;
  const folder = /^include\("(.+)\/cmake\//m.exec(readFileSync(toolchainFile, 'utf8'))?.[1];
  return folder !== undefined && existsSync(join(folder, 'emcc')) && readFileSync(node, 'utf8') === nodeScript();
}

async function versionOnPath() {
  const emcc = onPath('emcc');
  if (!emcc) return '0';
  const { output } = await capture(emcc, ['--version']);
  return /^emcc .*?(\d+\.\d+\.\d+)/m.exec(output)?.[1] ?? '0';
}

async function folderOf(emcc) {
  const { output } = await capture(join(dirname(emcc), 'em-config'), ['EMSCRIPTEN_ROOT']);
  return output.trim();
}

async function unpackEmscripten() {
  const home = join(cache, 'emscripten');
  const complete = join(home, 'package.json');
  if (!existsSync(complete)) {
    rmSync(home, { recursive: true, force: true });
    await unpack('trixie', ['emscripten', 'binaryen', 'libc6', 'libstdc++6', 'libgcc-s1'], home, { without: unused });
    writeFileSync(complete, '{ "type": "commonjs" }\n'); // the project's own would make modules of its scripts
  }
  wrapBinaryen(home);
  const folder = join(home, 'usr', 'share', 'emscripten');
  const config = {
    LLVM_ROOT: '/usr/bin',
    LLVM_ADD_VERSION: '19',
    CLANG_ADD_VERSION: '19',
    BINARYEN_ROOT: join(home, 'binaryen'),
    NODE_JS: node,
  };
  const lines = Object.entries(config).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  writeFileSync(join(folder, '.emscripten'), `${lines.join('')}FROZEN_CACHE = True\n`);
  return folder;
}

/** Binaryen's tools need a newer C library than the system's: a wrapper starts each with the one unpacked beside it. */
function wrapBinaryen(home) {
  const programs = join(home, 'usr', 'bin');
  const triplet = readdirSync(join(home, 'usr', 'lib')).find((name) => name.endsWith('-linux-gnu'));
  const libraries = join(home, 'usr', 'lib', triplet);
  const loader = readdirSync(libraries).find((name) => name.startsWith('ld-linux'));
  mkdirSync(join(home, 'binaryen', 'bin'), { recursive: true });
  for (const name of readdirSync(programs).filter((program) => program.startsWith('wasm'))) {
    const command = [join(libraries, loader), '--library-path', libraries, join(programs, name)];
    writeProgram(join(home, 'binaryen', 'bin', name), program(command));
  }
}

/** Whether the compiler of a folder links a small program with all that posenc asks for. */
async function links(name, folder) {
  const scratch = mkdtempSync(join(tmpdir(), 'posenc-'));
  const binding = 'EMSCRIPTEN_BINDINGS(probe) { emscripten::function("half", +[](float x) { return x / 2; }); }';
  writeFileSync(join(scratch, 'probe.cpp'), `#include <emscripten/bind.h>\n${binding}\n`);
  const options = ['-O2', '-msimd128', '-mrelaxed-simd', '-lembind', '-sDYNAMIC_EXECUTION=0', '-sEMBIND_AOT'];
  const where = { cwd: scratch, env: { ...process.env, EM_NODE_JS: node } };
  try {
    await run(`Trying ${name}`, join(folder, 'em++'), ['probe.cpp', ...options, '-o', 'probe.mjs'], where);
    return true;
  } catch (error) {
    say(error.message);
    return false;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function writeToolchainFile(folder) {
  writeFileSync(
    toolchainFile,
    `include("${folder}/cmake/Modules/Platform/Emscripten.cmake")\n` +
      `set(CMAKE_CXX_LINKER_LAUNCHER "\${CMAKE_COMMAND}" -E env "EM_NODE_JS=${node}")\n`,
  );
}

/**
 * The Node that Emscripten uses is the one that runs the set-up. To write the JavaScript of the bindings, the linker
 * runs the module once, and Node 20 accepts relaxed SIMD only when it is told to.
 */
function nodeScript() {
  const relaxedModule = Uint8Array.of(
    ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0], // one function, () -> v128
    ...[10, 15, 1, 13, 0, 65, 0, 253, 15, 65, 0, 253, 15, 253, 128, 2, 11], // i8x16.relaxed_swizzle of two splats
  );
  const flags = WebAssembly.validate(relaxedModule) ? [] : ['--experimental-wasm-relaxed-simd'];
  return program([process.execPath, ...flags]);
}

/** A shell script that starts a command with the arguments it is given. */
function program(command) {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`;
}

function writeProgram(path, text) {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}
