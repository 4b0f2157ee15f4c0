import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import type { Content } from '../../texts/translation.js';
import { modelPresets } from '../../models.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { fixed, group, noBreak, powerOfTen, readout } from '../../plots/format.js';
import { type LineAxis, LinePlot } from '../../plots/line-plot.js';
import type { WrittenState } from '../../state/link.js';
import { type StateFields, oneOf, range } from '../../state/fields.js';
import { type DecayRequest, type DecayResult, RISE_TOLERANCE } from './task.js';
import { presetField, presetNamed } from '../model-choice.js';
import { along, nearestShift, shiftAxis, spacedShifts } from '../shift-axis.js';
import { type Texts, texts } from '../../texts/index.js';

/** What the badge judges. */
type Claimed = 'bound' | 'equal' | 'random' | 'monotone';

interface DecayState {
  readonly model: string;
  readonly dim: number;
  readonly base: number;
  readonly claimed: Claimed;
}

const OWN = 'own';
const PAIRS = 24;
const FARTHEST = 100_000;
/** Where far begins and near ends. */
const [FAR, NEAR] = [10_000, 10];
/** Below this share of the start a score counts as faded. */
const FADED = 0.5;
const EDGES = [...new Set([0, NEAR, FAR, FARTHEST + 1, ...spacedShifts(320)])]
  .filter((edge) => edge <= FARTHEST || edge === FARTHEST + 1)
  .sort((a, b) => a - b);
const DISTANCES = EDGES.slice(0, -1);
const HEIGHT = { scores: 230, bounds: 110 };
const xAxis: Omit<LineAxis, 'title'> = {
  minimum: 0,
  maximum: along(FARTHEST),
  ticks: shiftAxis.ticks!.filter(({ at }) => at <= along(FARTHEST)),
};

const fields: StateFields<DecayState> = {
  model: presetField,
  dim: range(2, 256, 2),
  base: range(100, 10_000_000),
  claimed: oneOf(['bound', 'equal', 'random', 'monotone']),
};

/** Scores of equal and of random vectors over their ceiling, against distance. */
export class DecayFigure extends Figure<DecayState, 'decay'> {
  static override properties = { ...super.properties, at: { state: true }, area: { state: true } };
  /** The range at the cursor of both plots. */
  declare private at: number;
  /** Where the lower plot stands, whose names are longer; the upper one follows. */
  declare private area: { left: number; width: number } | undefined;

  readonly task = 'decay';
  protected readonly initial: DecayState = { ...stateOf(modelPresets[0]!.name), claimed: 'bound' };
  protected override readonly fields = fields;

