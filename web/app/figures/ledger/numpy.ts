import { EMBEDDING, frequenciesOf } from '../../exports/numpy.js';
import { modelPresets } from '../../models.js';
import { ORDER_DIM, ORDER_SEEDS } from '../order/task.js';

/**
 * Every number and every limit of the ledger a second time. Where a claim is about the rounding of a float32 table, the
 * table is rounded here as well; rotations are not, so that what they round away comes out smaller.
 */
export const LEDGER_NUMPY = `${EMBEDDING}

def angular(dim, base=10000.0):
    return base ** (-np.arange(0, dim, 2) / dim)

def waves(positions, dim):
    """A float32 table of sines and cosines, in float64."""
    angle = np.array(positions, float)[:, None] * angular(dim)
    table = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(len(angle), dim)
    return table.astype(np.float32).astype(float)

def K(frequency, distances):
    """The mean cosine at every distance, one frequency after the other to save memory."""
    return sum(np.cos(f * np.asarray(distances, float)) for f in frequency) / len(frequency)

def rotate(v, angle):
    """By halves."""
    half = v.shape[-1] // 2
    a, b = v[..., :half], v[..., half:]
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)], axis=-1)

def bfloat16(x):
    ulp = np.frexp(x)[1] - 8
    return np.ldexp(np.rint(np.ldexp(x, -ulp)), ulp)

checks = []
def check(value, limit):
    checks.append((float(value), float(limit)))

# Order, without a mask and with a causal one.
dim, order = ${ORDER_DIM}, [2, 1, 0]
words = embed(["dog", "bites", "man"], dim)
Wq, Wk, Wv = (normal(seed, dim * dim).reshape(dim, dim) / np.sqrt(dim) for seed in (${ORDER_SEEDS.query}, ${ORDER_SEEDS.key}, ${ORDER_SEEDS.value}))
def attend(x, causal):
    scores = (x @ Wq) @ (x @ Wk).T / np.sqrt(dim)
    if causal:
        scores[np.triu_indices(len(x), 1)] = -np.inf
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ (x @ Wv)
for causal in (False, True):
    change = abs(attend(words, causal)[order] - attend(words[order], causal)).max()
    check(change, 2 * (2 * 3 + 1) * 2.0**-24 * max(1, abs(words @ Wv).max()))

# One-hot positions: 0 beside 1 and 0 beside 9.
onehot = np.eye(10)
check(onehot[0] @ onehot[1], onehot[0] @ onehot[9])

# Equal products.
pe = waves([2, 5, 10, 13], 512)
check(abs(pe[0] @ pe[1] - pe[2] @ pe[3]), 1.02 * 512 * 2.0**-23)

# A shift by 7 is a rotation of the pairs (cosine, sine).
def pairs(positions):
    table = waves(positions, 512)
    return np.hstack([table[:, 1::2], table[:, ::2]])
starts = np.array([0, 100, 1000000])
check(abs(rotate(pairs(starts), 7 * angular(512)) - pairs(starts + 7)).max(), 1.02 * 2.0**-22)

# The distance in a product: without a matrix, its curve, through a matrix.
W = embed([str(row) for row in range(512)], 512) / np.sqrt(512)
first, far = waves(range(64), 512), waves(range(1000000, 1000064), 512)
check(abs(first @ first.T - far @ far.T).max(), 1.02 * 512 * 2.0**-23)
check(np.diff(K(angular(512), range(64))).max(), 2.0**-50)
check(abs(first @ W @ first.T - far @ W @ far.T).max(), 1.02 * 512 * 2.0**-23)

# Periods against 2 pi.
for frequency in angular(512)[[0, -1]]:
    check(abs(1 / frequency - 1), 3e-15)

# Likeness far away.
for width in (8, 512):
    check(K(angular(width), np.arange(10000, 200001)).max(), 0.9)

# The curve of RoPE beside that of the sinusoids.
ones, distances = np.ones(128), np.array([1, 10, 100, 1000, 31416])
rope = np.array([ones @ rotate(ones, d * angular(128)) / 128 for d in distances])
check(abs(rope - K(angular(128), distances)).max(), 2.0**-40)

# Neighbouring frequencies with bases 10^6 and 10^2.
check(*(angular(312, base)[1] / angular(312, base)[0] for base in (1e6, 1e2)))

# Lengths of pairs at positions 1 000 000 and 131 071.
q, k = (v / np.linalg.norm(v) for v in embed(["q", "k"], 16))
lengths = lambda v: np.hypot(v[:8], v[8:])
check(max(abs(lengths(rotate(v, p * angular(16))) - lengths(v)).max() for v, p in ((q, 1000000), (k, 131071))), 2.0**-22)

# Scores 7 apart at six shifts, with exact positions and with bfloat16 ones.
${frequenciesOf(modelPresets[0]!.params)}
def score(start, keep):
    turns = [np.float32([np.cos(keep(p) * frequency), np.sin(keep(p) * frequency)]).astype(float) for p in (start, start + 7.0)]
    return (turns[0] * turns[1]).sum() / len(frequency)
turn = np.sqrt(2) * (2.0**-24 + 2.0**-50)
bound = 2 * (turn * (2 + turn) + 130 * 2.0**-52 * (1 + turn) ** 2)
for keep in (float, bfloat16):
    shifts = [1.0, 100.0, 1000.0, 10000.0, 100000.0, 1000000.0]
    check(max(abs(score(shift, keep) - score(0.0, keep)) for shift in shifts), bound)

# Different speeds in 32 heads of 128.
check(len(np.unique(np.tile(angular(128), 32))), 32 * 64 - 1)

# Far scores: of equal vectors, and of random ones beside near scores.
check(abs(K(angular(128), np.arange(10000, 100001))).max(), 0.5)
vectors = embed([str(row) for row in range(48)], 128)
vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
def rms(distances):
    turned = np.array([rotate(vectors[24:], d * angular(128)) for d in distances])
    return np.sqrt(((vectors[:24] * turned).sum(axis=-1) ** 2).mean())
check(rms([10000, 20000, 50000]) / rms([0, 1, 2, 5]), 0.5)

# ALiBi with slope 1/2: 100 tokens beside one, and the weight 300 tokens back.
bias = -0.5 * np.arange(300, -1, -1, dtype=np.float32)
check(abs(bias[200] - 100 * bias[299]), 2.0**-24 * abs(bias[200]))
check(np.exp(bias)[0] / np.exp(bias).sum(), 0)

# New arcs of Llama 2 at twice the 4 096 tokens it was trained on, as it is and divided by 2.
wavelength = 2 * np.pi / angular(128)
for stretch in (1, 2):
    arcs = np.minimum(1, 8192 / (stretch * wavelength)) - np.minimum(1, 4096 / wavelength)
    check(np.maximum(0, arcs).max(), 2e-14)

# Numbers in the first row, limits in the second, checks in the order of the list.
table = np.array(checks).T`;
