import { html, nothing, type TemplateResult } from 'lit';
import type { ModelLayer, RenderTarget } from 'posenc';
import { LightElement, uniqueId } from '../../parts/light-element.js';
import { texts } from '../../texts/index.js';
import { language } from '../../preferences.js';
import { prose } from '../prose.js';
import { remembered } from '../remembered.js';
import { TARGETS, TARGET_NAMES, settingOf } from './setting.js';

/** The same setting for every program, one at a time. */
export class SettingTabs extends LightElement {
  static override properties = {
    layer: { attribute: false },
    layers: { attribute: false },
    target: { state: true },
  };
  /** On screen. */
  declare layer: ModelLayer;
  declare layers: readonly ModelLayer[];
  declare private target: RenderTarget;

  readonly #id = uniqueId('settings');
  readonly #whole = remembered(settingOf);
  readonly #own = remembered(settingOf);

  constructor() {
    super();
    this.target = 'hf-v5';
  }

  protected override render(): TemplateResult {
    const tab = (target: RenderTarget): string => `${this.#id}-${target}`;
    return html`<h3 id="${this.#id}-title">${texts().panel.elsewhere}</h3>
      <div class="segments tabs" role="tablist" aria-labelledby="${this.#id}-title" lang="en" @keydown=${this.#key}>
        ${TARGETS.map(
          (target) =>
            html`<button
              type="button"
              role="tab"
              id=${tab(target)}
              data-target=${target}
              aria-selected=${target === this.target ? 'true' : 'false'}
              aria-controls="${this.#id}-setting"
              tabindex=${target === this.target ? '0' : '-1'}
              @click=${() => (this.target = target)}
            >
              ${TARGET_NAMES[target]}
            </button>`,
        )}
      </div>
      <div role="tabpanel" id="${this.#id}-setting" aria-labelledby=${tab(this.target)}>${this.#renderSetting()}</div>`;
  }

  /** The setting of all layers, where the program has words for it, and otherwise of those on screen. */
  #renderSetting(): TemplateResult {
    const text = texts().panel;
    const { layer, layers, target } = this;
    const whole = this.#whole(layers, target, language());
    const isWhole = whole.text !== undefined;
    const { text: setting, lacks = '', notes } = isWhole ? whole : this.#own(layer.params, target, language());
    const about = isWhole || layers.length === 1 ? nothing : html`<p class="note">${text.ofLayers(layer.name)}</p>`;
    if (setting === undefined)
      return html`${about}
        <p class="note">${text.inexpressible(lacks)}</p>`;
    return html`${about}
      <pre tabindex="0"><code lang="en">${setting}</code></pre>
      <copy-button .label=${text.copy} .text=${() => setting}></copy-button>
      ${notes.map((note) => html`<p class="note">${prose(note)}</p>`)}`;
  }

  #key = (event: KeyboardEvent): void => {
    const move = ({ ArrowRight: 1, ArrowLeft: -1 } as Record<string, number>)[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.target = TARGETS[(TARGETS.indexOf(this.target) + move + TARGETS.length) % TARGETS.length]!;
    this.querySelector<HTMLElement>(`[data-target="${this.target}"]`)?.focus();
  };
}
