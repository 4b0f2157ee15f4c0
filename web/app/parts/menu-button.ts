import { html, nothing, type TemplateResult } from 'lit';
import { LightElement, uniqueId } from './light-element.js';
import './actions.css';

export interface MenuItem {
  readonly label: string;
  readonly onChoose: () => void;
}

/** A text button that opens a short list of actions. Arrows, Home and End move in the list, Escape closes it. */
export class MenuButton extends LightElement {
  static override properties = {
    label: {},
    items: { attribute: false },
    disabled: { type: Boolean },
    open: { state: true },
  };
  declare label: string;
  declare items: readonly MenuItem[];
  declare disabled: boolean;
  declare private open: boolean;

  readonly #id = uniqueId('menu');

  constructor() {
    super();
    this.addEventListener('focusout', this.#focusLeft);
  }

  protected override render(): TemplateResult {
    return html`
      <button
        type="button"
        aria-haspopup="menu"
        aria-expanded=${this.open ? 'true' : 'false'}
        aria-controls=${this.#id}
        ?disabled=${this.disabled}
        @click=${() => (this.open ? this.#close() : this.#show(0))}
        @keydown=${this.#buttonKey}
      >
        ${this.label}<span aria-hidden="true"> ▾</span>
      </button>
      <div class="menu" role="menu" id=${this.#id} aria-label=${this.label} ?hidden=${!this.open} @keydown=${this.#key}>
        ${
          this.open
            ? this.items.map(
                (item) =>
                  html`<button type="button" role="menuitem" tabindex="-1" @click=${() => this.#choose(item)}>
                    ${item.label}
                  </button>`,
              )
            : nothing
        }
      </div>
    `;
  }

  get #buttons(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  }

  async #show(index: number): Promise<void> {
    this.open = true;
    await this.updateComplete;
    this.#buttons.at(index)?.focus();
  }

  #close(): void {
    this.open = false;
    this.querySelector('button')?.focus();
  }

  #choose(item: MenuItem): void {
    this.#close();
    item.onChoose();
  }

  #buttonKey = (event: KeyboardEvent): void => {
    const index = { ArrowDown: 0, ArrowUp: -1 }[event.key];
    if (index === undefined) return;
    event.preventDefault();
    void this.#show(index);
  };

  #key = (event: KeyboardEvent): void => {
    const buttons = this.#buttons;
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    const moves: Record<string, number> = {
      ArrowDown: (at + 1) % buttons.length,
      ArrowUp: (at - 1 + buttons.length) % buttons.length,
      Home: 0,
      End: buttons.length - 1,
    };
    if (event.key === 'Escape') this.#close();
    else if (moves[event.key] !== undefined) buttons[moves[event.key]!]?.focus();
    else return;
    event.preventDefault();
  };

  #focusLeft = (event: FocusEvent): void => {
    if (!this.contains(event.relatedTarget as Node | null)) this.open = false;
  };
}
