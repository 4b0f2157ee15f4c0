// Every test: the core natively under sanitizers, the package in Node, the page in Chromium; then the totals.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildLibrary, buildPage, cmake } from './build.mjs';
import { say, SetupError } from './log.mjs';
import { npmProgram, root, show } from './run.mjs';

const reports = join(root, 'build', 'reports');

export async function test() {
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  await cmake('native-debug');
  await buildLibrary();
  await buildPage();
  const results = [await ctest(), await vitest('web'), await vitest('page')];
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  say(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  if (results.some(({ ok }) => !ok)) process.exitCode = 1;
}

async function ctest() {
  const report = join(reports, 'cpp.xml');
  const status = await show('ctest', ['--preset', 'native-debug', '--output-junit', report]);
  const header = existsSync(report) ? readFileSync(report, 'utf8').slice(0, 2000) : '';
  const count = (name) => Number(new RegExp(`<testsuite[^>]*\\b${name}="(\\d+)"`).exec(header)?.[1] ?? 0);
  const [failed, skipped] = [count('failures'), count('skipped') + count('disabled')];
  return totals({ status, passed: count('tests') - failed - skipped, failed, skipped });
}

async function vitest(suite) {
  const report = join(reports, `${suite}.json`);
  const [node, script] = npmProgram('vitest/vitest.mjs');
  const config = `tests/${suite}/vitest.config.ts`;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const status = await show(node, [script, 'run', '--config', config, ...reporters]);
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const { numPassedTests: passed = 0, numFailedTests: failed = 0, numPendingTests: skipped = 0 } = counts;
  return totals({ status, passed, failed, skipped });
}

/** A suite that broke without a failed test, or that ran none, counts as one failure. */
function totals({ status, passed, failed, skipped }) {
  const broke = failed === 0 && (status !== 0 || passed === 0);
  return { ok: status === 0 && !broke, passed, failed: broke ? 1 : failed, skipped };
}
