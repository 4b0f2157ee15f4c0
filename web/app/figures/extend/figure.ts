import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import { pythonList } from '../../exports/numpy.js';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { BarPlot } from '../../plots/bar-plot.js';
import { fixed, group, noBreak, readout, scientific, short } from '../../plots/format.js';
import { LinePlot } from '../../plots/line-plot.js';
import type { LineColor } from '../../plots/theme.js';
import { type StretchedPreset, stretchedPresets } from '../../stretched-models.js';
import { ARC_TOLERANCE, type ExtendRequest, METHODS, type Method } from './task.js';
import { type StateFields, oneOf, range } from '../../state/fields.js';
import { orOwn, presetNamed, renderModelChoice } from '../model-choice.js';
import { along, nearestShift, shiftAxis, spacedShifts } from '../shift-axis.js';
import { type Texts, texts } from '../../texts/index.js';

interface ExtendState {
  readonly model: string;
  readonly method: Method;
  readonly factor: number;
  readonly length: number;
}

const DISTANCES = spacedShifts(400);
const HEIGHT = { divisors: 150, arcs: 92, kernel: 150 };
/** Fixed, so that the axis does not follow the factor. */
const DIVISOR_AXIS = { from: 0.8, to: 100, ticks: [1, 2, 4, 8, 16, 32, 64] };
const LINE: Readonly<Record<Exclude<Method, 'default'>, LineColor>> = {
  linear: 1,
  ntk: 2,
  dynamic: 3,
  yarn: 4,
  longrope: 5,
  llama3: 6,
};

const fields: StateFields<ExtendState> = {
  model: orOwn(
    oneOf(stretchedPresets.map(({ name }) => name)),
    ({ type, originalMaxPosition }) => originalMaxPosition !== undefined && METHODS.some((method) => method === type),
  ),
  method: oneOf(METHODS),
  factor: range(1, 64),
  length: range(1024, 2 ** 20),
};

/** Divisors of every rule over the arcs that pairs sweep with the chosen one, and the kernel before and after. */
export class ExtendFigure extends Figure<ExtendState, 'extend'> {
  static override properties = {
    ...super.properties,
    pair: { state: true },
    distance: { state: true },
    area: { state: true },
  };
  /** The pair at the cursor of both upper plots. */
  declare private pair: number;
  declare private distance: number;
  declare private area: { left: number; width: number } | undefined;

  readonly task = 'extend';
  protected readonly initial: ExtendState = stateOf(stretchedPresets[0]!.name);
  protected override readonly fields = fields;

