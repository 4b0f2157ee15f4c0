import { type ModelLayer, type RopeFrequencies, type RotaryFacts, ropeFrequencies, rotaryFacts } from 'posenc';
import { attempt } from '../attempt.js';

/** A layer with what its rotary embedding comes to. */
export interface LayerView {
  readonly layer: ModelLayer;
  readonly facts: RotaryFacts;
  readonly plain: RopeFrequencies;
  readonly frequencies: RopeFrequencies;
  /** Tokens of the text, where the frequencies follow it. */
  readonly length: number | undefined;
}

/** `needed`: tokens that the reader needs. Undefined where no frequencies can be computed; a finding says why. */
export function viewOf(layer: ModelLayer, needed: number | undefined): LayerView | undefined {
  const { headDim, rotaryDim, base, pairing, type, maxPosition } = layer.params;
  const follows = type === 'dynamic' || type === 'longrope';
  const length = follows ? (needed ?? maxPosition) : undefined;
  const options = length === undefined ? {} : { seqLen: length };
  return attempt(() => ({
    layer,
    facts: rotaryFacts(layer.params, options),
    frequencies: ropeFrequencies(layer.params, options),
    plain: ropeFrequencies({
      headDim,
      rotaryDim: type === 'proportional' ? headDim : (rotaryDim ?? headDim),
      ...(base === undefined ? {} : { base }),
      ...(pairing === undefined ? {} : { pairing }),
    }),
    length,
  }));
}

/** The least and the greatest of some numbers, of those that are finite. */
export function extent(values: Iterable<number>): readonly [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
