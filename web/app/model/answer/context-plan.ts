import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { type ExtensionOption, type Language, type RopeParams, planExtension } from 'posenc';
import { LightElement } from '../../parts/light-element.js';
import { repeated } from '../../parts/refusing-field.js';
import { group, noBreak, readout, scientific } from '../../plots/format.js';
import { texts } from '../../texts/index.js';
import { attempt } from '../attempt.js';
import { language } from '../../preferences.js';
import { prose } from '../prose.js';
import { remembered } from '../remembered.js';
import { factorText } from './facts.js';
import { extent } from './layer-view.js';
import { divisorText } from './pair-plot.js';

const MAX_TOKENS = 2 ** 31 - 1;

/** The tokens that a reader needs, and the ways to reach them. */
export class ContextPlan extends LightElement {
  static override properties = {
    params: { attribute: false },
    needed: { attribute: false },
    onNeeded: { attribute: false },
    refused: { state: true },
  };
  declare params: RopeParams;
  declare needed: number | undefined;
  declare onNeeded: (tokens: number | undefined) => void;
  /** What was typed and is no number of tokens. */
  declare private refused: string | undefined;

  readonly #plan = remembered(planOf);

  protected override render(): TemplateResult {
    const text = texts().panel;
    const { refused, needed } = this;
    return html`<p>
        ${text.need.before}
        <input
          class="box"
          type="text"
          inputmode="numeric"
          autocomplete="off"
          name="needed"
          aria-label=${text.need.label}
          aria-invalid=${refused === undefined ? 'false' : 'true'}
          .value=${live(refused ?? (needed === undefined ? '' : group(needed)))}
          @change=${this.#type}
        />
        ${text.need.unit}
      </p>
      <p class="refusal" role="alert">
        ${refused === undefined ? nothing : text.needRefused(repeated(refused) || text.nothing)}
      </p>
      ${needed === undefined ? nothing : renderPlan(this.#plan(this.params, needed, language()))}`;
  }

  #type = (event: Event): void => {
    const typed = (event.target as HTMLInputElement).value.trim();
    const value = /^[\d\s\u2009\u00a0]+$/.test(typed) ? Number(typed.replace(/\s/g, '')) : NaN;
    const isRight = Number.isInteger(value) && value >= 1 && value <= MAX_TOKENS;
    this.refused = isRight || typed === '' ? undefined : typed;
    if (this.refused === undefined) this.onNeeded(isRight ? value : undefined);
  };
}

/** Undefined where nothing says how long the model was trained for. */
function planOf(params: RopeParams, needed: number, language: Language): ExtensionOption[] | undefined {
  return attempt(() => planExtension(params, needed, { language }));
}

function renderPlan(options: readonly ExtensionOption[] | undefined): TemplateResult {
  const text = texts().panel.plan;
  if (!options) return html`<p class="note">${text.unknown}</p>`;
  return html`<div class="frame" tabindex="0" role="group" aria-label=${text.name}>
    <table>
      <thead>
        <tr>
          ${text.heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${options.map(renderOption)}
      </tbody>
    </table>
  </div>`;
}

function renderOption(option: ExtensionOption): TemplateResult {
  const text = texts().panel.plan;
  const { rule, recommended, base, divisor, attentionFactor, outOfRange, pairs, shortChange, flags, why } = option;
  const [least, most] = extent(divisor);
  const divisors = least === most ? divisorText(most) : `${divisorText(least)} … ${divisorText(most)}`;
  return html`<tr class=${recommended ? 'recommended' : ''} data-rule=${rule}>
    <th scope="row">
      ${text.rules[rule]}${recommended ? html` <span class="tag">${text.recommended}</span>` : nothing}
      <small>${prose(why)}</small>
    </th>
    <td>${noBreak(Number.isInteger(base) ? group(base) : readout(base, 10))}</td>
    <td>${noBreak(divisors)}</td>
    <td>${noBreak(factorText(Number(attentionFactor.toPrecision(6))))}</td>
    <td>${noBreak(`${group(outOfRange)} / ${group(pairs)}`)}</td>
    <td>${noBreak(scientific(shortChange))}</td>
    <td>${flags === '' ? '–' : html`<code lang="en">${flags}</code>`}</td>
  </tr>`;
}
