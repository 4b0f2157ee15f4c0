import { html, nothing, type TemplateResult } from 'lit';
import type { TaskName } from '../../engine/protocol.js';
import type { NumberArray } from '../../exports/npy.js';
import type { Content } from '../../texts/translation.js';
import type { TableData } from '../../parts/data-table.js';
import { type Answer, Figure } from '../../parts/figure.js';
import type { Claim } from '../../parts/proof-line.js';
import { group, powerOfTen, scientific } from '../../plots/format.js';
import { GRID_KEYS, moved } from '../../plots/keys.js';
import { type Pen, TEXT } from '../../plots/pen.js';
import { Stage } from '../../plots/stage.js';
import { type StateFields, oneOf } from '../../state/fields.js';
import { figureNumber } from '../figure-number.js';
import {
  CLAIMS,
  type Check,
  type LedgerClaim,
  type LedgerRequest,
  type LedgerResult,
  type Verdict,
  holds,
  verdictOf,
} from './task.js';
import { type Texts, texts } from '../../texts/index.js';
import './figure.css';

interface LedgerState {
  readonly show: 'all' | Verdict;
}

/** The figure that shows each claim. */
const SHOWN_BY: Readonly<Record<LedgerClaim, TaskName>> = {
  order: 'order',
  oneHot: 'numbers',
  equalProducts: 'distance',
  linearShift: 'hands',
  readsDistance: 'distance',
  period: 'waves',
  aliases: 'aliases',
  ropeKernel: 'distance',
  largerBase: 'waves',
  lengths: 'rotate',
  relativeScore: 'slide',
  distinctPairs: 'rotate',
  decay: 'decay',
  alibi: 'relative',
  extrapolation: 'extend',
};
const VERDICTS: readonly Verdict[] = ['true', 'conditions', 'false'];
const MARK: Readonly<Record<Verdict, string>> = { true: '✓', conditions: '◐', false: '✕' };
/** Share of plainly true claims at which the title stops being true. */
const HALF = 0.5;
/** Of the plot: height of a check, and the powers of ten on either side of the limit. */
const ROW = 11;
const GAP = 7;
const TOP = 40;
const POWERS = 9;

const fields: StateFields<LedgerState> = { show: oneOf(['all', 'true', 'conditions', 'false']) };

/** Popular claims with the numbers that decide them, the verdict, and where to see why. */
export class LedgerFigure extends Figure<LedgerState, 'ledger'> {
  static override properties = { ...super.properties, at: { state: true } };
  /** The claim at the cursor, among those shown. */
  declare private at: number;

  readonly task = 'ledger';
  protected readonly initial: LedgerState = { show: 'all' };
  protected override readonly fields = fields;

  readonly #stage = new Stage({
    arrange: () => TOP + heightOf(CLAIMS.map((claim) => texts().ledger.claims[claim].checks.length)),
    paint: (pen) => {
      const { result } = this.answer ?? {};
      const claims = result && this.#shown.map((claim) => result[claim]);
      drawMargins(pen, this.#stage.width, texts().ledger.plotTitle, claims, this.at);
    },
    keys: GRID_KEYS,
    onMove: ({ right, down }) => (this.at = moved(this.at, right + down, this.#shown.length)),
  });

  constructor() {
    super();
    this.at = 0;
  }

  protected text(): Texts['ledger'] {
    return texts().ledger;
  }

  protected request(): LedgerRequest {
    return {};
  }

  protected claim(): Claim {
    const text = texts().ledger;
    if (!this.answer) {
      const { share } = this.progress ?? {};
      return { state: 'computing', text: text.computing, ...(share === undefined ? {} : { share }) };
    }
    const { result } = this.answer;
    const plainlyTrue = countOf(result, 'true') / CLAIMS.length;
    const isLess = plainlyTrue < HALF;
    return {
      state: isLess ? 'holds' : 'fails',
      text: isLess ? text.claim : text.fails,
      comparison: { residual: plainlyTrue, tolerance: HALF, relation: '<', gaugeFrom: -2 },
      measurement: this.measurement('f64', group(CLAIMS.flatMap((claim) => result[claim]).length)),
      derivation: text.derivation,
    };
  }

  protected renderProse(): Content {
    return texts().ledger.prose;
  }

  protected renderMargin(): TemplateResult {
    const words = texts().ledger.margin;
    const { result } = this.answer ?? {};
    return html`<dl class="fill">
      ${VERDICTS.map(
        (verdict) =>
          html`<dt>${MARK[verdict]} ${words[verdict]}</dt>
            <dd>${result ? words.of(countOf(result, verdict), group(CLAIMS.length)) : nothing}</dd>`,
      )}
    </dl>`;
  }

  protected renderPlot(): TemplateResult {
    const text = texts().ledger;
    const { result } = this.answer ?? {};
    return html`
      <div class="plot">${this.#stage.element}</div>
      <ol class="ledger">
        ${this.#shown.map((claim, row) => {
          const checks = result?.[claim];
          const { text: words, checks: names } = text.claims[claim];
          const verdict = checks && verdictOf(checks);
          return html`<li class=${row === this.at ? 'chosen' : ''} data-claim=${claim}>
            <span class="verdict ${verdict ?? ''}"
              >${verdict ? `${MARK[verdict]} ${text.verdicts[verdict]}` : '…'}</span
            >
            <div>
              <p>${words}</p>
              <ul>
                ${names.map((name, k) => {
                  const check = checks?.[k];
                  return html`<li>
                    ${name}${check ? html`${text.colon}<span class="nb"><b class="num">${written(check)}</b> ${mark(check)}</span>` : nothing}
                  </li>`;
                })}
              </ul>
            </div>
            <a href="#${SHOWN_BY[claim]}">${text.seeFigure(group(figureNumber(SHOWN_BY[claim])))}</a>
          </li>`;
        })}
      </ol>
    `;
  }

  protected renderReadout({ result }: Answer<'ledger'>): Content {
    const text = texts().ledger;
    const claim = this.#shown[this.at];
    if (!claim) return '';
    const verdict = verdictOf(result[claim]);
    return html`${text.claims[claim].text} <b>${text.verdicts[verdict]}</b>&nbsp;·
      ${result[claim].map((check, k) => html`${k > 0 ? '\u00a0· ' : nothing}<span class="nb">${written(check)}</span>`)}`;
  }

  protected renderControls(): TemplateResult {
    const text = texts().ledger;
    return html`<div class="controls">
      ${this.renderChoice('show', text.show, (show) => text.shown[show], { wide: true })}
    </div>`;
  }

  protected renderLookFor(): Content {
    return texts().ledger.lookFor;
  }

  protected table({ result }: Answer<'ledger'>): TableData {
    const text = texts().ledger;
    const rows = CLAIMS.flatMap((claim) => result[claim].map((check, k) => ({ claim, check, k })));
    const value = (row: number, column: number): number | string => {
      const { claim, check, k } = rows[row]!;
      const { text: words, checks: names } = text.claims[claim];
      const verdict = text.verdicts[verdictOf(result[claim])];
      return [words, names[k]!, check.value, check.relation, check.limit, verdict][column]!;
    };
    return {
      columns: text.tableHeads,
      rows: rows.length,
      cell: (row, column) => {
        const cell = value(row, column);
        return typeof cell === 'number' ? scientific(cell, 6) : cell;
      },
      value,
    };
  }

  /** [2, checks]: the numbers, and their limits. */
  protected override array({ result }: Answer<'ledger'>): NumberArray {
    const checks = CLAIMS.flatMap((claim) => result[claim]);
    return {
      values: [...checks.map(({ value }) => value), ...checks.map(({ limit }) => limit)],
      shape: [2, checks.length],
    };
  }

  /** Long, and seldom asked for: fetched when it is. */
  protected override async numpy(): Promise<string> {
    return (await import('./numpy.js')).LEDGER_NUMPY;
  }

  protected updatePlots(): void {
    this.#stage.update(texts().ledger.plot);
  }

  /** The claims of the chosen verdict. */
  get #shown(): readonly LedgerClaim[] {
    const { show } = this.state;
    const { result } = this.answer ?? {};
    return show === 'all' || !result ? CLAIMS : CLAIMS.filter((claim) => verdictOf(result[claim]) === show);
  }

