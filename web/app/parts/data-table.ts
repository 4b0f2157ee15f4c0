import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { LightElement } from './light-element.js';
import { texts } from '../texts/index.js';
import './data-table.css';

/** A figure's data. The first column heads its rows. */
export interface TableData {
  readonly columns: readonly string[];
  readonly rows: number;
  /** The text of one cell, row and column counted from 0. */
  readonly cell: (row: number, column: number) => string;
  /** The same cell for files: the number with all its digits, or a text. */
  readonly value: (row: number, column: number) => number | string;
}

/** Height of a row, fixed by the style sheet, so that rows out of sight need not exist. */
const ROW_HEIGHT = 28;
const VISIBLE_ROWS = 14;
const OVERSCAN = 6;

/** A table that scrolls in its own frame, its header and first column held fast. Only rows near the frame are in the document. */
export class DataTable extends LightElement {
  static override properties = { name: {}, data: { attribute: false }, first: { state: true } };
  declare name: string;
  declare data: TableData;
  declare private first: number;

  constructor() {
    super();
    this.first = 0;
  }

  protected override render(): TemplateResult {
    const { columns, rows, cell } = this.data;
    const first = Math.max(0, Math.min(this.first - OVERSCAN, rows - VISIBLE_ROWS));
    const last = Math.min(rows, this.first + VISIBLE_ROWS + OVERSCAN);
    const indices = Array.from({ length: last - first }, (_, i) => first + i);
    return html`
      <div
        class="frame"
        tabindex="0"
        role="region"
        aria-label=${texts().page.table.label(this.name)}
        @scroll=${this.#scroll}
      >
        <table aria-rowcount=${rows + 1} aria-colcount=${columns.length}>
          <thead>
            <tr aria-rowindex="1">
              ${columns.map((column) => html`<th scope="col">${column}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${spacer(first, columns.length)}
            ${repeat(
              indices,
              (row) => row,
              (row) =>
                html`<tr aria-rowindex=${row + 2}>
                  <th scope="row">${cell(row, 0)}</th>
                  ${columns.slice(1).map((_, column) => html`<td>${cell(row, column + 1)}</td>`)}
                </tr>`,
            )}
            ${spacer(rows - last, columns.length)}
          </tbody>
        </table>
      </div>
    `;
  }

  #scroll = (event: Event): void => {
    this.first = Math.floor((event.currentTarget as HTMLElement).scrollTop / ROW_HEIGHT);
  };
}

function spacer(rows: number, columns: number): TemplateResult | typeof nothing {
  if (rows <= 0) return nothing;
  // Set as a property: the content policy refuses style attributes.
  return html`<tr class="spacer" aria-hidden="true" .style=${`height: ${rows * ROW_HEIGHT}px`}>
    <td colspan=${columns}></td>
  </tr>`;
}
