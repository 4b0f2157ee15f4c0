import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { Dtype } from 'posenc';
import { mathml } from 'virtual:formulas';
import { frequenciesOf, pythonList } from '../../exports/numpy.js';
import type { Content } from '../../texts/translation.js';
import { modelPresets } from '../../models.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { fixed, group, powerOfTen, scientific } from '../../plots/format.js';
import { type LineAxis, LinePlot, type LineSeries } from '../../plots/line-plot.js';
import type { LineColor } from '../../plots/theme.js';
import { type StateFields, oneOf, range } from '../../state/fields.js';
import { modelField, presetNamed, renderModelChoice } from '../model-choice.js';
import { type Precision, type PrecisionCurve, type PrecisionRequest, STAGES } from './task.js';
import { LARGEST_SHIFT, alignSlider, along, nearestShift, shiftAxis, spacedShifts } from '../shift-axis.js';
import { type Texts, texts } from '../../texts/index.js';

interface PrecisionState extends Precision {
  readonly model: string;
  readonly distance: number;
  readonly shift: number;
}

type Recipe = keyof Texts['precision']['recipes'];
interface Area {
  readonly left: number;
  readonly right: number;
}

const DTYPES: readonly Dtype[] = ['f64', 'f32', 'f16', 'bf16'];
const recipes: Readonly<Record<Exclude<Recipe, 'own'>, Precision>> = {
  exact: { position: 'f64', invFreq: 'f64', angle: 'f64', table: 'f64' },
  posenc: { position: 'f64', invFreq: 'f64', angle: 'f64', table: 'f32' },
  huggingFace: { position: 'f32', invFreq: 'f32', angle: 'f32', table: 'f32' },
  halfTable: { position: 'f32', invFreq: 'f32', angle: 'f32', table: 'bf16' },
  halfThroughout: { position: 'f16', invFreq: 'f16', angle: 'f16', table: 'f16' },
  halfPositions: { position: 'bf16', invFreq: 'f64', angle: 'f64', table: 'f32' },
};

const POINTS = spacedShifts(120);
/** Below the least bound of all types; a change of exactly 0 is drawn here. */
const PLOT = { from: 1e-18, to: 2, height: 190 };
const yAxis = (title: string): LineAxis => ({
  title,
  minimum: PLOT.from,
  maximum: PLOT.to,
  scale: 'log',
  ticks: [0, -4, -8, -12, -16].map((exponent) => ({ at: 10 ** exponent, label: powerOfTen(exponent) })),
});
const LINE: Readonly<Record<(typeof STAGES)[number] | 'all', LineColor>> = {
  all: 1,
  position: 2,
  invFreq: 3,
  angle: 4,
  table: 5,
};

const dtypeField = oneOf(DTYPES);
const fields: StateFields<PrecisionState> = {
  model: modelField,
  distance: range(0, LARGEST_SHIFT),
  shift: range(0, LARGEST_SHIFT),
  position: dtypeField,
  invFreq: dtypeField,
  angle: dtypeField,
  table: dtypeField,
};

/** Change of a score as both slide, beside its error as the distance grows, for a type per stage of the table. */
export class PrecisionFigure extends Figure<PrecisionState, 'precision'> {
  static override properties = { ...super.properties, areas: { state: true } };
  declare private areas: { readonly drift?: Area; readonly error?: Area };

  readonly task = 'precision';
  protected readonly initial: PrecisionState = {
    model: modelPresets[0]!.name,
    distance: 7,
    shift: 100_000,
    position: 'f64',
    invFreq: 'bf16',
    angle: 'f64',
    table: 'bf16',
  };

  protected readonly fields = fields;

