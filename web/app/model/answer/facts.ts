import type { ParsedModel } from 'posenc';
import { group, noBreak, readout, short } from '../../plots/format.js';
import { texts } from '../../texts/index.js';
import { type LayerView, extent } from './layer-view.js';

export type Fact = readonly [name: string, label: string, value: string];

/** Nine facts about a rotary embedding. */
export function factsOf({ layer, facts, plain, frequencies }: LayerView, { source }: ParsedModel): Fact[] {
  const { facts: words, pairings } = texts().panel;
  const { headDim, rotaryDim, pairs, pairing, trainedLength, turningPairs } = facts;
  const { originalMaxPosition: original, maxPosition: most } = layer.params;
  const lengths = [original, most === original ? undefined : most].filter((length) => length !== undefined);
  const partner = pairing === 'half' ? `(i, i + ${rotaryDim / 2})` : '(2i, 2i + 1)';
  return [
    ['headDim', words.headDim, rotaryDim === headDim ? group(headDim) : `${group(rotaryDim)} / ${group(headDim)}`],
    ['pairs', words.pairs, group(pairs)],
    ['pairing', words.pairing, pairings[pairing](partner)],
    ['before', words.before, span(plain.wavelength)],
    ['after', words.after, span(frequencies.wavelength)],
    [
      'turning',
      trainedLength === undefined ? words.turningUnknown : words.turning(noBreak(group(trainedLength))),
      turningPairs === undefined ? '–' : `${group(turningPairs)} / ${group(pairs)}`,
    ],
    ['attention', words.attention, factorText(facts.attentionFactor)],
    ['softmax', words.softmax, factorText(facts.softmaxFactor)],
    // Flags ask for a context; only the original one of a scaling is a length of training.
    [
      'trained',
      source === 'flags' && original === undefined ? words.context : words.trained,
      lengths.length === 0 ? '–' : lengths.map((length) => group(length)).join(' → '),
    ],
  ];
}

function span(wavelength: Float64Array): string {
  const [shortest, longest] = extent(wavelength);
  return `${readout(shortest, 3)} … ${longest >= 1000 ? group(Math.round(longest)) : readout(longest, 3)}`;
}

/** A factor with ten digits, without zeros at the end. */
export function factorText(factor: number): string {
  return short(Number(factor.toPrecision(10)));
}