  readonly #scores = new LinePlot({ onCursor: (index) => (this.at = index) });
  readonly #bounds = new LinePlot({
    onCursor: (index) => (this.at = index),
    onLayout: ({ left, width }) => (this.area = { left, width }),
  });

  constructor() {
    super();
    this.at = nearestShift(DISTANCES, 100)!;
  }

  /** A model brings its width and base; a link that holds a model holds both, should they not be the model's. */
  override written(): WrittenState {
    const written = super.written();
    if (!written.has('model')) return written;
    const { dim, base } = this.state;
    return new Map([...written, ['dim', String(dim)], ['base', String(base)]]);
  }

  override restore(written: WrittenState): void {
    super.restore(new Map([...numbersOf(written.get('model')), ...written]));
  }

  override take(name: string, written: string): void {
    super.take(name, written);
    if (name === 'model') for (const [field, value] of numbersOf(written)) super.take(field, value);
  }

  protected text(): Texts['decay'] {
    return texts().decay;
  }

  protected request({ dim, base }: DecayState): DecayRequest {
    return { dim, base, pairs: PAIRS, edges: EDGES, far: FAR, near: NEAR };
  }

  protected claim(): Claim {
    const text = texts().decay;
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    const { claimed } = this.state;
    const { residual, tolerance, strict, held, failed } = judge(claimed, result);
    const holds = strict ? residual < tolerance : residual <= tolerance;
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? held : failed,
      comparison: { residual, tolerance, relation: strict ? '<' : '≤', gaugeFrom: claimed === 'monotone' ? -18 : -4 },
      measurement: this.measurement(
        claimed === 'equal' || claimed === 'monotone' ? 'f64' : 'f32',
        `${PAIRS} × ${DISTANCES.length} × ${request.dim}`,
      ),
      derivation: text.derivation[claimed],
    };
  }

  protected renderProse(): Content {
    return texts().decay.prose;
  }

  protected renderMargin(): TemplateResult {
    const words = texts().decay.margin;
    const { result } = this.answer ?? {};
    const rows = [
      [words.kernel, result && readout(result.kernel[this.at]!)],
      [words.random, result && readout(rmsAt(result, this.at))],
      [words.bound, result && readout(result.bound[this.at]!)],
    ];
    return html`
      ${unsafeHTML(mathml.decay)}
      <dl class="fill">
        ${rows.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value ?? nothing}</dd>`,
        )}
      </dl>
    `;
  }

  protected renderPlot(): TemplateResult {
    return html`
      <div class="plot">${this.#scores.element}</div>
      <div class="plot">${this.#bounds.element}</div>
    `;
  }

  protected renderReadout({ result }: Answer<'decay'>): Content {
    const words = texts().decay.readout;
    const { at } = this;
    return html`<span class="dist nb">n − m = <b>${group(DISTANCES[at]!)}</b></span
      >&nbsp;·
      <span class="nb">${words.equal} <b>${fixed(result.kernel[at]!, 6)}</b></span>
      <span class="nb">${words.between(fixed(result.least[at]!, 3), fixed(result.greatest[at]!, 3))}</span>&nbsp;·
      <span class="nb">${words.random} <b>${fixed(rmsAt(result, at), 6)}</b></span
      >&nbsp;· <span class="nb">${words.bound} <b>${readout(result.bound[at]!)}</b></span>`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().decay;
    const { model, dim, base } = this.state;
    const { rotaryDim, base: ofModel } = presetNamed(model).params;
    const chosen = rotaryDim === dim && ofModel === base ? model : OWN;
    const options = modelPresets.map(({ name }) => ({ value: name, label: name }));
    return html`<div class="controls">
      <choice-group
        class="wide"
        name="model"
        .label=${text.model}
        .value=${chosen}
        .options=${chosen === OWN ? [...options, { value: OWN, label: text.own }] : options}
        .onValue=${(name: string) => name !== OWN && this.change(stateOf(name))}
      ></choice-group>
      ${this.renderSlider('dim', text.width)} ${this.renderSlider('base', text.base, { scale: 'log' })}
      ${this.renderChoice('claimed', text.claimed, (claimed) => text.claims[claimed], { wide: true })}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().decay.lookFor;
  }

  protected table({ result }: Answer<'decay'>): TableData {
    const value = (row: number, column: number): number =>
      [
        DISTANCES[row]!,
        result.kernel[row]!,
        result.least[row]!,
        result.greatest[row]!,
        result.bound[row]!,
        rmsAt(result, row),
        result.fan[row]!,
      ][column]!;
    return {
      columns: texts().decay.tableHeads,
      rows: DISTANCES.length,
      cell: (row, column) => (column === 0 ? group(value(row, 0)) : fixed(value(row, column), 9)),
      value,
    };
  }

  protected override numpy({ request: { dim, base } }: Answer<'decay'>): string {
    return `frequency = ${base}.0 ** (-np.arange(0, ${dim}, 2) / ${dim})
distance = np.array([${DISTANCES.join(', ')}])
phase = np.outer(distance, frequency)
kernel = np.cos(phase).mean(axis=1)
ceiling = np.abs(np.cumsum(np.exp(1j * phase), axis=1)).mean(axis=1)
table = np.stack([distance, kernel, ceiling], axis=1)`;
  }

  protected override array({ result }: Answer<'decay'>) {
    const rows = DISTANCES.map((distance, row) => [distance, result.kernel[row]!, result.bound[row]!]);
    return { values: rows.flat(), shape: [DISTANCES.length, 3] };
  }

  protected updatePlots(): void {
    const text = texts().decay;
    const { result } = this.answer ?? {};
    const x = DISTANCES.map(along);
    const ranges = DISTANCES.length;
    this.#scores.update({
      label: text.scores,
      x,
      xAxis: { ...xAxis, title: '' },
      yAxis: { title: text.scoresTitle, minimum: -1, maximum: 1, ticks: [-1, -0.5, 0, 0.5, 1].map(toTick) },
      height: HEIGHT.scores,
      ...(this.area ? { area: this.area } : {}),
      series: [
        ...Array.from({ length: PAIRS }, (_, pair) => ({
          ...(pair === 0 ? { name: text.random, labelY: -0.2 } : {}),
          color: 2 as const,
          width: 0.6,
          dot: false,
          values: result?.fan.subarray(pair * ranges, (pair + 1) * ranges) ?? [],
        })),
        {
          name: text.equal,
          color: 1,
          values: result?.greatest ?? [],
          band: { minimum: result?.least ?? [], opacity: 0.5 },
        },
      ],
      cursor: this.at,
    });
    this.#bounds.update({
      label: text.bounds,
      x,
      xAxis: { ...xAxis, title: text.distanceAxis },
      yAxis: {
        title: text.boundsTitle,
        minimum: 0.1,
        maximum: 1000,
        scale: 'log',
        ticks: [-1, 0, 1, 2, 3].map((exponent) => ({ at: 10 ** exponent, label: powerOfTen(exponent) })),
      },
      height: HEIGHT.bounds,
      series: [
        { name: text.boundEqual, color: 1, values: result?.bound ?? [] },
        { name: text.boundRandom, color: 2, values: result?.leastBound ?? [] },
      ],
      threshold: { y: 1, label: text.one },
      cursor: this.at,
    });
  }
}

