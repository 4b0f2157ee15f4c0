import { html, nothing, type TemplateResult } from 'lit';
import type { ModelLayer, ParsedModel } from 'posenc';
import { figureNumber } from '../../figures/figure-number.js';
import { group, noBreak, readout } from '../../plots/format.js';
import { texts } from '../../texts/index.js';
import type { Content } from '../../texts/translation.js';
import type { FigureLoad, LoadedTask } from '../load-figures.js';
import { type Reading, kindOf } from '../read-input.js';
import type { Fact } from './facts.js';
import type { LayerView } from './layer-view.js';
import { divisorText } from './pair-plot.js';
import { modelVerdict, verdictOf } from './verdict.js';

/** The verdict; where the model is served with something, that of both, and of the model alone. */
export function renderVerdict(
  { model, launch }: Reading,
  view: LayerView,
  viewOfOwn: (layer: ModelLayer) => LayerView | undefined,
): TemplateResult {
  const text = texts().panel;
  const said = verdictOf(view);
  const verdict = html`<p class="verdict">${said}</p>`;
  if (launch === undefined) return html`${verdict} ${renderAssumed(model, view.layer)}`;
  const own = model.layers.find(({ name }) => name === view.layer.name) ?? model.layers[0];
  const ownView = own && viewOfOwn(own);
  const ownVerdict = ownView ? verdictOf(ownView) : modelVerdict(model);
  return html`<p class="note served">${text.served.with(kindOf(launch))}</p>
    ${verdict}
    <p class="note alone">${ownVerdict === said ? text.served.same : text.served.alone(ownVerdict)}</p>
    ${renderAssumed(model, view.layer)}`;
}

function renderAssumed({ source, assumed }: ParsedModel, { params }: ModelLayer): TemplateResult | typeof nothing {
  if (source !== 'flags' || !assumed.includes('headDim')) return nothing;
  const [headDim, base] = [noBreak(group(params.headDim)), noBreak(divisorText(params.base ?? 10_000))];
  return html`<p class="note assumed">${texts().panel.flagsAlone(headDim, base)}</p>`;
}

/** One pair of channels in words. */
export function pairReadout({ plain, frequencies }: LayerView, pair: number): Content {
  return texts().panel.readout(
    group(pair),
    divisorText(frequencies.divisor[pair]!),
    noBreak(readout(plain.wavelength[pair]!)),
    noBreak(readout(frequencies.wavelength[pair]!)),
  );
}

export function renderFacts(facts: readonly Fact[]): TemplateResult {
  return html`<dl class="facts">
    ${facts.map(
      ([name, label, value]) =>
        html`<div data-fact=${name}>
          <dt>${label}</dt>
          <dd>${noBreak(value)}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The button that puts a model into figures, and which have taken it. */
export function renderLoad(
  loads: readonly FigureLoad[],
  loaded: readonly FigureLoad[],
  take: () => void,
): TemplateResult | typeof nothing {
  if (loads.length === 0) return nothing;
  const text = texts().panel;
  const numberOf = (task: LoadedTask): string => group(figureNumber(task));
  return html`<div class="load">
    <button type="button" class="primary" @click=${take}>
      ${text.load(loads.map(({ task }) => numberOf(task)).join(text.comma))}
    </button>
    <p role="status">
      ${
        loaded.length === 0
          ? nothing
          : html`${text.loaded}
            ${loaded.map(({ task }) => html`<a href="#${task}">${text.figure(numberOf(task))}</a> `)}`
      }
      ${loaded.map(({ task, factor }) =>
        factor === undefined ? nothing : text.factorRounded(numberOf(task), group(factor)),
      )}
    </p>
  </div>`;
}
