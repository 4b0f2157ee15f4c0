import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { mathml } from 'virtual:formulas';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { fixed, group, noBreak, readout, scientific, short } from '../../plots/format.js';
import { type LineMark, LinePlot, type LineSeries } from '../../plots/line-plot.js';
import type { LineColor } from '../../plots/theme.js';
import { type StateFields, range } from '../../state/fields.js';
import type { Alias, AliasesPartial, AliasesRequest, AliasesResult, Envelope } from './task.js';
import { type Texts, texts } from '../../texts/index.js';

interface AliasesState {
  readonly narrow: number;
  readonly wide: number;
}

const FARTHEST = 10_000_000;
const BINS = 840;
/** Where returns of the wide width begin to count. */
const FROM = 1000;
/** The claim: the wide width stays below the one, the narrow width exceeds the other. */
const CEILING = 0.3;
const LEVEL = 0.999;
/** Closer than this to 1 is a near repeat: at d = 8 the first is the one that the title names. */
const NEAR_REPEAT = 1e-5;
/** Returns below this are too many and too weak to be marked. */
const WORTH_A_MARK = 0.9;
const HEIGHT = 312;
const COLORS: Record<'narrow' | 'wide', LineColor> = { narrow: 2, wide: 1 };
const ROWS = 6;
const WAVES_SHOWN = 4;

const fields: StateFields<AliasesState> = { narrow: range(2, 64, 2), wide: range(66, 512, 2) };

/** K of a narrow and a wide width at every whole distance to ten million: who returns, when, and how closely. */
export class AliasesFigure extends Figure<AliasesState, 'aliases'> {
  static override properties = { ...super.properties, cursor: { state: true } };
  /** A distance; undefined stands for the first near repeat, once that is known. */
  declare private cursor: number | undefined;

  readonly task = 'aliases';
  protected readonly initial: AliasesState = { narrow: 8, wide: 312 };

  protected readonly fields = fields;