/** The numbers that decide a claim, and both ways to say it. */
function judge(
  claimed: Claimed,
  result: DecayResult,
): { residual: number; tolerance: number; strict: boolean; held: string; failed: string } {
  const text = texts().decay;
  const far = noBreak(group(FAR));
  const first = result.firstRise ?? 0;
  switch (claimed) {
    case 'bound':
      return {
        residual: result.shareOfBound,
        tolerance: 1,
        strict: false,
        held: text.bound,
        failed: text.boundFails,
      };
    case 'equal':
      return {
        residual: result.farKernel,
        tolerance: FADED,
        strict: true,
        held: text.equalHolds(far),
        failed: text.equalFails(far),
      };
    case 'random':
      return {
        residual: result.farRandom / result.nearRandom,
        tolerance: FADED,
        strict: true,
        held: text.randomHolds,
        failed: text.randomFails,
      };
    case 'monotone':
      return {
        residual: result.largestRise,
        tolerance: RISE_TOLERANCE,
        strict: false,
        held: text.monotoneHolds,
        failed: text.monotoneFails(group(first), group(first + 1)),
      };
  }
}

/** Root mean square of the random scores in one range. */
function rmsAt({ fan }: DecayResult, at: number): number {
  let sum = 0;
  for (let i = at; i < fan.length; i += DISTANCES.length) sum += fan[i]! ** 2;
  return Math.sqrt(sum / PAIRS);
}

function toTick(at: number): { at: number; label: string } {
  return { at, label: fixed(at, at % 1 === 0 ? 0 : 1) };
}

/** Width and base of a model that the page offers, as a link holds them. */
function numbersOf(model: string | undefined): [field: string, value: string][] {
  if (model === undefined || presetField.read(model) === undefined) return [];
  const { dim, base } = stateOf(model);
  return [
    ['dim', String(dim)],
    ['base', String(base)],
  ];
}

function stateOf(name: string): Pick<DecayState, 'model' | 'dim' | 'base'> {
  const { rotaryDim, base } = presetNamed(name).params;
  return { model: name, dim: rotaryDim, base };
}
