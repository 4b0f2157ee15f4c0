import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { Dials, type Hand } from '../../plots/dials.js';
import { fixed, group, noBreak, powerOfTen, readout, scientific, short } from '../../plots/format.js';
import { LinePlot } from '../../plots/line-plot.js';
import { type StateFields, oneOf, range } from '../../state/fields.js';
import { HANDS_POSITIONS, WRONG_BASE, type HandsMode, type HandsRequest, type HandsResult } from './task.js';
import { alignSlider } from '../shift-axis.js';
import { type Texts, texts } from '../../texts/index.js';

interface HandsState {
  readonly position: number;
  readonly step: number;
  readonly dim: number;
  readonly base: number;
  readonly mode: HandsMode;
}

/** See the derivation in the text. */
const TOLERANCE = 4.28 * 2 ** -24;
const LAST = HANDS_POSITIONS - 1;
const LARGEST_STEP = 64;
const CURVE = { from: 1e-9, to: 10, height: 104 };
const POSITIONS = Array.from({ length: HANDS_POSITIONS }, (_, p) => p);

const fields: StateFields<HandsState> = {
  position: range(0, LAST),
  step: range(-LARGEST_STEP, LARGEST_STEP),
  dim: range(2, 64, 2),
  base: range(10, 1_000_000),
  mode: oneOf(['intact', 'backwards', 'base']),
};

/** One clock per pair: the hand at p, at p + k, and the first one turned by k times its speed. */
export class HandsFigure extends Figure<HandsState, 'hands'> {
  static override properties = { ...super.properties, pair: { state: true }, area: { state: true } };
  declare private pair: number;
  /** Where the curve's axis runs, so that the slider under it can follow. */
  declare private area: { left: number; right: number } | undefined;

  readonly task = 'hands';
  protected readonly initial: HandsState = { position: 3, step: 5, dim: 16, base: 10_000, mode: 'intact' };

  protected readonly fields = fields;