  readonly #plot = new LinePlot({
    onCursor: (index) => {
      const { edges, narrow } = this.#shown!;
      this.cursor = Number.isFinite(narrow.argmax[index]) ? narrow.argmax[index]! : edges[index]!;
    },
  });

  protected text(): Texts['aliases'] {
    return texts().aliases;
  }

  protected request({ narrow, wide }: AliasesState): AliasesRequest {
    return { narrow, wide, farthest: FARTHEST, bins: BINS, from: FROM };
  }

  protected claim(): Claim {
    const text = texts().aliases;
    const settled = this.#settled;
    if (!settled) return { state: 'computing', text: text.computing, share: this.progress?.share ?? 0 };
    const { request, result } = settled;
    const [narrow, wide] = [group(request.narrow), group(request.wide)];
    const best = result.records.at(-1)?.similarity ?? -1;
    const comes = best > LEVEL;
    const stays = result.highest.similarity < CEILING;
    const near = 1 - LEVEL;
    const words = !stays
      ? text.wideFails(wide, short(CEILING), noBreak(group(result.highest.distance)))
      : comes
        ? text.claim(wide, narrow, noBreak(group(FROM)), short(LEVEL), short(CEILING))
        : text.narrowFails(narrow, short(near), fixed(best, 6));
    // Of the two halves the gauge shows the wide one, unless the narrow one fails alone.
    const compared =
      stays && !comes
        ? { residual: 1 - best, tolerance: near, gaugeFrom: -4 }
        : { residual: result.highest.similarity, tolerance: CEILING, gaugeFrom: -2 };
    return {
      state: stays && comes ? 'holds' : 'fails',
      text: words,
      comparison: {
        ...compared,
        relation: '<',
        show: (value) => short(Number(value.toFixed(6))),
      },
      measurement: this.measurement('f64', `10⁷ × ${group((request.narrow + request.wide) / 2)}`),
      derivation: derivationFor(request.wide),
    };
  }

  protected renderProse(): Content {
    const { narrow, wide } = this.state;
    return texts().aliases.prose(group(narrow), group(narrow / 2), group(wide), group(wide / 2));
  }

  protected renderLookFor(): Content {
    const { narrow, wide } = this.#dims;
    const { records, highest } = this.#settled?.result ?? {};
    const closest = records ? noBreak(scientific(1 - (records.at(-1)?.similarity ?? -1))) : '…';
    const top = highest ? fixed(highest.similarity, 4) : '…';
    return texts().aliases.lookFor(group(narrow), closest, noBreak(group(FROM)), group(wide), top);
  }

  protected renderMargin(): TemplateResult {
    const words = texts().aliases.margin;
    const distance = this.#distance;
    const wavelengths = this.#shown?.narrow.wavelengths ?? new Float64Array();
    const waves = [...wavelengths.subarray(0, WAVES_SHOWN)];
    const rest = wavelengths.length - waves.length;
    const similarity = this.#shown && this.#at(this.#shown.narrow)?.maximum;
    return html`
      ${unsafeHTML(mathml.aliases)}
      <dl class="fill">
        ${
          distance === undefined
            ? nothing
            : waves.map((wavelength) => {
                const phase = phaseLeft(distance, wavelength);
                return html`<dt>${words.wave(readout(wavelength))}</dt>
                  <dd>cos(${fixed(phase, 6)}) = ${fixed(Math.cos(phase), 10)}</dd>`;
              })
        }
        ${
          distance !== undefined && rest > 0
            ? html`<dt>${words.more(group(rest))}</dt>
                <dd>…</dd>`
            : nothing
        }
        ${
          similarity === undefined
            ? nothing
            : html`<dt>${words.mean}</dt>
                <dd>${fixed(similarity, 10)}</dd>`
        }
      </dl>
    `;
  }

  protected renderPlot(): TemplateResult {
    return html`<div class="plot bleed">${this.#plot.element}</div>`;
  }

  protected renderReadout(): Content {
    const shown = this.#shown;
    const index = this.#index;
    if (!shown || index === undefined) return texts().aliases.computing;
    const words = texts().aliases.readout;
    const { narrow, wide } = this.#dims;
    const [from, to] = [shown.edges[index]!, shown.edges[index + 1]! - 1];
    const one = (dim: number, role: 'narrow' | 'wide'): TemplateResult => {
      const at = shown[role].argmax[index]!;
      return html`<span class="nb">${words.width(group(dim))} <b>${fixed(shown[role].maximum[index]!, 10)}</b></span
        >${from === to ? nothing : html`<span class="nb">${words.at(group(at))}</span>`}`;
    };
    const where = from === to ? `Δ = ${group(from)}` : words.best(group(from), group(to));
    return html`<span class="nb">${where}</span>&nbsp;· ${one(narrow, 'narrow')}&nbsp;· ${one(wide, 'wide')}`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().aliases;
    return html`<div class="controls">
      ${this.renderSlider('narrow', text.narrow, { wide: true })}
      ${this.renderSlider('wide', text.wide, { wide: true })}
    </div>`;
  }

  protected override renderFirstNote(): TemplateResult {
    const text = texts().aliases;
    const { narrow, wide } = this.#dims;
    const result = this.#settled?.result;
    const near = result && nearRepeat(result.records);
    return html`
      <div class="look-for">${super.renderFirstNote()}</div>
      <div>
        <h3>${text.records(group(narrow))}</h3>
        ${aliasTable(result ? result.records.slice(-ROWS) : [], near?.distance)}
      </div>
      <div>
        <h3>${text.recordsFrom(group(wide), noBreak(group(FROM)))}</h3>
        ${aliasTable(result?.wideRecords.slice(-ROWS) ?? [], result?.highest.distance)}
      </div>
    `;
  }

  protected table({ request, result }: Answer<'aliases'>): TableData {
    const { edges } = result;
    const envelope = ({ minimum, maximum, argmax }: Envelope, row: number, column: number): string =>
      column === 2 ? group(argmax[row]!) : fixed([minimum, maximum][column]![row]!, 10);
    const heads = texts().aliases.tableHeads;
    const headsOf = (dim: number): string[] => [`d = ${group(dim)}: ${heads.least}`, heads.greatest, heads.at];
    return {
      columns: [heads.from, heads.to, ...headsOf(request.narrow), ...headsOf(request.wide)],
      rows: edges.length - 1,
      cell: (row, column) => {
        if (column === 0) return group(edges[row]!);
        if (column === 1) return group(edges[row + 1]! - 1);
        return column < 5 ? envelope(result.narrow, row, column - 2) : envelope(result.wide, row, column - 5);
      },
      value: (row, column) => {
        const of = ({ minimum, maximum, argmax }: Envelope): number[] => [minimum[row]!, maximum[row]!, argmax[row]!];
        return [edges[row]!, edges[row + 1]! - 1, ...of(result.narrow), ...of(result.wide)][column]!;
      },
    };
  }

  protected override numpy({ request }: Answer<'aliases'>): string {
    const { narrow, wide, farthest, bins, from } = request;
    return `farthest, bins = ${farthest}, ${bins}
even = np.ceil(float(farthest) ** (np.arange(bins) / bins) - 1e-9).astype(int)
edges = np.append(np.unique(np.append(even, ${from})), farthest + 1)

def envelope(dim):
    """Least and greatest K of every range of distances, and the first distance of the greatest."""
    frequency = 10000.0 ** (-np.arange(0, dim, 2) / dim)
    rows = []
    for first, end in zip(edges[:-1], edges[1:]):
        least, greatest, at = 2.0, -2.0, first
        for start in range(first, end, 65536):
            distance = np.arange(start, min(start + 65536, end))
            k = sum(np.cos(distance * f) for f in frequency) / len(frequency)
            least = min(least, k.min())
            if k.max() > greatest:
                greatest, at = k.max(), distance[k.argmax()]
        rows.append([least, greatest, at])
    return np.array(rows)

# From and to, then of both widths the least K, the greatest, and where.
table = np.column_stack([edges[:-1], edges[1:] - 1, envelope(${narrow}), envelope(${wide})])`;
  }

  protected updatePlots(): void {
    const text = texts().aliases;
    const shown = this.#shown;
    const { narrow, wide } = this.#dims;
    const result = this.#settled?.result;
    const line = (role: 'narrow' | 'wide', opacity: number, labelY: number): LineSeries => ({
      name: `d = ${group(role === 'narrow' ? narrow : wide)}`,
      color: COLORS[role],
      values: shown?.[role].maximum ?? [],
      band: { minimum: shown?.[role].minimum ?? [], opacity },
      width: 1.4,
      labelY,
    });
    const rug = (role: 'narrow' | 'wide', dim: number) => ({
      name: text.waves(group(dim / 2)),
      color: COLORS[role],
      at: shown?.[role].wavelengths ?? [],
    });
    this.#plot.update({
      label: text.plot,
      x: shown ? middles(shown.edges) : [],
      xAxis: { title: text.distanceAxis, minimum: 1, maximum: FARTHEST, scale: 'log' },
      yAxis: {
        title: text.similarityAxis,
        minimum: -1.04,
        maximum: 1.02,
        ticks: [-1, -0.5, 0, 0.5, 1].map((at) => ({ at, label: short(at) })),
      },
      height: HEIGHT,
      series: [line('narrow', 0.2, 0.75), line('wide', 0.75, 0)],
      marks: marksOf(result),
      rugs: { title: text.wavelengths, rows: [rug('narrow', narrow), rug('wide', wide)] },
      cursor: this.#index,
    });
  }

  /** New widths: the cursor goes to their own near repeat. */
  protected override change(values: Partial<AliasesState>): void {
    this.cursor = undefined;
    super.change(values);
  }

  /** The answer, unless newer widths have been chosen since. */
  get #settled(): Answer<'aliases'> | undefined {
    const { request } = this.answer ?? {};
    const current = request?.narrow === this.state.narrow && request.wide === this.state.wide;
    return current ? this.answer : undefined;
  }

  /** What can be drawn: the answer, or as much of it as there is. */
  get #shown(): AliasesPartial | undefined {
    return this.#settled?.result ?? this.progress?.partial ?? this.answer?.result;
  }

  /** The widths that what is drawn belongs to. */
  get #dims(): AliasesState {
    return this.#settled || this.progress || !this.answer ? this.state : this.answer.request;
  }

  get #distance(): number | undefined {
    if (this.cursor !== undefined) return this.cursor;
    const records = this.#settled?.result.records;
    return records && nearRepeat(records)?.distance;
  }

  /** The range of the cursor. */
  get #index(): number | undefined {
    const [shown, distance] = [this.#shown, this.#distance];
    if (!shown || distance === undefined) return undefined;
    const index = shown.edges.findIndex((edge) => edge > distance) - 1;
    return Number.isFinite(shown.narrow.maximum[index]) ? index : undefined;
  }

  #at(envelope: Envelope): { maximum: number } | undefined {
    const index = this.#index;
    return index === undefined ? undefined : { maximum: envelope.maximum[index]! };
  }
}

