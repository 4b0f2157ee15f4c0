import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { fixed, noBreak } from '../plots/format.js';
import { type NumberField, isOnGrid, nearestOnGrid } from '../state/fields.js';
import { uniqueId } from './light-element.js';
import { RefusingField, repeated } from './refusing-field.js';
import { texts } from '../texts/index.js';
import './number-slider.css';

/** How the track maps to values. `log1p` starts at 0 and is for a slider under an axis that shows the powers of ten. */
export type SliderScale = 'linear' | 'log' | 'log1p';

/** Positions of a logarithmic track: enough for a step to be finer than a pixel. */
const LOG_STEPS = 1000;
const PAGE = 10;

const forward: Record<SliderScale, (value: number) => number> = {
  linear: (value) => value,
  log: Math.log10,
  log1p: (value) => Math.log10(1 + value),
};
const inverse: Record<SliderScale, (track: number) => number> = {
  linear: (track) => track,
  log: (track) => 10 ** track,
  log1p: (track) => 10 ** track - 1,
};

/**
 * A slider with a number box. Arrows move by one step, Page keys by ten; on a logarithmic track a step is a thousandth of
 * it. A number out of range or off the grid is refused under the box, and the figure keeps its last value.
 */
export class NumberSlider extends RefusingField<number> {
  static override properties = {
    ...super.properties,
    field: {},
    minimum: { type: Number },
    maximum: { type: Number },
    step: { type: Number },
    scale: {},
    ends: { attribute: false },
  };
  /** The name in a refusal: “The width”. */
  declare field: string;
  declare minimum: number;
  declare maximum: number;
  /** Values are minimum + k · step. */
  declare step: number;
  declare scale: SliderScale;
  /** Labels under the track where the plain numbers would be too long. */
  declare ends: readonly [string, string] | undefined;

  readonly #id = uniqueId('slider');

  constructor() {
    super();
    this.step = 1;
    this.scale = 'linear';
  }

  protected override render(): TemplateResult {
    const text = texts().page.slider;
    const id = this.#id;
    const [from, to] = this.ends ?? [write(this.minimum), write(this.maximum)];
    return html`
      <label for=${id}>${this.scale === 'log' ? text.log(this.label) : this.label}</label>
      <input
        class="box"
        id=${id}
        type="text"
        inputmode=${Number.isInteger(this.step) && this.minimum >= 0 ? 'numeric' : 'text'}
        autocomplete="off"
        aria-invalid=${this.refusal ? 'true' : 'false'}
        aria-describedby="${id}-refusal"
        .value=${live(this.typed ?? write(this.value))}
        @input=${this.keep}
        @change=${this.#type}
      />
      <input
        class="track"
        type="range"
        min="0"
        max=${this.#trackSteps}
        step="1"
        aria-label=${this.label}
        aria-valuetext=${write(this.value)}
        .value=${live(String(this.#trackOf(this.value)))}
        @input=${this.#slide}
        @keydown=${this.#key}
        @pointerup=${this.#release}
      />
      <span class="ends" aria-hidden="true"><span>${from}</span><span>${to}</span></span>
      <p class="refusal" id="${id}-refusal" role="alert">${this.refusal ?? nothing}</p>
    `;
  }

  protected override updated(): void {
    const track = this.querySelector<HTMLInputElement>('.track');
    const share = this.#trackOf(this.value) / this.#trackSteps;
    track?.style.setProperty('--share', String(share));
  }

  get #trackSteps(): number {
    return this.scale === 'linear' ? Math.round((this.maximum - this.minimum) / this.step) : LOG_STEPS;
  }

  #trackOf(value: number): number {
    const to = forward[this.scale];
    const share = (to(value) - to(this.minimum)) / (to(this.maximum) - to(this.minimum));
    return Math.round(share * this.#trackSteps);
  }

  #valueAt(track: number): number {
    const to = forward[this.scale];
    const share = track / this.#trackSteps;
    const value = inverse[this.scale](to(this.minimum) + share * (to(this.maximum) - to(this.minimum)));
    if (share <= 0) return this.minimum;
    if (share >= 1) return this.#snap(this.maximum);
    return this.#snap(value);
  }

  #snap(value: number): number {
    return nearestOnGrid(value, this);
  }

  #slide = (event: Event): void => {
    this.accept(this.#valueAt(Number((event.target as HTMLInputElement).value)));
  };

  /** A track that was let go where it stood says its value as well. */
  #release = (): void => this.accept(this.value);

  #key = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: PAGE,
      PageDown: -PAGE,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    if (this.scale === 'linear') {
      this.accept(this.#snap(this.value + move * this.step));
      return;
    }
    // Where a step of the track is less than one whole step of the value, the value still moves.
    const along = this.#valueAt(Math.min(this.#trackSteps, Math.max(0, this.#trackOf(this.value) + move)));
    const least = this.#snap(this.value + move * this.step);
    const further = Math.abs(along - this.value) > Math.abs(least - this.value) && along > this.value === move > 0;
    this.accept(further ? along : least);
  };

  #type = (event: Event): void => {
    const text = (event.target as HTMLInputElement).value.trim();
    const value = parseNumber(text);
    if (value !== undefined && isOnGrid(value, this)) {
      this.accept(value);
      return;
    }
    this.refuse(text, rangeRefusal(this.field, this, text));
  };
}

/** Why a text is no number of a range, which a sentence calls `field`. */
export function rangeRefusal(
  field: string,
  { minimum, maximum, step }: Pick<NumberField, 'minimum' | 'maximum' | 'step'>,
  got: string,
): string {
  const text = texts().page.slider;
  const rule = step === 1 ? text.whole : step === 2 ? text.even : text.inSteps;
  const number = parseNumber(got);
  const isRead = number !== undefined && Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
  const shown = isRead ? noBreak(write(number)) : repeated(got) || text.nothing;
  return rule(field, noBreak(write(minimum)), noBreak(write(maximum)), shown, write(step));
}

/** A number as a reader may type it: grouped, with either minus, in half- or full-width digits. Anything else is undefined. */
function parseNumber(text: string): number | undefined {
  const plain = text
    .normalize('NFKC')
    .replace(/[\s\u2060]/g, '')
    .replace('\u2212', '-');
  const value = Number(plain);
  return plain === '' || Number.isNaN(value) ? undefined : value;
}

/** A number as the box shows it, in groups of three. */
function write(value: number): string {
  return fixed(value, Math.min(6, String(value).split('.')[1]?.length ?? 0));
}
