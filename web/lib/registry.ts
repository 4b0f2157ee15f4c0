import type { Encodings } from './encodings.js';

/** What an encoding is, for people. */
export interface EncodingEntry {
  readonly title: string;
  /** In TeX. */
  readonly formula: string;
  /** What shapes it, by the names of the options. */
  readonly parameters: readonly string[];
  readonly source: string;
  /** The function that computes it. */
  readonly function: keyof Encodings;
}

/** The encodings of this version by name. */
export const registry = {
  index: {
    title: 'Position index',
    formula: String.raw`e(p) = p \quad\text{or}\quad \frac{p}{L - 1} \quad\text{or}\quad \frac{p}{L}`,
    parameters: ['length', 'mode'],
    source: 'the obvious baseline',
    function: 'indexEncoding',
  },
  one_hot: {
    title: 'One-hot position',
    formula: String.raw`e(p)_c = \begin{cases} 1 & c = p \\ 0 & c \ne p \end{cases}`,
    parameters: ['positions', 'maxLength'],
    source: 'the obvious baseline',
    function: 'oneHot',
  },
  learned: {
    title: 'Learned table',
    formula: String.raw`e(p) = T_{p + \text{offset}}`,
    parameters: ['table', 'rows', 'dim', 'offset'],
    source: 'Devlin et al. 2018, arXiv:1810.04805',
    function: 'learned',
  },
  sinusoidal: {
    title: 'Sinusoidal encoding',
    formula: String.raw`e(p)_{2i} = \sin\left(p \, b^{-2i/d}\right), \quad e(p)_{2i+1} = \cos\left(p \, b^{-2i/d}\right)`,
    parameters: ['dim', 'base', 'order', 'spacing'],
    source: 'Vaswani et al. 2017, arXiv:1706.03762, section 3.5',
    function: 'sinusoidal',
  },
  rope: {
    title: 'Rotary embedding (RoPE)',
    formula: String.raw`\begin{pmatrix} a' \\ b' \end{pmatrix} = \begin{pmatrix} \cos p\theta_i & -\sin p\theta_i \\ \sin p\theta_i & \cos p\theta_i \end{pmatrix} \begin{pmatrix} a \\ b \end{pmatrix}, \quad \theta_i = b^{-2i/r}`,
    parameters: ['headDim', 'rotaryDim', 'base', 'type', 'pairing', 'attentionFactor'],
    source: 'Su et al. 2021, arXiv:2104.09864, section 3.4',
    function: 'rope',
  },
  xpos: {
    title: 'xPos',
    formula: String.raw`\begin{pmatrix} a' \\ b' \end{pmatrix} = \zeta_i^{\pm (p - c) / s} \begin{pmatrix} \cos p\theta_i & -\sin p\theta_i \\ \sin p\theta_i & \cos p\theta_i \end{pmatrix} \begin{pmatrix} a \\ b \end{pmatrix}, \quad \zeta_i = \frac{2i / r + \gamma}{1 + \gamma}`,
    parameters: ['headDim', 'rotaryDim', 'base', 'pairing', 'gamma', 'scaleBase', 'center', 'downscale'],
    source: 'Sun et al. 2022, arXiv:2212.10554, section 2',
    function: 'xpos',
  },
  mrope: {
    title: 'Multimodal RoPE',
    formula: String.raw`\begin{pmatrix} a' \\ b' \end{pmatrix} = \begin{pmatrix} \cos p_{k(i)}\theta_i & -\sin p_{k(i)}\theta_i \\ \sin p_{k(i)}\theta_i & \cos p_{k(i)}\theta_i \end{pmatrix} \begin{pmatrix} a \\ b \end{pmatrix}, \quad k(i) \in \{t, h, w\}`,
    parameters: ['headDim', 'rotaryDim', 'base', 'pairing', 'mropeSection', 'mropeInterleaved'],
    source: 'Wang et al. 2024, arXiv:2409.12191, section 2.1',
    function: 'mrope',
  },
  rope_2d: {
    title: 'Two-dimensional RoPE',
    formula: String.raw`\begin{pmatrix} a' \\ b' \end{pmatrix} = \begin{pmatrix} \cos p_{k(i)}\theta_i & -\sin p_{k(i)}\theta_i \\ \sin p_{k(i)}\theta_i & \cos p_{k(i)}\theta_i \end{pmatrix} \begin{pmatrix} a \\ b \end{pmatrix}, \quad k(i) \in \{\text{row}, \text{column}\}`,
    parameters: ['headDim', 'rotaryDim', 'base', 'variant', 'pixels'],
    source: 'Wang et al. 2024, arXiv:2409.12191; THUDM/ChatGLM-6B; lucidrains/rotary-embedding-torch',
    function: 'rope2d',
  },
  alibi: {
    title: 'Linear biases (ALiBi)',
    formula: String.raw`b_h(i, j) = -m_h (i - j), \quad m_h = 2^{-8(h + 1)/H}`,
    parameters: ['heads', 'rule', 'biasMax', 'symmetric'],
    source: 'Press et al. 2021, arXiv:2108.12409, section 3',
    function: 'alibiBias',
  },
  t5: {
    title: 'T5 buckets',
    formula: String.raw`b_h(i, j) = T_{\text{bucket}(j - i),\, h}`,
    parameters: ['table', 'heads', 'bidirectional', 'buckets', 'maxDistance'],
    source: 'Raffel et al. 2019, arXiv:1910.10683, section 2.1',
    function: 't5Bias',
  },
  kerple: {
    title: 'KERPLE',
    formula: String.raw`b_h(i, j) = -p_h \ln\left(1 + a_h |i - j|\right) \quad\text{or}\quad -a_h |i - j|^{p_h}`,
    parameters: ['kind', 'a', 'p', 'heads'],
    source: 'Chi et al. 2022, arXiv:2205.09921',
    function: 'kerpleBias',
  },
  fire: {
    title: 'FIRE',
    formula: String.raw`b_h(i, j) = f_h\left(\frac{\psi(i - j)}{\psi(\max(i, |L|)) + \epsilon}\right), \quad \psi(x) = \ln(1 + |c x|)`,
    parameters: ['w1', 'b1', 'w2', 'b2', 'heads', 'c', 'threshold', 'epsilon'],
    source: 'Li et al. 2023, arXiv:2310.04418',
    function: 'fireBias',
  },
  shaw: {
    title: 'Relative vectors (Shaw)',
    formula: String.raw`s_{ij} = \frac{q_i \cdot (k_j + a^K_{j - i})}{\sqrt d}, \quad o_i = \sum_j w_{ij} (v_j + a^V_{j - i})`,
    parameters: ['keyTable', 'valueTable', 'clip'],
    source: 'Shaw et al. 2018, arXiv:1803.02155, section 3',
    function: 'shawAttention',
  },
  transformer_xl: {
    title: 'Transformer-XL, XLNet',
    formula: String.raw`s_{ij} = \frac{(q_i + u) \cdot k_j + (q_i + v) \cdot W_R R_{i - j}}{\sqrt d}`,
    parameters: ['u', 'v', 'relative', 'relativeKeys', 'memoryLength', 'clampLength', 'base'],
    source: 'Dai et al. 2019, arXiv:1901.02860, section 3.3',
    function: 'transformerXlScores',
  },
  deberta: {
    title: 'DeBERTa',
    formula: String.raw`s_{ij} = \frac{q_i \cdot k_j + q_i \cdot K^r_{\delta(i, j)} + k_j \cdot Q^r_{\delta(i, j)}}{\sqrt{3d}}`,
    parameters: ['relativeKey', 'relativeQuery', 'span', 'bucketSize', 'maxPosition', 'clamp'],
    source: 'He et al. 2020, arXiv:2006.03654, section 3.1',
    function: 'debertaScores',
  },
} as const satisfies Readonly<Record<string, EncodingEntry>>;

/** The name of an encoding of this version. */
export type EncodingName = keyof typeof registry;

/** The names of the encodings of this version, in the order of the registry. */
export function encodingNames(): EncodingName[] {
  return Object.keys(registry) as EncodingName[];
}
