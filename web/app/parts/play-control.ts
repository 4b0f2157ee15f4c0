import { html, type TemplateResult } from 'lit';
import { LightElement } from './light-element.js';
import { texts } from '../texts/index.js';
import './play-control.css';

/** Milliseconds from one step to the next. */
const PACE = 120;
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * A button that takes one step after the other until there is none left, or until the reader does anything at all. Where
 * motion is unwelcome it takes one step per press.
 */
export class PlayControl extends LightElement {
  static override properties = { onStep: { attribute: false }, plays: { state: true } };
  /** Takes one step; false if that was the last. */
  declare onStep: () => boolean;
  declare private plays: boolean;

  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.plays = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    reducedMotion.addEventListener('change', this.#motionChanged);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    reducedMotion.removeEventListener('change', this.#motionChanged);
    this.#stop();
  }

  protected override render(): TemplateResult {
    const words = texts().page.play;
    const label = reducedMotion.matches ? words.step : this.plays ? words.stop : words.play;
    return html`<button type="button" class="framed" @click=${this.#press}>${label}</button>`;
  }

  #press = (): void => {
    if (reducedMotion.matches) this.onStep();
    else if (this.plays) this.#stop();
    else this.#start();
  };

  #start(): void {
    this.plays = true;
    this.#timer = setInterval(() => {
      if (!this.onStep()) this.#stop();
    }, PACE);
    for (const type of ['pointerdown', 'keydown', 'wheel'])
      addEventListener(type, this.#interrupted, { capture: true });
  }

  #stop(): void {
    this.plays = false;
    clearInterval(this.#timer);
    for (const type of ['pointerdown', 'keydown', 'wheel']) {
      removeEventListener(type, this.#interrupted, { capture: true });
    }
  }

  /** A press of the button itself stops by its click. */
  #interrupted = (event: Event): void => {
    const isPress = event instanceof KeyboardEvent ? [' ', 'Enter'].includes(event.key) : event.type === 'pointerdown';
    if (!isPress || !this.contains(event.target as Node)) this.#stop();
  };

  #motionChanged = (): void => {
    this.#stop();
    this.requestUpdate();
  };
}