/** What the ceiling and the error of K are for a width; the error is what `kernelEnvelope` promises for its pairs. */
function derivationFor(dim: number): Content {
  const spread = 1 / Math.sqrt(dim);
  const error = (dim / 2 + 8) * 2 ** -53;
  const times = readout(CEILING / spread, 2);
  return texts().aliases.derivation(group(dim), readout(spread, 2), times, group(dim / 2), noBreak(scientific(error)));
}

/** The first return close enough to be called a repeat, else the closest there is. */
function nearRepeat(records: readonly Alias[]): Alias | undefined {
  return records.find(({ similarity }) => 1 - similarity < NEAR_REPEAT) ?? records.at(-1);
}

/** What is left of a wave's phase after a distance, radians in (−π, π]. */
function phaseLeft(distance: number, wavelength: number): number {
  const turns = distance / wavelength;
  return (turns - Math.round(turns)) * 2 * Math.PI;
}

/** Ranges of one distance stand at it, wider ones at their middle on a logarithmic axis. */
function middles(edges: Float64Array): Float64Array {
  return Float64Array.from({ length: edges.length - 1 }, (_, i) => Math.sqrt(edges[i]! * (edges[i + 1]! - 1)));
}

function marksOf(result: AliasesResult | undefined): LineMark[] {
  if (!result) return [];
  const { records, highest } = result;
  const near = nearRepeat(records);
  const color = COLORS.narrow;
  const returns = records
    .filter(({ similarity }) => similarity > WORTH_A_MARK)
    .reverse() // of two names that collide the later one stays
    .flatMap((record): LineMark[] => {
      const { distance, similarity } = record;
      const at = { x: distance, y: similarity, color };
      return [
        { ...at, kind: 'tick' },
        { ...at, kind: 'ring', text: group(distance), ...(record === near ? { strong: true } : {}) },
      ];
    });
  const { distance: x, similarity: y } = highest;
  const brief = fixed(y, 4);
  const text = texts().aliases.highest(brief, group(x));
  return [...returns, { x, y, color: COLORS.wide, kind: 'ring', text, brief }];
}

/** `ROWS` rows whatever there is to fill them with, so that nothing below moves when the answer comes. */
function aliasTable(aliases: readonly Alias[], chosen: number | undefined): TemplateResult {
  return html`<table class="short">
    <thead>
      <tr>
        <th scope="col">Δ</th>
        <th scope="col">K(Δ)</th>
        <th scope="col">1 − K</th>
      </tr>
    </thead>
    <tbody>
      ${aliases.map(
        ({ distance, similarity }) =>
          html`<tr class=${distance === chosen ? 'chosen' : ''}>
            <td>${group(distance)}</td>
            <td>${fixed(similarity, 10)}</td>
            <td>${scientific(1 - similarity)}</td>
          </tr>`,
      )}
      ${Array.from(
        { length: Math.max(0, ROWS - aliases.length) },
        () =>
          html`<tr aria-hidden="true">
            <td colspan="3">&nbsp;</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
