// All workloads in this process or page. Says each result as it comes, and returns the rows of both tables.
import { engines, measure, sessions } from './measure.mjs';
import { prompts } from './wllama.mjs';
import { biases, workloads } from './workloads.mjs';

/** `Wllama` runs in a page alone; `limits` is the compiled limits.cpp. */
export async function run({ ort, Wllama, limits, once, wanted, say }) {
  const posencs = await engines();
  const session = ort && sessions(ort);
  const prompt = Wllama && prompts(Wllama);
  const isWanted = ({ name }) => name.includes(wanted);
  const compared = [];
  for (const workload of workloads({ small: once }).filter(isWanted)) {
    compared.push({ name: workload.name, taken: await measure(workload, { posencs, session, prompt, limits, once }) });
    say(workload.name);
  }
  const costly = [];
  for (const workload of biases({ small: once }).filter(isWanted)) {
    const taken = {};
    for (const posenc of posencs) {
      const { base, [posenc.variant]: ours } = await measure(workload, { posencs: [posenc], once });
      Object.assign(taken, { [posenc.variant]: ours, [`base ${posenc.variant}`]: base });
    }
    costly.push({ name: workload.name, taken });
    say(workload.name);
  }
  return { compared, costly };
}
