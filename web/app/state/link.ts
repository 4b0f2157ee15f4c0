// The state of figures as the fragment of an address: `v1&slide&shift=5000&mode=bf16&waves&dim=64`. A word without `=`
// begins a figure, the words with it are those of its values that are not the ones it opens with. The first figure is the
// one that the link is about.

const VERSION = 'v1';

/** The written values of one figure by field. */
export type WrittenState = ReadonlyMap<string, string>;

/** The fragment of an address, without its `#`. */
export function writeLink(figures: Iterable<readonly [name: string, state: WrittenState]>): string {
  const words = [VERSION];
  for (const [name, state] of figures) words.push(name, ...[...state].map(([field, value]) => `${field}=${value}`));
  return words.join('&');
}

/** Whether a fragment was written as such a link, of this version or another. */
export function isLink(fragment: string): boolean {
  return /^#?v\d+&/.test(fragment);
}

/** The figures of a fragment in their order; undefined where the fragment is no such link. */
export function readLink(fragment: string): Map<string, WrittenState> | undefined {
  const [version, ...words] = fragment.replace(/^#/, '').split('&');
  if (version !== VERSION) return undefined;
  const figures = new Map<string, Map<string, string>>();
  let state: Map<string, string> | undefined;
  for (const word of words) {
    const equals = word.indexOf('=');
    const [name, value] = equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
    if (!/^[A-Za-z][\w-]*$/.test(name!)) return undefined;
    if (value === undefined) figures.set(name!, (state = new Map()));
    else if (state && !state.has(name!)) state.set(name!, value);
    else return undefined;
  }
  return figures.size > 0 ? figures : undefined;
}