  readonly #drift = new LinePlot({
    onCursor: (index) => this.change({ shift: POINTS[index]! }),
    mouse: 'press',
    onLayout: (drift) => (this.areas = { ...this.areas, drift }),
  });
  readonly #error = new LinePlot({
    onCursor: (index) => this.change({ distance: POINTS[index]! }),
    mouse: 'press',
    onLayout: (error) => (this.areas = { ...this.areas, error }),
  });

  constructor() {
    super();
    this.areas = {};
  }

  protected text(): Texts['precision'] {
    return texts().precision;
  }

  protected request(state: PrecisionState): PrecisionRequest {
    const { model, distance, shift } = state;
    return {
      params: presetNamed(model).params,
      precision: precisionOf(state),
      distance,
      shift,
      shifts: POINTS,
      distances: POINTS,
    };
  }

  protected claim(): Claim {
    const text = texts().precision;
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    const { largestDrift, bound } = result;
    const holds = largestDrift <= bound;
    const overflows = Number.isNaN(largestDrift);
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim : overflows ? text.overflows : text.fails,
      ...(overflows
        ? {}
        : { comparison: { residual: largestDrift, tolerance: bound, relation: '≤' as const, gaugeFrom: -18 } }),
      measurement: this.measurement(
        STAGES.map((stage) => request.precision[stage]).join(' → '),
        `${request.params.headDim} × ${POINTS.length + 1}`,
      ),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    return texts().precision.prose;
  }

  protected renderMargin(): TemplateResult {
    const words = texts().precision.margin;
    const { exact, now, errorAtStart } = this.answer?.result ?? {};
    const rows = [
      [words.exact, exact === undefined ? undefined : fixed(exact, 12)],
      [words.now, now && scoreText(now.score, 12)],
      [words.drift, now && sizeText(now.drift)],
      [words.error, errorAtStart === undefined ? undefined : sizeText(errorAtStart)],
    ];
    return html`
      ${unsafeHTML(mathml.precision)}
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
    const text = texts().precision;
    const side = (name: 'shift' | 'distance', title: string, plot: LinePlot): TemplateResult =>
      html`<div class="side of-${name}">
        <h3>${title}</h3>
        ${plot.element}
        <div class="axis-slider">${this.renderSlider(name, text[name], { scale: 'log1p' })}</div>
      </div>`;
    return html`<div class="duo">
      ${side('shift', text.left, this.#drift)} ${side('distance', text.right, this.#error)}
    </div>`;
  }

  protected renderReadout({ request, result }: Answer<'precision'>): Content {
    const words = texts().precision.readout;
    const { now, exact, errorAtStart } = result;
    return html`<span class="nb">${words.shift} <b>${group(request.shift)}</b></span
      >&nbsp;· <span class="dist nb">n − m = <b>${group(request.distance)}</b></span
      >&nbsp;·
      <span class="nb">${words.score} <b>${scoreText(now.score, 7)}</b>${words.exact(fixed(exact, 7))}</span>&nbsp;·
      <span class="nb">${words.drift} <b>${sizeText(now.drift)}</b></span
      >&nbsp;· <span class="nb">${words.error} <b>${sizeText(errorAtStart)}</b></span>`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().precision;
    const chosen = this.#recipe;
    const offered = [...Object.keys(recipes), ...(chosen === 'own' ? ['own'] : [])] as Recipe[];
    return html`<div class="controls">
      ${renderModelChoice(this.state.model, (model) => this.change({ model }))}
      <choice-group
        class="wide"
        name="recipe"
        .label=${text.recipe}
        .value=${chosen}
        .options=${offered.map((value) => ({ value, label: text.recipes[value] }))}
        .onValue=${(recipe: Recipe) => recipe !== 'own' && this.change(recipes[recipe])}
      ></choice-group>
      ${STAGES.map((stage) => this.renderChoice(stage, text.stages[stage], (dtype) => dtype))}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().precision.lookFor;
  }

  protected table({ request, result }: Answer<'precision'>): TableData {
    return {
      columns: texts().precision.tableHeads,
      rows: POINTS.length,
      cell: (row, column) => {
        if (column === 0) return group(request.shifts[row]!);
        if (column === 1) return scientific(result.all.drift[row]!, 6);
        if (column === 2) return group(request.distances[row]!);
        return scientific(result.all.error[row]!, 6);
      },
      value: (row, column) =>
        [request.shifts[row]!, result.all.drift[row]!, request.distances[row]!, result.all.error[row]!][column]!,
    };
  }

  protected override numpy({ request }: Answer<'precision'>): string {
    const { params, precision, distance, shifts, distances } = request;
    return `# Digits, least exponent and largest number of every type.
types = {"f64": (53, -1022, np.inf), "f32": (24, -126, 2.0**128 - 2.0**104),
         "f16": (11, -14, 65504.0), "bf16": (8, -126, 2.0**128 - 2.0**120)}

def keep(x, dtype):
    digits, least, most = types[dtype]
    ulp = np.maximum(np.frexp(x)[1] - 1, least) - (digits - 1)
    y = np.ldexp(np.rint(np.ldexp(x, -ulp)), ulp)
    return np.where(abs(y) > most, np.inf, y)

${frequenciesOf(params)}
head, rotated = ${params.headDim}, 2 * len(frequency)

def score(m, n, position, inv_freq, angle, table):
    """Of two equal vectors of length 1 at positions m and n, every stage kept in its type."""
    def turn(p):
        turned = keep(keep(np.atleast_1d(p)[:, None].astype(float), position) * keep(frequency, inv_freq), angle)
        return keep(np.cos(turned), table), keep(np.sin(turned), table)
    (c, s), (d, t) = turn(m), turn(n)
    return (2 * (c * d + s * t).sum(axis=1) + head - rotated) / head

rounded = ${pythonList(STAGES.map((stage) => precision[stage]))}
exact = ["f64"] * 4
shifts, distances, distance = np.array(${pythonList(shifts)}), np.array(${pythonList(distances)}), ${distance}
drift = abs(score(shifts, shifts + distance, *rounded) - score(0, distance, *rounded))
error = abs(score(0, distances, *rounded) - score(0, distances, *exact))
table = np.column_stack([shifts, drift, distances, error])`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    alignSlider(this.querySelector('.of-shift'), this.areas.drift);
    alignSlider(this.querySelector('.of-distance'), this.areas.error);
  }

  protected updatePlots(): void {
    const text = texts().precision;
    const x = POINTS.map(along);
    this.#drift.update({
      label: text.drift,
      x,
      xAxis: shiftAxis,
      yAxis: yAxis(text.driftTitle),
      height: PLOT.height,
      series: this.#series('drift'),
      ...(this.answer ? { threshold: { y: this.answer.result.bound, label: text.bound } } : {}),
      cursor: nearestShift(POINTS, this.state.shift),
    });
    this.#error.update({
      label: text.error,
      x,
      xAxis: shiftAxis,
      yAxis: yAxis(text.errorTitle),
      height: PLOT.height,
      series: this.#series('error'),
      cursor: nearestShift(POINTS, this.state.distance),
    });
  }

  /** Every lowered stage by itself, where there are several, under all of them together. */
  #series(kind: keyof PrecisionCurve): LineSeries[] {
    const text = texts().precision;
    const { all, alone } = this.answer?.result ?? {};
    if (!all || !alone) return [];
    const visible = (values: Float64Array): Float64Array => values.map((value) => Math.max(value, PLOT.from));
    const lowered = STAGES.filter((stage) => alone[stage]);
    const single = lowered.length > 1 ? lowered : [];
    return [
      ...single.map((stage) => ({
        name: text.stages[stage],
        color: LINE[stage],
        values: visible(alone[stage]![kind]),
        width: 1.5,
      })),
      { name: lowered.length === 1 ? text.stages[lowered[0]!] : text.all, color: LINE.all, values: visible(all[kind]) },
    ];
  }

  get #recipe(): Recipe {
    const now = JSON.stringify(precisionOf(this.state));
    const found = Object.entries(recipes).find(([, precision]) => JSON.stringify(precision) === now);
    return (found?.[0] as Recipe | undefined) ?? 'own';
  }
}

/** A score, or that a type which overflows leaves none. */
function scoreText(score: number, decimals: number): string {
  return Number.isNaN(score) ? texts().precision.none : fixed(score, decimals);
}

function sizeText(size: number): string {
  return Number.isNaN(size) ? texts().precision.none : scientific(size);
}

/** The types alone, in the order of the stages. */
function precisionOf({ position, invFreq, angle, table }: Precision): Precision {
  return { position, invFreq, angle, table };
}
