import type { ParsedModel } from 'posenc';
import { group, noBreak } from '../../plots/format.js';
import { texts } from '../../texts/index.js';
import { type LayerView, extent } from './layer-view.js';
import { divisorText } from './pair-plot.js';

const count = (value: number): string => noBreak(group(value));

/** What a rotary embedding does, in one sentence or two. */
export function verdictOf({ layer: { params }, facts, frequencies: { divisor }, length }: LayerView): string {
  const text = texts().panel;
  const words = text.verdict;
  const { type = 'default', base = 10_000 } = params;
  const pairs = count(facts.pairs);
  const turning = divisor.filter(Number.isFinite);
  const first = words.scaling(pairs, text.types[type]);
  const times = (from: number, to: number): string =>
    from === to ? divisorText(to) : words.toward(divisorText(from), divisorText(to));
  if (type === 'proportional' && turning.length < divisor.length) return words.still(count(turning.length), pairs);
  const [least, most] = extent(turning);
  if (least === 1 && most === 1) {
    const plain = words.plain(pairs, count(base));
    const { trainedLength, turningPairs } = facts;
    if (trainedLength === undefined || turningPairs === undefined) return plain;
    return [plain, words.turning(count(turningPairs), pairs, count(trainedLength))].join(
      words.comma === ', ' ? ' ' : '',
    );
  }
  const parts = [...(length === undefined ? [] : [words.at(count(length))])];
  if (least === most) parts.push(words.all(divisorText(most)));
  else if (type === 'ntk' || type === 'dynamic') parts.push(words.greaterBase(divisorText(most)));
  else if (facts.zones.length === 1 && facts.zones[0]!.zone === 'scaled') parts.push(words.all(times(least, most)));
  else {
    for (const { zone, from, to } of facts.zones) {
      const size = count(to - from + 1);
      const ends = [divisor[from]!, divisor[to]!].sort((a, b) => a - b) as [number, number];
      parts.push(zone === 'scaled' ? words.scaled(size, times(...ends)) : words[zone](size));
    }
  }
  const space = words.comma === ', ' ? ' ' : '';
  return `${first}${space}${parts.join(words.comma)}${words.stop}`;
}

/** Of a model of which no frequencies are known. */
export function modelVerdict(model: ParsedModel): string {
  return model.layers.length > 0 ? texts().panel.verdict.unusable : otherVerdict(model);
}

/** What tells a model without a rotary embedding the order of its tokens. */
function otherVerdict({ encoding, learned, alibi }: ParsedModel): string {
  const words = texts().panel.verdict;
  if (encoding === 'learned' && learned) return words.learned(count(learned.positions - 1));
  if (encoding === 'alibi' && alibi) return words.alibi(count(alibi.heads));
  return words.encodings[encoding];
}
