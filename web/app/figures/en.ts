export const modelChoice = {
  model: 'Model',
  own: 'Your model',
  headWidth: (dim: string) => `heads of ${dim}`,
  partWidth: (part: string, dim: string) => `${part} of ${dim} rotated`,
  base: (base: string) => `base ${base}`,
  pairings: { half: 'half', interleaved: 'interleaved' },
} as const;