  readonly #dials = new Dials({ onCursor: (pair) => (this.pair = pair) });
  readonly #curve = new LinePlot({
    onCursor: (position) => this.change({ position }),
    mouse: 'press',
    onLayout: (area) => (this.area = area),
  });

  constructor() {
    super();
    this.pair = 1;
  }

  protected text(): Texts['hands'] {
    return texts().hands;
  }

  protected request({ dim, base, step, mode }: HandsState): HandsRequest {
    return { dim, base, step, mode };
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.pair = Math.min(this.pair, this.state.dim / 2 - 1);
  }

  protected claim(): Claim {
    const text = texts().hands;
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    const residual = Math.max(...result.changes);
    const holds = residual <= TOLERANCE;
    const why = { intact: text.fails, backwards: text.backwardsFails, base: text.baseFails }[request.mode];
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim(noBreak(group(LAST)), group(request.step)) : why,
      comparison: { residual, tolerance: TOLERANCE, relation: '≤', gaugeFrom: -12 },
      measurement: this.measurement('f32', `${group(HANDS_POSITIONS)} × ${group(request.dim)}`),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    const { dim, base } = this.state;
    const slowest = 2 * Math.PI * base ** ((dim - 2) / dim);
    return texts().hands.prose(group(dim / 2), '2π', noBreak(group(slowest)));
  }

  protected renderMargin(): TemplateResult {
    const words = texts().hands.margin;
    const hands = this.answer && this.#handsOf(this.answer.result, this.answer.request.dim, this.#pairIn(this.answer));
    const frequency = this.answer?.result.frequencies[this.#pairIn(this.answer)];
    const tip = (at: readonly [number, number] | undefined): string | typeof nothing =>
      at ? `${fixed(at[0], 7)}, ${fixed(at[1], 7)}` : nothing;
    const rows = [
      [words.speed, frequency === undefined ? nothing : readout(frequency)],
      [words.angle, frequency === undefined ? nothing : readout(this.state.step * frequency)],
      [words.turned, tip(hands?.turned)],
      [words.next, tip(hands?.next)],
      [words.difference, hands ? scientific(differenceOf(hands)) : nothing],
    ];
    return html`
      ${unsafeHTML(mathml.hands)}
      <dl class="fill">
        ${rows.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
    `;
  }

  /** The chosen pair, inside of an answer that may be of a smaller width. */
  #pairIn({ request }: Answer<'hands'>): number {
    return Math.min(this.pair, request.dim / 2 - 1);
  }

  /** Sine and cosine of one pair at the chosen position. */
  #handsOf(result: HandsResult, dim: number, pair: number): Hands {
    const at = this.state.position * dim + 2 * pair;
    const tip = (table: Float32Array): readonly [number, number] => [table[at]!, table[at + 1]!];
    return { now: tip(result.now), turned: tip(result.turned), next: tip(result.next) };
  }

  /** One position on, from the last back to the first. */
  #step = (): boolean => {
    const position = (this.state.position + 1) % HANDS_POSITIONS;
    this.change({ position });
    return position < LAST;
  };

  protected renderPlot(): TemplateResult {
    const text = texts().hands;
    const { legend } = text;
    return html`
      <div class="legend">
        <span class="hand now">${legend.now}</span> <span class="hand next">${legend.next}</span>
        <span class="hand turned">${legend.turned}</span>
        <play-control .onStep=${this.#step}></play-control>
      </div>
      <div class="plot">${this.#dials.element}</div>
      <div class="plot">${this.#curve.element}</div>
      <div class="axis-slider">${this.renderSlider('position', text.position)}</div>
    `;
  }

  protected renderReadout(answer: Answer<'hands'>): Content {
    const words = texts().hands.readout;
    const { request, result } = answer;
    const pair = this.#pairIn(answer);
    const hands = this.#handsOf(result, request.dim, pair);
    const frequency = result.frequencies[pair]!;
    const { position } = this.state;
    const tip = ([sine, cosine]: readonly [number, number]): string => `(${fixed(sine, 6)}, ${fixed(cosine, 6)})`;
    return html`${words.pair(html`<b>${group(pair)}</b>`)}&nbsp;· p = <b>${group(position)}</b>&nbsp;·
      <span class="nb">PE(p) = ${tip(hands.now)}</span>&nbsp;·
      <span class="nb"
        >${words.turned} ${group(request.step)} × ${readout(frequency)} = <b>${tip(hands.turned)}</b></span
      >&nbsp;· <span class="nb">PE(${group(position + request.step)}) = <b>${tip(hands.next)}</b></span
      >&nbsp;· <span class="nb">${words.difference} ${scientific(differenceOf(hands))}</span>`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().hands;
    return html`<div class="controls">
      ${this.renderSlider('step', text.step)} ${this.renderSlider('dim', text.width)}
      ${this.renderSlider('base', text.base, { scale: 'log', ends: ['10', '10⁶'] })}
      ${this.renderChoice('mode', text.break, (mode) => text.modes[mode], { wide: true })}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().hands.lookFor;
  }

  protected table({ request, result }: Answer<'hands'>): TableData {
    return {
      columns: texts().hands.tableHeads,
      rows: request.dim / 2,
      cell: (pair, column) => {
        if (column === 0) return group(pair);
        if (column === 1) return readout(result.frequencies[pair]!, 9);
        const { now, turned, next } = this.#handsOf(result, request.dim, pair);
        return fixed([...now, ...turned, ...next][column - 2]!, 9);
      },
      value: (pair, column) => {
        const { now, turned, next } = this.#handsOf(result, request.dim, pair);
        return [pair, result.frequencies[pair]!, ...now, ...turned, ...next][column]!;
      },
    };
  }

  protected override numpy({ request }: Answer<'hands'>): string {
    const { dim, base, step, mode } = request;
    const speed = mode === 'base' ? `${WRONG_BASE} * base` : 'base';
    return `p, k, dim, base = ${this.state.position}, ${step}, ${dim}, float(${base})
pair = np.arange(dim // 2)
frequency = base ** (-2 * pair / dim)
turn = ${mode === 'backwards' ? '-k' : 'k'} * (${speed}) ** (-2 * pair / dim)
sine, cosine = np.sin(p * frequency), np.cos(p * frequency)

# Sine and cosine of PE(p), of PE(p) turned by k times the speed of its pair, and of PE(p + k).
table = np.column_stack([
    pair, frequency, sine, cosine,
    sine * np.cos(turn) + cosine * np.sin(turn), cosine * np.cos(turn) - sine * np.sin(turn),
    np.sin((p + k) * frequency), np.cos((p + k) * frequency),
])`;
  }

  protected updatePlots(): void {
    const text = texts().hands;
    const { dim, base } = this.answer?.request ?? this.request(this.state);
    const { result } = this.answer ?? {};
    const { position } = this.state;
    this.#dials.update({
      label: text.dials(group(position)),
      dials: Array.from({ length: dim / 2 }, (_, pair) => {
        const hands = result && this.#handsOf(result, dim, pair);
        const hand = ([right, up]: readonly [number, number], look: Omit<Hand, 'right' | 'up'>): Hand => ({
          right,
          up,
          ...look,
        });
        return {
          name: text.pair(group(pair)),
          caption: text.turn(wholeTurn(2 * Math.PI * base ** ((2 * pair) / dim))),
          hands: hands
            ? [
                hand(hands.now, { color: 'ink-3', kind: 'hand' }),
                hand(hands.next, { color: 1, kind: 'tip' }),
                hand(hands.turned, { color: 2, kind: 'ghost' }),
              ]
            : [],
        };
      }),
      cursor: Math.min(this.pair, dim / 2 - 1),
    });
    this.#curve.update({
      label: text.curve,
      x: POSITIONS,
      xAxis: { title: text.curveAxis, minimum: 0, maximum: LAST },
      yAxis: {
        title: text.curveTitle,
        minimum: CURVE.from,
        maximum: CURVE.to,
        scale: 'log',
        ticks: [0, -3, -6, -9].map((exponent) => ({ at: 10 ** exponent, label: powerOfTen(exponent) })),
      },
      height: CURVE.height,
      // A difference of exactly 0 has no place on a logarithmic axis; it is drawn at its lower end.
      series: [{ color: 1, width: 1, values: result ? result.changes.map((c) => Math.max(c, CURVE.from)) : [] }],
      threshold: { y: TOLERANCE, label: text.tolerance },
      cursor: position,
    });
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    alignSlider(this, this.area);
  }
}

interface Hands {
  readonly now: readonly [sine: number, cosine: number];
  readonly turned: readonly [sine: number, cosine: number];
  readonly next: readonly [sine: number, cosine: number];
}

function differenceOf({ turned, next }: Hands): number {
  return Math.max(Math.abs(turned[0] - next[0]), Math.abs(turned[1] - next[1]));
}

/** A wavelength at a glance: three digits below 1000, whole words above. */
function wholeTurn(words: number): string {
  return words < 1000 ? short(Number(words.toPrecision(3))) : group(words);
}
