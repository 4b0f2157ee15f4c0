// The programs that build, test and format, other than Emscripten.
import { existsSync } from 'node:fs';
import { atLeast, install, installed } from './debian.mjs';
import { SetupError } from './log.mjs';
import { capture, onPath } from './run.mjs';

/** CMake and Ninja. */
export async function buildTools() {
  const missing = [!onPath('cmake') && 'cmake', !onPath('ninja') && 'ninja-build'].filter(Boolean);
  if (missing.length > 0) await install(missing, 'To build, posenc');
  const version = /version (\S+)/.exec((await capture('cmake', ['--version'])).output)?.[1] ?? '0';
  if (!atLeast(version, '3.25')) throw new SetupError(`posenc needs CMake 3.25 or newer, and this one is ${version}.`);
}

/** GoogleTest, and a native compiler with its sanitizers. */
export async function testTools() {
  const missing = [];
  if (!existsSync('/usr/include/gtest/gtest.h')) missing.push('libgtest-dev');
  if (!onPath('clang++-19')) {
    if (!onPath('c++')) missing.push('g++');
  } else if (!(await installed('libclang-rt-19-dev'))) {
    missing.push('libclang-rt-19-dev');
  }
  if (missing.length > 0) await install(missing, 'To test the C++ core, posenc');
}

/** Google Benchmark. */
export async function benchTools() {
  if (!existsSync('/usr/include/benchmark/benchmark.h')) await install(['libbenchmark-dev'], 'To measure, posenc');
}

/** clang-format, in one version, since versions differ in what they write. */
export async function formatter() {
  if (!onPath('clang-format-19')) await install(['clang-format-19'], 'To format C++, posenc');
}