  readonly #divisors = new LinePlot({
    onCursor: (pair) => (this.pair = pair),
    onLayout: (area) => (this.area = area),
  });
  readonly #arcs = new BarPlot({ onCursor: (pair) => (this.pair = pair) });
  readonly #kernel = new LinePlot({ onCursor: (index) => (this.distance = DISTANCES[index]!) });

  constructor() {
    super();
    this.pair = 40;
    this.distance = 1000;
  }

  protected text(): Texts['extend'] {
    return texts().extend;
  }

  protected request({ model, method, factor, length }: ExtendState): ExtendRequest {
    return { params: presetOf(model).params, method, factor, length, distances: DISTANCES };
  }

  protected claim(): Claim {
    const text = texts().extend;
    if (!this.answer) return { state: 'computing', text: text.computing };
    const { request, result } = this.answer;
    if (!result.chosen) return { state: 'not-applicable', text: text.noLists };
    const length = noBreak(group(request.length));
    const holds = result.newArc <= ARC_TOLERANCE;
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim(length) : text.fails(text.pairs(result.pairsWithNewArc), length),
      comparison: { residual: result.newArc, tolerance: ARC_TOLERANCE, relation: '≤', gaugeFrom: -18 },
      measurement: this.measurement('f64', group(request.params.rotaryDim / 2)),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    const { name, params } = presetOf(this.state.model);
    return texts().extend.prose(name, noBreak(group(params.originalMaxPosition)));
  }

  protected renderMargin(): TemplateResult {
    const words = texts().extend.margin;
    const { chosen, pairsWithNewArc, trained } = this.answer?.result ?? {};
    const factor = chosen?.attentionFactor;
    const rows = [
      [words.attention, factor === undefined ? undefined : brief(factor)],
      [words.logits, factor === undefined ? undefined : brief(factor ** 2)],
      [words.softmax, chosen && brief(chosen.softmaxFactor)],
      [words.pairs, chosen && words.of(group(pairsWithNewArc!), group(trained!.length))],
    ];
    return html`
      ${unsafeHTML(mathml.extend)}
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
      <div class="plot">${this.#divisors.element}</div>
      <div class="plot">${this.#arcs.element}</div>
      <div class="plot">${this.#kernel.element}</div>
    `;
  }

  protected renderReadout({ result }: Answer<'extend'>): Content {
    const text = texts().extend;
    const words = text.readout;
    const pair = this.#at;
    const { plain, chosen = plain, trained, reached, kernelBefore, kernelAfter } = result;
    const at = nearestShift(DISTANCES, this.distance)!;
    return html`${words.pair(group(pair), text.zones[chosen.zone[pair]!])}&nbsp;·
      <span class="nb"
        >${words.wavelength} ${readout(plain.wavelength[pair]!)} → <b>${readout(chosen.wavelength[pair]!)}</b></span
      >&nbsp;· <span class="nb">${words.divisor} <b>${readout(chosen.divisor[pair]!)}</b></span
      >&nbsp;· <span class="nb">${words.trained} ${fixed(trained[pair]!, 4)}</span>&nbsp;·
      <span class="nb">${words.reached} <b>${fixed(reached[pair]!, 4)}</b> ${words.turns}</span>&nbsp;·
      <span class="nb"
        >K(<span class="dist">${group(DISTANCES[at]!)}</span>) = ${fixed(kernelBefore[at]!, 4)} →
        <b>${fixed(kernelAfter[at]!, 4)}</b></span
      >`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().extend;
    return html`<div class="controls">
      ${renderModelChoice(this.state.model, (model) => this.change(stateOf(model)), stretchedPresets)}
      ${this.renderChoice('method', text.method, (method) => text.methods[method], { wide: true })}
      ${this.renderSlider('factor', text.factor, { wide: true })}
      ${this.renderSlider('length', text.length, { scale: 'log', wide: true })}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().extend.lookFor;
  }

  protected table({ result }: Answer<'extend'>): TableData {
    const text = texts().extend;
    const { plain, chosen = plain, trained, reached } = result;
    return {
      columns: text.tableHeads,
      rows: trained.length,
      cell: (pair, column) => {
        const cells = [
          () => group(pair),
          () => readout(plain.wavelength[pair]!, 12),
          () => readout(chosen.divisor[pair]!, 12),
          () => readout(chosen.wavelength[pair]!, 12),
          () => text.zones[chosen.zone[pair]!],
          () => fixed(trained[pair]!, 9),
          () => fixed(reached[pair]!, 9),
          () => scientific(Math.max(0, reached[pair]! - trained[pair]!), 6),
        ];
        return cells[column]!();
      },
      value: (pair, column) =>
        [
          pair,
          plain.wavelength[pair]!,
          chosen.divisor[pair]!,
          chosen.wavelength[pair]!,
          text.zones[chosen.zone[pair]!],
          trained[pair]!,
          reached[pair]!,
          Math.max(0, reached[pair]! - trained[pair]!),
        ][column]!,
    };
  }

  protected override numpy({ request, result }: Answer<'extend'>): string {
    const { params, method, factor, length } = request;
    const { rotaryDim, base, originalMaxPosition: original, longFactor, shortFactor, truncate = true } = params;
    const { lowFreqFactor: low = 1, highFreqFactor: high = 4 } = params;
    const corner = (turns: number): string => `(pairs * np.log(${original} / (2 * np.pi * ${turns})) / np.log(base))`;
    const divisor: Record<Method, string> = {
      default: 'np.ones(pairs)',
      linear: 'np.full(pairs, factor)',
      ntk: 'factor ** (pair / (pairs - 1))',
      dynamic: `(1 + factor * (max(length, original) / original - 1)) ** (pair / (pairs - 1))`,
      yarn: `stretch((pair - first) / (last - first))`,
      longrope: `np.array(${pythonList((length > original ? longFactor : shortFactor) ?? [])})`,
      llama3: `stretch((${high} - original * frequency / (2 * np.pi)) / (${high} - ${low}))`,
    };
    const corners = [`max(${truncate ? 'np.floor' : ''}${corner(32)}, 0)`];
    corners.push(`min(${truncate ? 'np.ceil' : ''}${corner(1)}, ${rotaryDim - 1})`);
    return `pairs, base, factor, length, original = ${rotaryDim / 2}, ${base}.0, ${factor}.0, ${length}, ${original}
pair = np.arange(pairs)
frequency = base ** (-pair / pairs)

def stretch(share):
    """The divisor where this share of a frequency, from 0 to 1, is divided by the factor."""
    share = np.clip(share, 0, 1)
    return 1 / (1 - share + share / factor)
${method === 'yarn' ? `\nfirst, last = ${corners.join(', ')}` : ''}
divisor = ${divisor[result.chosen ? method : 'default']}
before, after = 2 * np.pi / frequency, 2 * np.pi * divisor / frequency
trained, reached = np.minimum(1, original / before), np.minimum(1, length / after)
table = np.column_stack([pair, before, divisor, after, trained, reached, np.maximum(0, reached - trained)])`;
  }

  protected updatePlots(): void {
    const text = texts().extend;
    const { request, result } = this.answer ?? { request: this.request(this.state) };
    const pairs = request.params.rotaryDim / 2;
    const methods = METHODS.filter((method) => method !== 'default').filter((method) => result?.divisors[method]);
    // The chosen rule is drawn last, over the others.
    methods.sort((a, b) => Number(a === request.method) - Number(b === request.method));
    this.#divisors.update({
      label: text.divisor,
      x: Array.from({ length: pairs }, (_, pair) => pair),
      xAxis: { title: '', minimum: -0.5, maximum: pairs - 0.5, ticks: [] },
      yAxis: {
        title: text.divisorTitle,
        minimum: DIVISOR_AXIS.from,
        maximum: DIVISOR_AXIS.to,
        scale: 'log',
        ticks: DIVISOR_AXIS.ticks.map((at) => ({ at, label: short(at) })),
      },
      height: HEIGHT.divisors,
      series: methods.map((method) => ({
        name: text.lines[method],
        color: LINE[method],
        values: result!.divisors[method]!,
        width: method === request.method ? 3.5 : 1.25,
      })),
      cursor: Math.min(this.pair, pairs - 1),
    });
    this.#arcs.update({
      label: text.arcs,
      solid: result?.trained ?? [],
      hatched: result?.reached ?? [],
      colors: { solid: 1, hatched: 2 },
      names: { solid: text.trained, hatched: text.new },
      xTitle: text.pairAxis,
      yTitle: text.arcsTitle,
      maximum: 1,
      height: HEIGHT.arcs,
      area: this.area ?? { left: 0, width: 0 },
      cursor: Math.min(this.pair, pairs - 1),
    });
    this.#kernel.update({
      label: text.kernel,
      x: DISTANCES.map(along),
      xAxis: { ...shiftAxis, title: text.distanceAxis },
      yAxis: { title: text.kernelTitle, minimum: -0.5, maximum: 1 },
      height: HEIGHT.kernel,
      series: [
        { name: text.before, color: 1, values: result?.kernelBefore ?? [], width: 1.5 },
        { name: text.after, color: 2, values: result?.kernelAfter ?? [] },
      ],
      cursor: nearestShift(DISTANCES, this.distance),
    });
  }

  /** The chosen pair, or the last one of a narrower head. */
  get #at(): number {
    return Math.min(this.pair, this.answer!.result.trained.length - 1);
  }
}

function presetOf(name: string): StretchedPreset {
  return presetNamed(name, stretchedPresets);
}

/** As the model is published: its rule, its factor, and the length that they reach. */
function stateOf(model: string): ExtendState {
  const { params } = presetOf(model);
  const { type, factor = 1, originalMaxPosition } = params;
  const isStretched = type !== 'default';
  return {
    model,
    method: type as Method,
    factor,
    length: isStretched ? factor * originalMaxPosition : originalMaxPosition,
  };
}

/** Up to nine digits, without zeros at the end. */
function brief(value: number): string {
  return short(Number(value.toPrecision(9)));
}