  protected override willUpdate(changed: Parameters<Figure<LedgerState, 'ledger'>['willUpdate']>[0]): void {
    super.willUpdate(changed);
    this.at = Math.max(0, Math.min(this.at, this.#shown.length - 1));
  }
}

function countOf(result: LedgerResult, verdict: Verdict): number {
  return CLAIMS.filter((claim) => verdictOf(result[claim]) === verdict).length;
}

/** The comparison that a claim needs, struck out where it does not come out. */
function written(check: Check): string {
  const denied = { '≤': '≰', '<': '≮', '>': '≯' } as const;
  const sign = holds(check) ? check.relation : denied[check.relation];
  return `${number(check.value)} ${sign} ${number(check.limit)}`;
}

function number(value: number): string {
  return Number.isInteger(value) ? group(value) : scientific(value, 3);
}

function mark(check: Check): TemplateResult {
  const held = holds(check);
  return html`<span class="mark ${held ? 'ok' : 'bad'}" aria-hidden="true">${held ? '✓' : '✕'}</span>`;
}

function heightOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count * ROW + GAP, 0);
}

/** Every check as a bar from its limit, on a logarithmic axis: to the left where it holds. */
function drawMargins(
  pen: Pen,
  width: number,
  title: string,
  claims: readonly (readonly Check[])[] | undefined,
  at: number,
): void {
  const [left, right] = [pen.px(16), width - pen.px(16)];
  const x = (power: number): number => Math.round(left + ((power + POWERS) / (2 * POWERS)) * (right - left));
  const bottom = pen.px(TOP) + pen.px(heightOf((claims ?? []).map((checks) => checks.length)));
  for (const power of [-9, -6, -3, 0, 3, 6, 9]) {
    pen.vertical(x(power), pen.px(TOP), bottom, power === 0 ? 'ink' : 'rule');
    pen.text(power === 0 ? '1' : powerOfTen(power), x(power), pen.px(TOP - 8));
  }
  pen.text(title, left - pen.px(16), pen.px(9), { size: TEXT.title, align: 'left', color: 'ink-2' });
  let y = pen.px(TOP + GAP / 2);
  claims?.forEach((checks, row) => {
    const height = checks.length * pen.px(ROW);
    if (row === at) pen.fill(left - pen.px(8), y - pen.px(2), right - left + pen.px(16), height + pen.px(2), 'wash');
    for (const check of checks) {
      const power = marginOf(check);
      const [from, to] = [Math.min(x(0), x(power)), Math.max(x(0), x(power))];
      pen.fill(from, y, Math.max(pen.px(2), to - from), pen.px(ROW - 3), holds(check) ? 'ok' : 'bad');
      y += pen.px(ROW);
    }
    y += pen.px(GAP);
  });
  pen.vertical(x(0), pen.px(TOP), bottom, 'ink');
}

/** log₁₀ of the number over its limit, or of the limit over the number where more is needed; within the axis. */
function marginOf({ value, limit, relation }: Check): number {
  const power = relation === '>' ? Math.log10(limit / value) : Math.log10(value / limit);
  return Number.isNaN(power) ? POWERS : Math.max(-POWERS, Math.min(POWERS, power));
}
