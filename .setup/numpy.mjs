// NumPy, in which the tests of the page compute figures a second time. The Python that has it is handed on in PYTHON_PATH.
import { SetupError } from './log.mjs';
import { capture, onPath } from './run.mjs';

export const numpy = {
  packages: async () => ((await find()) ? [] : ['python3-numpy']),

  async prepare() {
    const path = await find();
    if (!path)
      throw new SetupError(
        'NumPy was not found: install it, or put the path of a Python that has it into PYTHON_PATH.',
      );
    process.env.PYTHON_PATH = path;
  },
};

/** The first Python that has NumPy. A system's own Python may stand behind another one on PATH. */
async function find() {
  for (const path of [process.env.PYTHON_PATH, onPath('python3'), '/usr/bin/python3']) {
    if (path && (await capture(path, ['-c', 'import numpy'])).status === 0) return path;
  }
  return undefined;
}
