import type { FigureName } from './page.ts';

export type State = Record<string, unknown>;

/** For every figure: words of a link, and the values of the state that they stand for. */
export const links: readonly (readonly [FigureName, string, State])[] = [
  [
    'order',
    'tokens=a,b,c&order=1,2,0&positions=rope&mask=causal',
    { tokens: ['a', 'b', 'c'], order: [1, 2, 0], positions: 'rope', mask: 'causal' },
  ],
  [
    'rotate',
    'm=70&n=9&pair=2&rotaryDim=8&pairing=interleaved&direction=inverse&reordered=query',
    { m: 70, n: 9, pair: 2, rotaryDim: 8, pairing: 'interleaved', direction: 'inverse', reordered: 'query' },
  ],
  [
    'waves',
    'tokens=%E4%BB%96,a%2Fb,100%E4%B8%87&dim=64&base=777&length=20&show=sum&columns=3,5',
    { tokens: ['他', 'a/b', '100万'], dim: 64, base: 777, length: 20, show: 'sum', columns: [3, 5], reach: 'rows' },
  ],
  [
    'waves',
    'dim=64&length=512&show=sum&columns=3,40&reach=far',
    { tokens: ['我', '很', '牛逼'], dim: 64, base: 10_000, length: 512, show: 'sum', columns: [3, 40], reach: 'far' },
  ],
  ['distance', 'dim=32&start=7&between=matrix', { dim: 32, start: 7, between: 'matrix' }],
  ['aliases', 'narrow=2&wide=66', { narrow: 2, wide: 66 }],
  ['slide', 'shift=1234&model=GPT-J-6B&mode=bf16', { shift: 1234, model: 'GPT-J-6B', mode: 'bf16' }],
  ['numbers', 'length=9&dim=10&base=77&scheme=one-hot', { length: 9, dim: 10, base: 77, scheme: 'one-hot' }],
  [
    'hands',
    'position=44&step=-3&dim=8&base=777&mode=base',
    { position: 44, step: -3, dim: 8, base: 777, mode: 'base' },
  ],
  [
    'steps',
    'tokens=a,b,c&heads=4&kvHeads=1&head=3&mask=none&projections=identity&mistake=keys',
    {
      tokens: ['a', 'b', 'c'],
      heads: 4,
      kvHeads: 1,
      head: 3,
      mask: 'none',
      projections: 'identity',
      mistake: 'keys',
    },
  ],
  [
    'terms',
    'tokens=a,b&projections=random&included=outer',
    { tokens: ['a', 'b'], projections: 'random', included: 'outer' },
  ],
  [
    'decay',
    'model=Llama-2-7B&dim=64&base=10000&claimed=random',
    { model: 'Llama-2-7B', dim: 64, base: 10_000, claimed: 'random' },
  ],
  ['relative', 'method=fire&head=3&start=600&sight=causal', { method: 'fire', head: 3, start: 600, sight: 'causal' }],
  [
    'extend',
    'model=DeepSeek-V3&method=yarn&factor=40&length=163840',
    { model: 'DeepSeek-V3', method: 'yarn', factor: 40, length: 163_840 },
  ],
  ['ledger', 'show=false', { show: 'false' }],
  [
    'precision',
    'model=Llama-2-7B&distance=9&shift=300&position=f32&table=f16',
    {
      model: 'Llama-2-7B',
      distance: 9,
      shift: 300,
      position: 'f32',
      invFreq: 'bf16',
      angle: 'f64',
      table: 'f16',
    },
  ],
];
