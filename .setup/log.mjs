// What the set-up says: one line per step with the time it took, progress in between, and one clear error.

/** An error whose message is meant for the reader: it says what is missing and how to get it. */
export class SetupError extends Error {}

export function say(text) {
  console.log(text);
}

/** Runs a command of the set-up; a SetupError ends it with its message alone. */
export async function report(command) {
  try {
    await command();
  } catch (error) {
    console.error(`\n${error instanceof SetupError ? error.message : error.stack}`);
    process.exitCode = 1;
  }
}

/** Shows that a long step is at work: a changing line on a terminal, else a line every ten seconds. */
export function progress(title) {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(0)} s`;
  const terminal = process.stdout.isTTY;
  let detail = '';
  const show = () => {
    const line = `${title} … ${seconds()}  ${detail}`;
    if (terminal) process.stdout.write(`\r\x1b[K${line.slice(0, process.stdout.columns - 1)}`);
    else say(line.trimEnd());
  };
  if (!terminal) say(`${title} …`);
  const timer = setInterval(show, terminal ? 200 : 10_000);
  return {
    detail(text) {
      detail = text;
    },
    end(outcome) {
      clearInterval(timer);
      say(terminal ? `\r\x1b[K${title}: ${outcome}, ${seconds()}` : `  ${outcome}, ${seconds()}`);
    },
  };
}
