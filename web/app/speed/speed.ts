import { html, nothing, type TemplateResult } from 'lit';
import { engine } from '../engine/client.js';
import type { EngineError } from '../engine/protocol.js';
import { LightElement } from '../parts/light-element.js';
import type { Claim } from '../parts/proof-line.js';
import { fixed, group, noBreak } from '../plots/format.js';
import { ATTENTION, ROTATION, SINUSOIDAL, type Timing, WORKLOADS, type WorkloadName } from './speed-task.js';
import { texts } from '../texts/index.js';
import './speed.css';

const TOLERANCE = 1e-5;

/** posenc beside plain JavaScript in the reader's own browser, measured when asked. */
export class SpeedHere extends LightElement {
  static override properties = {
    timings: { state: true },
    share: { state: true },
    error: { state: true },
  };
  declare private timings: readonly Timing[];
  /** Done so far, while measuring. */
  declare private share: number | undefined;
  declare private error: EngineError | undefined;

  #runs = 0;

  constructor() {
    super();
    this.timings = [];
    this.follow(engine, 'state');
  }

  protected override render(): TemplateResult {
    const text = texts().speed;
    const isReady = engine.state.kind === 'ready';
    return html`
      <h2>${text.title}</h2>
      <p class="lead">${text.lead}</p>
      <button type="button" class="primary" ?disabled=${!isReady || this.share !== undefined} @click=${this.#measure}>
        ${this.timings.length === 0 ? text.measure : text.again}
      </button>
      <table>
        <thead>
          <tr>
            <th scope="col">${text.columns.workload}</th>
            <th scope="col">${text.columns.ratio}</th>
            <th scope="col">${text.columns.posenc}</th>
            <th scope="col">${text.columns.plain}</th>
          </tr>
        </thead>
        <tbody>
          ${WORKLOADS.map((name) => this.#renderRow(name))}
        </tbody>
      </table>
      <proof-line .claim=${this.#claim()}></proof-line>
    `;
  }

  #renderRow(name: WorkloadName): TemplateResult {
    const timing = this.timings.find((candidate) => candidate.name === name);
    const ratio = timing && timing.plain / timing.posenc;
    return html`<tr>
      <th scope="row">${label(name)}</th>
      <td class="ratio">${ratio === undefined ? '–' : noBreak(`× ${fixed(ratio, ratio < 10 ? 1 : 0)}`)}</td>
      <td>${timing ? bar(timing.posenc, timing, 'ours') : '–'}</td>
      <td>${timing ? bar(timing.plain, timing, 'theirs') : '–'}</td>
    </tr>`;
  }

  #claim(): Claim {
    const text = texts().speed;
    const { state } = engine;
    if (state.kind === 'unavailable') return { state: 'not-applicable', text: texts().page.figure.refused };
    if (this.error) return { state: 'not-applicable', text: texts().page.figure.error(this.error.message) };
    if (this.share !== undefined) return { state: 'computing', text: text.measuring, share: this.share };
    if (state.kind !== 'ready' || this.timings.length === 0) return { state: 'not-applicable', text: text.waiting };
    const residual = Math.max(...this.timings.map(({ difference }) => difference));
    const holds = residual <= TOLERANCE;
    return {
      state: holds ? 'holds' : 'fails',
      text: holds ? text.claim : text.fails,
      comparison: { residual, tolerance: TOLERANCE, relation: '≤', gaugeFrom: -10 },
      derivation: text.derivation,
    };
  }

  #measure = (): void => {
    this.share = 0;
    this.error = undefined;
    engine.ask(
      'speed',
      { run: ++this.#runs },
      {
        answered: (timings) => {
          this.timings = timings;
          this.share = undefined;
        },
        progressed: (share) => {
          this.share = share;
        },
        failed: (error) => {
          this.error = error;
          this.share = undefined;
        },
      },
    );
  };
}

function label(name: WorkloadName): string {
  const { workloads, shape } = texts().speed;
  if (name === 'sinusoidal') return workloads.sinusoidal(`${SINUSOIDAL.length} × ${SINUSOIDAL.dim}`);
  const { length, heads, headDim } = name === 'rope' ? ROTATION : ATTENTION;
  return workloads[name](shape(group(length), group(heads), group(headDim)));
}

/** A time with its length as a bar; the longer of a row's two fills its cell. */
function bar(milliseconds: number, { posenc, plain }: Timing, side: string): TemplateResult {
  const share = milliseconds / Math.max(posenc, plain);
  // Set as a property: the content policy refuses style attributes.
  return html`<span class="time">${noBreak(fixed(milliseconds, milliseconds < 10 ? 2 : 0))}&nbsp;ms</span>
    <span class="bar ${side}" .style=${`inline-size: ${100 * share}%`}>${nothing}</span>`;
}
