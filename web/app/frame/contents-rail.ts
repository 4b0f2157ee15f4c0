import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { type FigureEntry, figures } from '../figures/index.js';
import { pageState } from '../state/page-state.js';
import { claimState, claims } from '../parts/claims.js';
import { LightElement } from '../parts/light-element.js';
import type { ClaimState } from '../parts/proof-line.js';
import { texts } from '../texts/index.js';
import './contents-rail.css';

/** The section that follows the figures, in the last group. */
const CHECK = 'check';
const sections: readonly string[] = [...figures.map(({ task }) => task), CHECK];

const GROUPS = [...new Set(figures.map(({ group }) => group))];

/** The list of figures: a rail beside them on wide screens, a sheet that the header opens on narrow ones. */
export class ContentsRail extends LightElement {
  static override properties = { current: { state: true } };
  declare private current: string | undefined;

  #observer: IntersectionObserver | undefined;

  constructor() {
    super();
    this.follow(claims, 'change');
    this.follow(pageState, 'linking');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The current figure is the last one whose top has passed the upper third of the window.
    this.#observer = new IntersectionObserver(() => this.#findCurrent(), { rootMargin: '0px 0px -66% 0px' });
    for (const id of sections) this.#observer.observe(document.getElementById(id)!);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
  }

  protected override render(): TemplateResult {
    const text = texts().page.contents;
    return html`
      <nav class="contents" aria-label=${text.label}>${this.#renderList()}</nav>
      <dialog class="sheet" id="contents-sheet" aria-label=${text.label} @click=${closeSheet}>
        <nav class="contents">${this.#renderList()}</nav>
        <button type="button" class="quiet">${text.close}</button>
      </dialog>
    `;
  }

  #renderList(): TemplateResult {
    const text = texts().page.contents;
    return html`${this.#renderGroups()}
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          .checked=${live(pageState.linked)}
          @change=${(event: Event) => (pageState.linked = (event.target as HTMLInputElement).checked)}
        />
        <span>${text.link} <small>${text.linkNote}</small></span>
      </label>`;
  }

  #renderGroups(): TemplateResult {
    return html`${GROUPS.map((group) => {
      const entries = figures.filter((entry) => entry.group === group);
      return html`<h2>${texts().page.contents.groups[group]}</h2>
        <ol>
          ${entries.map((entry) => this.#renderEntry(entry))} ${group === GROUPS.at(-1) ? this.#renderCheck() : nothing}
        </ol>`;
    })}`;
  }

  #renderEntry(entry: FigureEntry): TemplateResult {
    const current = entry.task === this.current;
    return html`<li>
      <a href="#${entry.task}" aria-current=${current ? 'true' : nothing}>
        <span class="number">${figures.indexOf(entry) + 1}</span>
        <span> ${texts()[entry.task].name}${renderMark(claimState(entry.task))} </span>
      </a>
    </li>`;
  }

  #renderCheck(): TemplateResult {
    return html`<li>
      <a href="#${CHECK}" aria-current=${this.current === CHECK ? 'true' : nothing}>
        <span class="number" aria-hidden="true">{ }</span>
        <span>${texts().check.name}</span>
      </a>
    </li>`;
  }

  #findCurrent(): void {
    const line = innerHeight / 3;
    this.current = sections.filter((id) => document.getElementById(id)!.getBoundingClientRect().top <= line).at(-1);
  }
}

/** Its place is kept until there is one: a name that breaks for it would move all below. */
function renderMark(state: ClaimState): TemplateResult {
  const text = texts().page.contents;
  if (state === 'holds') return html`<span class="mark ok" role="img" aria-label=${text.holds}>✓</span>`;
  if (state === 'fails') return html`<span class="mark bad" role="img" aria-label=${text.fails}>✕</span>`;
  return html`<span class="mark" aria-hidden="true"></span>`;
}

/** A press on an entry, on Close or beside the sheet closes it. */
function closeSheet(event: Event): void {
  const sheet = event.currentTarget as HTMLDialogElement;
  const target = event.target as HTMLElement;
  if (target === sheet || target.closest('a, button')) sheet.close();
}
