// Pieces of the scripts in which figures compute their numbers a second time, with NumPy alone.

import { ropeFrequencies } from 'posenc';
import type { ModelPreset } from '../models.js';

/** A whole script around the lines of a figure, which leave their numbers in `table`. */
export function numpyScript(title: string, address: string, body: string): string {
  return `# ${title}
# ${address}
import numpy as np

${body}

print(table.shape)
print(table)
`;
}

/** `normalNumbers` of figures/embedding.ts: normal(seed, count). */
export const NORMAL = `def normal(seed, count):
    """Standard normal numbers: the mulberry32 generator through the Box-Muller transform."""
    word = 2**32 - 1
    state, uniform = seed * 0x9E3779B9 & word, []
    for _ in range(2 * count):
        state = state + 0x6D2B79F5 & word
        t = (state ^ state >> 15) * (1 | state) & word
        t = (t + (t ^ t >> 7) * (61 | t)) & word ^ t
        uniform.append(((t ^ t >> 14) + 0.5) / 2**32)
    u, v = np.array(uniform).reshape(count, 2).T
    return np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)`;

/** `embed` of figures/embedding.ts, with NORMAL before it: embed(tokens, dim). */
export const EMBEDDING = `${NORMAL}

def embed(tokens, dim):
    """One vector of normal numbers per word, from its first place."""
    return np.array([normal(tokens.index(token) + 1, dim) for token in tokens])`;

/** Texts or numbers as a Python list. */
export function pythonList(values: Iterable<string | number>): string {
  // JSON's escapes are Python's, but for characters beyond 16 bits, which stand as they are.
  return `[${[...values].map((value) => JSON.stringify(value)).join(', ')}]`;
}

/** The frequencies of a model as `frequency`, radians per token. */
export function frequenciesOf({ rotaryDim, base, ...params }: ModelPreset['params']): string {
  const plain = `frequency = ${base}.0 ** (-np.arange(0, ${rotaryDim}, 2) / ${rotaryDim})`;
  if (params.type === undefined || params.type === 'default') return plain;
  if (params.type !== 'llama3') {
    const { divisor } = ropeFrequencies({ rotaryDim, base, ...params });
    return `${plain}\nfrequency = frequency / np.array(${pythonList(divisor)})`;
  }
  const { factor, lowFreqFactor: low, highFreqFactor: high, originalMaxPosition: original } = params;
  // Equal factors leave nothing to blend.
  const kept =
    high === low ? `np.where(turns >= ${high}, 1, 0)` : `np.clip((turns - ${low}) / (${high} - ${low}), 0, 1)`;
  return `${plain}
turns = ${original} * frequency / (2 * np.pi)
kept = ${kept}
frequency = frequency * (kept + (1 - kept) / ${factor})`;
}
