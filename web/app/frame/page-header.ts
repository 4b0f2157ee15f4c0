import { html, svg, type TemplateResult } from 'lit';
import { type Language, language, languages, nextThemeChoice, setLanguage, setThemeChoice } from '../preferences.js';
import { LightElement } from '../parts/light-element.js';
import { fetchTexts, texts } from '../texts/index.js';
import './page-header.css';

/** Every language in its own writing; its name begins with its label. */
const LANGUAGES: Readonly<Record<Language, { readonly label: string; readonly name: string }>> = {
  en: { label: 'EN', name: 'EN, English' },
  'zh-Hans': { label: '简', name: '简体中文' },
  'zh-Hant': { label: '繁', name: '繁體中文' },
};

const wordmark = svg`<svg viewBox="0 0 58 20" aria-hidden="true">
  <g class="dials"><circle cx="10" cy="10" r="8" /><circle cx="29" cy="10" r="8" /><circle cx="48" cy="10" r="8" /></g>
  <g class="hands"><path d="M10 10 4.4 7.1" /><path d="m29 10 4.3-4.6" /><path d="m48 10 6.2-.8" /></g>
</svg>`;

const listIcon = svg`<svg viewBox="0 0 20 20" aria-hidden="true">
  <path class="line" d="M3 5h2M8 5h9M3 10h2M8 10h9M3 15h2M8 15h9" />
</svg>`;

const themeIcons = {
  system: svg`<circle cx="10" cy="10" r="7" class="line" /><path d="M10 3a7 7 0 0 1 0 14z" class="solid" />`,
  light: svg`<circle cx="10" cy="10" r="4" class="line" /><path class="line" d="M10 1.5v2.2M10 16.3v2.2M1.5 10h2.2M16.3 10h2.2M4 4l1.5 1.5M14.5 14.5 16 16M4 16l1.5-1.5M14.5 5.5 16 4" />`,
  dark: svg`<path class="line" d="M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7z" />`,
};

/** Wordmark, contents where there is no rail, language, theme. */
export class PageHeader extends LightElement {
  protected override render(): TemplateResult {
    const text = texts().page.header;
    const next = nextThemeChoice();
    return html`
      <header class="top grid">
        <a class="brand" href="#top" aria-label=${text.home}>${wordmark}posenc</a>
        <nav class="tools">
          <button
            type="button"
            class="quiet narrow-only"
            aria-label=${text.contents}
            aria-haspopup="dialog"
            @click=${openContents}
          >
            ${listIcon}<span>${text.contents}</span>
          </button>
          <div class="segments small" role="group" aria-label=${text.language}>
            ${languages.map(
              (value) =>
                html`<button
                  type="button"
                  lang=${value}
                  data-language=${value}
                  aria-label=${LANGUAGES[value].name}
                  aria-pressed=${value === language() ? 'true' : 'false'}
                  @click=${async () => {
                    if (await fetchTexts(value)) setLanguage(value);
                  }}
                >
                  ${LANGUAGES[value].label}
                </button>`,
            )}
          </div>
          <button
            type="button"
            class="icon"
            data-theme-next=${next}
            aria-label=${text.theme[next]}
            title=${text.theme[next]}
            @click=${() => setThemeChoice(next)}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true">${themeIcons[next]}</svg>
          </button>
        </nav>
      </header>
    `;
  }
}

function openContents(): void {
  document.querySelector<HTMLDialogElement>('#contents-sheet')?.showModal();
}
