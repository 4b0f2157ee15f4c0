import { type Encodings, sinusoidalFrequencies } from 'posenc';

export interface AliasesRequest {
  /** The two widths compared, even. */
  readonly narrow: number;
  readonly wide: number;
  /** Every whole distance from 1 to this one is looked at. */
  readonly farthest: number;
  /** Ranges of distances, equal on a logarithmic axis, that the plot shows as one. */
  readonly bins: number;
  /** Where returns of the wide width begin to count: nearer positions are alike because they are near. */
  readonly from: number;
}

export interface Alias {
  readonly distance: number;
  readonly similarity: number;
}

/** K of one width over ranges of distances; NaN where it is not computed yet. */
export interface Envelope {
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
  /** The first distance at which K is greatest. */
  readonly argmax: Float64Array;
  readonly wavelengths: Float64Array;
}

export interface AliasesPartial {
  /** Range i holds the distances edges[i] … edges[i + 1] − 1. */
  readonly edges: Float64Array;
  readonly narrow: Envelope;
  readonly wide: Envelope;
}

export interface AliasesResult extends AliasesPartial {
  /** Returns of the narrow width that are closer than every one before, in order of distance. */
  readonly records: readonly Alias[];
  /** The same of the wide width, counted from `from` on. */
  readonly wideRecords: readonly Alias[];
  /** The greatest K of the wide width at `from` or beyond, return or not. */
  readonly highest: Alias;
}

/** Evaluations of one cosine per slice: some tens of milliseconds. */
const SLICE = 3e7;
/** More returns than one range can have that beat every one before it. */
const MOST_PER_RANGE = 1000;

export function* aliasesTask(
  encodings: Encodings,
  request: AliasesRequest,
): Generator<{ share: number; partial: AliasesPartial }, AliasesResult> {
  const { narrow, wide, farthest, from } = request;
  const edges = binEdges(request);
  const ranges = edges.length - 1;
  const [narrowScan, wideScan] = [newScan(narrow, ranges), newScan(wide, ranges)];
  const partial = { edges, narrow: narrowScan.envelope, wide: wideScan.envelope };

  const distancesPerSlice = SLICE / ((narrow + wide) / 2);
  for (let first = 0; first < ranges;) {
    let end = first + 1;
    while (end < ranges && edges[end + 1]! - edges[first]! <= distancesPerSlice) end++;
    for (const { invFreq, envelope } of [narrowScan, wideScan]) {
      const slice = encodings.kernelEnvelope({ invFreq, edges: edges.subarray(first, end + 1) });
      envelope.minimum.set(slice.minimum, first);
      envelope.maximum.set(slice.maximum, first);
      envelope.argmax.set(slice.argmax, first);
    }
    first = end;
    yield { share: edges[end]! / farthest, partial };
  }

  const far = edges.indexOf(from);
  const { maximum, argmax } = wideScan.envelope;
  const best = maximum.subarray(far).reduce((top, value, i, all) => (value > all[top]! ? i : top), 0) + far;
  return {
    ...partial,
    records: recordsOf(encodings, narrowScan, edges, 0),
    wideRecords: recordsOf(encodings, wideScan, edges, far),
    highest: { distance: argmax[best]!, similarity: maximum[best]! },
  };
}

interface Scan {
  readonly invFreq: Float64Array;
  readonly envelope: Envelope;
}

function newScan(dim: number, ranges: number): Scan {
  const invFreq = sinusoidalFrequencies({ dim });
  const empty = (): Float64Array => new Float64Array(ranges).fill(Number.NaN);
  const wavelengths = invFreq.map((frequency) => (2 * Math.PI) / frequency);
  return { invFreq, envelope: { minimum: empty(), maximum: empty(), argmax: empty(), wavelengths } };
}

/** Whole edges, evenly spaced on a logarithmic axis where whole numbers allow it; `from` is one of them. */
function binEdges({ farthest, bins, from }: AliasesRequest): Float64Array {
  const even = Array.from({ length: bins }, (_, i) => Math.ceil(farthest ** (i / bins) - 1e-9));
  return Float64Array.from([...new Set([...even, from])].sort((a, b) => a - b).concat(farthest + 1));
}

/**
 * Returns from range `first` on that beat all before them. A range whose maximum does not beat the last record holds none;
 * the others are searched exactly.
 */
function recordsOf(encodings: Encodings, { invFreq, envelope }: Scan, edges: Float64Array, first: number): Alias[] {
  const records: Alias[] = [];
  for (let i = first; i < envelope.maximum.length; i++) {
    const above = records.at(-1)?.similarity ?? -1;
    if (envelope.maximum[i]! <= above) continue;
    const [from, to] = [edges[i]!, edges[i + 1]! - 1];
    const peaks = encodings.findAliases({ invFreq, from, to, above, limit: MOST_PER_RANGE });
    for (const peak of peaks.sort((a, b) => a.distance - b.distance)) {
      if (peak.similarity > (records.at(-1)?.similarity ?? -1)) records.push(peak);
    }
  }
  return records;
}
