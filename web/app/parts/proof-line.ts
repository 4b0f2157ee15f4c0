import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Content } from '../texts/translation.js';
import { noBreak, powerOfTen, scientific } from '../plots/format.js';
import { LightElement, uniqueId } from './light-element.js';
import { texts } from '../texts/index.js';
import './proof-line.css';

export type ClaimState = 'holds' | 'fails' | 'not-applicable' | 'computing';

/** How a figure's numbers came about. */
export interface Measurement {
  /** Of the numbers the claim is about: f32, or bf16 → f32. */
  readonly dtype: string;
  /** For example 80 × 312. */
  readonly size: string;
  readonly milliseconds: number;
  /** The binary that ran. */
  readonly variant: string;
}

/** What a figure asserts, judged from its current numbers. */
export interface Claim {
  readonly state: ClaimState;
  /** The claim; why it fails; what it would apply to; or what is being computed. */
  readonly text: Content;
  /** Compared with the tolerance, and marked on the gauge. Absent where nothing was compared. */
  readonly comparison?: {
    readonly residual: number;
    readonly tolerance: number;
    /** Holds when the residual is at most the tolerance, or only when it is below it. */
    readonly relation: '≤' | '<';
    /** The gauge runs from 10 to this power up to 1. */
    readonly gaugeFrom: number;
    /** How the two numbers are written; short scientific by default. */
    readonly show?: (value: number) => string;
  };
  readonly measurement?: Measurement | undefined;
  /** Done so far, 0 … 1, while computing. */
  readonly share?: number;
  /** How the tolerance follows from the arithmetic. */
  readonly derivation?: Content;
}

const GAUGE = { width: 190, height: 30, left: 6, right: 184, line: 10 };

/** The last line of a figure: state, claim, a log gauge with the residual beside its tolerance, engine and time. */
export class ProofLine extends LightElement {
  static override properties = { claim: { attribute: false }, open: { state: true } };
  declare claim: Claim;
  declare private open: boolean;

  readonly #id = uniqueId('derivation');

  protected override render(): TemplateResult {
    const { state, text, comparison, measurement, share, derivation } = this.claim;
    const words = texts().page.proof;
    return html`
      <button
        type="button"
        class="proof"
        data-state=${state}
        aria-expanded=${this.open ? 'true' : 'false'}
        aria-controls=${this.#id}
        ?disabled=${derivation === undefined}
        @click=${() => (this.open = !this.open)}
      >
        <span class="badge ${state}">${words.states[state]}</span>
        <span class="claim">
          ${text} ${comparison ? html`<span class="num">${compared(comparison)}</span>` : nothing}
          ${share === undefined ? nothing : html`<span class="num">${Math.floor(share * 100)} %</span>`}
        </span>
        ${comparison ? this.#renderGauge(state, comparison) : html`<span class="gauge"></span>`}
        <span class="engine">${measurement ? renderMeasurement(measurement) : nothing}</span>
      </button>
      <div class="derivation" id=${this.#id} ?hidden=${!this.open || derivation === undefined}>
        <h3>${words.derivation}</h3>
        ${derivation ?? nothing}
      </div>
    `;
  }

  #renderGauge(state: ClaimState, comparison: NonNullable<Claim['comparison']>): TemplateResult {
    const { residual, tolerance, gaugeFrom } = comparison;
    const { width, height, left, right, line } = GAUGE;
    const at = (value: number): number => {
      const share = value > 0 ? (Math.log10(value) - gaugeFrom) / -gaugeFrom : 0;
      return left + (right - left) * Math.min(1, Math.max(0, share));
    };
    const ticks = [
      { exponent: gaugeFrom, anchor: 'start' },
      { exponent: gaugeFrom / 2, anchor: 'middle' },
      { exponent: 0, anchor: 'end' },
    ];
    const label = texts().page.proof.gauge(scientific(residual), scientific(tolerance));
    return html`<svg class="gauge" viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
      <path class="within" d="M${left} ${line}H${at(tolerance)}" />
      <path class="beyond" d="M${at(tolerance)} ${line}H${right}" />
      <path class="tolerance" d="M${at(tolerance)} 3v14" />
      ${ticks.map(
        ({ exponent, anchor }) =>
          svg`<text x=${at(10 ** exponent)} y="28" text-anchor=${anchor}>${powerOfTen(exponent)}</text>`,
      )}
      <circle class="residual ${state}" cx=${at(residual)} cy=${line} r="5" />
    </svg>`;
  }
}

function compared({ residual, tolerance, relation, show }: NonNullable<Claim['comparison']>): string {
  let digits = 2;
  while (digits < 17 && residual !== tolerance && scientific(residual, digits) === scientific(tolerance, digits))
    digits++;
  // As many digits as tell the two apart.
  const write = show ?? ((value: number) => scientific(value, digits));
  const holds = relation === '≤' ? residual <= tolerance : residual < tolerance;
  const sign = holds ? relation : relation === '≤' ? '>' : '≥';
  return noBreak(`${write(residual)} ${sign} ${write(tolerance)}`);
}

function renderMeasurement({ variant, dtype, size, milliseconds }: Measurement): TemplateResult {
  const time =
    milliseconds < 1000
      ? `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)}\u00a0ms`
      : `${(milliseconds / 1000).toFixed(1)}\u00a0s`;
  return html`<span class="nb">${variant} ·</span> <span class="nb">${dtype} ·</span> ${noBreak(size)}<br />${time}`;
}
