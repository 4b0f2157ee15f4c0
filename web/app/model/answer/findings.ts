import { html, type TemplateResult } from 'lit';
import { type Finding, type Language, check } from 'posenc';
import { repeated } from '../../parts/refusing-field.js';
import { texts } from '../../texts/index.js';
import { attempt } from '../attempt.js';
import { prose } from '../prose.js';
import type { Reading } from '../read-input.js';

/** A longer key is cut: of a configuration none is. */
const LONGEST_KEY = 160;

/** What is wrong with a model, or worth knowing; undefined where that could not be found out. */
export function foundIn(
  { model, launch }: Reading,
  needed: number | undefined,
  language: Language,
): readonly Finding[] | undefined {
  return attempt(() =>
    check(model, {
      language,
      ...(launch === undefined ? {} : { launch }),
      ...(needed === undefined ? {} : { targetLength: needed }),
    }),
  );
}

export function renderFindings(found: readonly Finding[] | undefined): TemplateResult {
  const text = texts().panel;
  const [severity, said] = found ? (['fine', text.noFindings] as const) : (['error', text.verdict.unusable] as const);
  return html`<div class="findings">
    <h3>${text.findings}</h3>
    <ul>
      ${
        found && found.length > 0
          ? found.map(renderFinding)
          : html`<li><span class="severity ${severity}">${text.severities[severity]}</span><span>${said}</span></li>`
      }
    </ul>
  </div>`;
}

function renderFinding({ code, severity, key, why }: Finding): TemplateResult {
  const about = repeated(key, LONGEST_KEY);
  return html`<li data-code=${code}>
    <span class="severity ${severity}">${texts().panel.severities[severity]}</span>
    <span>${prose(why)}<code>${about === '' ? code : `${about} · ${code}`}</code></span>
  </li>`;
}
