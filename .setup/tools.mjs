// The programs that build, test, measure and format, other than Emscripten: which of their packages are missing.
import { existsSync } from 'node:fs';
import { atLeast, candidate } from './debian.mjs';
import { SetupError } from './log.mjs';
import { capture, onPath } from './run.mjs';

/** CMake and Ninja. */
export const buildTools = {
  packages: () => [...(onPath('cmake') ? [] : ['cmake']), ...(onPath('ninja') ? [] : ['ninja-build'])],

  async prepare() {
    const version = /version (\S+)/.exec((await capture('cmake', ['--version'])).output)?.[1] ?? '0';
    if (!atLeast(version, '3.25'))
      throw new SetupError(`posenc needs CMake 3.25 or newer, and this one is ${version}.`);
  },
};

/** GoogleTest, and Clang with its sanitizers and libFuzzer; where the system has no Clang 19, the compiler that it has. */
export const testTools = {
  async packages() {
    const library = existsSync('/usr/include/gtest/gtest.h') ? [] : ['libgtest-dev'];
    const hasClang = onPath('clang++-19') || (await candidate('clang-19')) !== undefined;
    return [...library, ...(hasClang ? ['clang-19', 'libclang-rt-19-dev'] : nativeCompiler())];
  },
};

/** Google Benchmark and a native compiler. */
export const benchTools = {
  packages() {
    const library = existsSync('/usr/include/benchmark/benchmark.h') ? [] : ['libbenchmark-dev'];
    return [...library, ...nativeCompiler()];
  },
};

/** clang-format in one version, since versions differ in what they write. */
export const formatter = {
  packages: () => (onPath('clang-format-19') ? [] : ['clang-format-19']),
};

function nativeCompiler() {
  return onPath('clang++-19', 'c++') ? [] : ['g++'];
}
