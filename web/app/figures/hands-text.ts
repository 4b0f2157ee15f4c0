import { html } from 'lit';
import { type Content, bilingual } from '../messages/bilingual.js';
import type { HandsMode } from './hands-task.js';

export const handsText = bilingual(
  {
    name: 'Clock hands',
    title: html`k words on, every hand has turned by k · ω, wherever it started.`,
    prose: (pairs: string, seconds: string, hours: string) =>
      html`<p>
        Sine and cosine of one pair are the tip of a clock hand: sine to the right, cosine up. A row of the table is
        ${pairs} such clocks, the first with a turn of ${seconds} words, the last with one of ${hours}. To go from
        position p to p + k nobody has to know p. Turn each hand by k times its own speed: the dashed hand is PE(p)
        turned, the full one is PE(p + k), and they lie on each other. So a matrix that depends on k alone leads from
        any position to the one k further, which is what RoPE turns queries and keys with.
      </p>`,
    dials: (p: string) => `Clock hands of every pair at position ${p}, k further, and turned by k times their speed`,
    pair: (pair: string) => `pair ${pair}`,
    turn: (words: string) => `turn ${words}`,
    legend: { now: 'PE(p)', next: 'PE(p + k)', turned: 'PE(p), turned' },
    curve: 'Largest difference between the turned and the real hands at every position, on a logarithmic axis',
    curveTitle: 'largest difference of any hand at position p',
    curveAxis: '',
    tolerance: 'tolerance',
    position: { label: 'Position p', field: 'The position' },
    step: { label: 'Step k', field: 'The step' },
    width: { label: 'Width d', field: 'The width' },
    base: { label: 'Base b', field: 'The base' },
    break: 'Break it',
    modes: { intact: 'intact', backwards: 'turned backwards', base: 'ten times the base' } satisfies Record<
      HandsMode,
      string
    >,
    margin: { speed: 'speed ω', angle: 'k · ω', turned: 'turned', next: 'PE(p + k)', difference: 'difference' },
    readout: { pair: (pair: Content) => html`pair ${pair}`, turned: 'turned', difference: 'difference' },
    claim: (positions: string, k: string) =>
      `At every position from 0 to ${positions} the turned hands are those of k = ${k} further on.`,
    backwardsFails: 'The hands were turned by −k · ω: the matrix with its sines swapped leads back, not on.',
    baseFails: 'The hands were turned at the speeds of another base, so only the first keeps time.',
    fails: 'A turned hand is off by more than rounding explains.',
    computing: 'Turning the hands.',
    derivation: html`<p>
      Each number of a row is within 0.51 · 2⁻²⁴ of the exact sine or cosine. Turning two of them keeps their error, at
      most √2 · 0.51 · 2⁻²⁴ in one number, and adds 1.52 · 2⁻²³ (|a cos| + |b sin|) of its own, where the bracket is at
      most 1 for a hand of length 1. The row it is compared with adds 0.51 · 2⁻²⁴: together less than 4.28 · 2⁻²⁴.
    </p>`,
    lookFor:
      'Move p: all hands run, and the dashed ones stay on the full ones. The curve below does not care where p is. A negative k turns everything back.',
    stopsWhen:
      '…speeds or direction do not fit the table. In component order (sin, cos) the matrix is [[cos, sin], [−sin, cos]]; with the signs the other way round it leads to p − k. And the rule holds for a pair as it stands in the table, not after a learned layer.',
    tableHeads: ['pair', 'ω', 'sin p', 'cos p', 'sin, turned', 'cos, turned', 'sin p + k', 'cos p + k'],
  },
  {
    name: '时钟指针',
    title: html`往后 k 个词，<wbr />每根指针都转过 k · ω，<wbr />不论从哪里起步。`,
    prose: (pairs, seconds, hours) =>
      html`<p>
        一对正弦与余弦就是一根指针的尖端：正弦向右，余弦向上。表中一行就是 ${pairs}&nbsp;个这样的钟，第一个 ${seconds}
        个词转一圈，最后一个 ${hours} 个词转一圈。从位置 p 到 p + k 不必知道 p：每根指针按自己的速度转过 k
        倍即可。虚线是转过之后的 PE(p)，实线是 PE(p + k)，两者重合。可见有一个只取决于 k 的矩阵，把任何位置带到 k
        个词之后；RoPE 转动查询与键，用的正是它。
      </p>`,
    dials: (p) => `每一对在位置 ${p} 的指针、往后 k 的指针，以及转过 k 倍速度之后的指针`,
    pair: (pair) => `第 ${pair} 对`,
    turn: (words) => `一圈 ${words}`,
    legend: { now: 'PE(p)', next: 'PE(p + k)', turned: '转过的 PE(p)' },
    curve: '每个位置上转过的指针与真正的指针的最大差，对数轴',
    curveTitle: '位置 p 上所有指针的最大差',
    curveAxis: '',
    tolerance: '容差',
    position: { label: '位置 p', field: '位置' },
    step: { label: '步长 k', field: '步长' },
    width: { label: '宽度 d', field: '宽度' },
    base: { label: '底数 b', field: '底数' },
    break: '弄坏它',
    modes: { intact: '完好', backwards: '反着转', base: '十倍底数' },
    margin: { speed: '速度 ω', angle: 'k · ω', turned: '转过之后', next: 'PE(p + k)', difference: '相差' },
    readout: { pair: (pair) => html`第 ${pair} 对`, turned: '转过之后', difference: '相差' },
    claim: (positions, k) => `从 0 到 ${positions} 的每个位置上，转过的指针就是 k = ${k} 之后的指针。`,
    backwardsFails: '指针转了 −k · ω：正弦符号写反的矩阵不是向前，而是向后。',
    baseFails: '指针按另一个底数的速度转动，只有第一根走得准。',
    fails: '有指针的误差超出了舍入误差。',
    computing: '正在转动指针。',
    derivation: html`<p>
      一行中的每个数与精确的正弦或余弦相差不超过 0.51 · 2⁻²⁴。转动一对数会保留它们的误差，单个分量不超过 √2 · 0.51 ·
      2⁻²⁴，自身再加 1.52 · 2⁻²³ (|a cos| + |b sin|)，而指针长度为 1，括号不超过 1。用来比较的那一行再加 0.51 ·
      2⁻²⁴，合计不到 4.28 · 2⁻²⁴。
    </p>`,
    lookFor: '移动 p：所有指针都在走，虚线始终落在实线上。下面的曲线与 p 在哪里无关。k 取负数，一切倒转。',
    stopsWhen:
      '速度或方向与表不符时：分量按 (sin, cos) 排列，矩阵是 [[cos, sin], [−sin, cos]]；符号写反，就走到 p − k。而且这条规律只对表中的一对成立，经过学习到的层之后就不再成立。',
    tableHeads: ['对', 'ω', 'sin p', 'cos p', 'sin，转过', 'cos，转过', 'sin p + k', 'cos p + k'],
  },
);
