// How long it takes to the first results: from the import of the package to the first small result, and how much longer
// the first call of attention takes than a later one. Medians over processes of Node and pages of Chromium, each new.
//
//   npm run bench -- start          both variants
//   npm run bench -- start --once   one process and one page of each
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, start } from './web/start.mjs';

const options = process.argv.slice(2);
const [place, variant] = options;
const wanted = options.find((option) => !option.startsWith('-')) ?? '';
if (place === 'child') console.log(JSON.stringify(await start(variant)));
else if ('start'.includes(wanted)) await report(options.includes('--once') ? 1 : 7);

async function report(count) {
  // Node 20 holds relaxed SIMD behind a flag.
  const flags = process.versions.node.startsWith('20.') ? ['--experimental-wasm-relaxed-simd'] : [];
  const script = fileURLToPath(import.meta.url);
  for (const variant of ['simd', 'relaxed']) {
    const runs = Array.from({ length: count }, () =>
      JSON.parse(execFileSync(process.execPath, [...flags, script, 'child', variant], { encoding: 'utf8' })),
    );
    say(`Node ${process.versions.node}, ${variant}`, runs);
  }
  // Here, so that a process which is measured has loaded nothing of it.
  const { withChromium } = await import('./web/chromium.mjs');
  await withChromium(async (browser, address) => {
    for (const variant of ['simd', 'relaxed']) {
      const runs = [];
      for (let i = 0; i < count; ++i) {
        const context = await browser.newContext();
        const page = await context.newPage();
        await page.goto(address);
        runs.push(await page.evaluate(`import('/start.mjs').then(({ start }) => start('${variant}'))`));
        await context.close();
      }
      say(`Chromium ${browser.version()}, ${variant}`, runs);
    }
  });
}

function say(title, runs) {
  const of = (name) => median(runs.map((run) => run[name])).toFixed(1);
  const ratio = median(runs.map(({ first, steady }) => first / steady));
  console.log(
    `${title}: import to first result ${of('toResult')} ms; attention 8 × 512 × 64, first call ${of('first')} ms, ` +
      `later ${of('steady')} ms, ${ratio.toFixed(1)}×`,
  );
}
