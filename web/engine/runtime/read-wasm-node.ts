// To import these modules would read all that they export, which takes longer than to read the file.
const { readFileSync } = process.getBuiltinModule('node:fs');
const { pathToFileURL } = process.getBuiltinModule('node:url');

/** What is at a location, for Node: a URL, or the path of a file. A file is read at once: to wait for it takes longer. */
export async function readWasm(location: URL | string): Promise<BufferSource | Response> {
  const url = typeof location === 'string' ? urlOf(location) : location;
  return url.protocol === 'file:' ? readFileSync(url) : fetch(url);
}

/** A scheme has at least two letters, so that the drive of a Windows path is not taken for one. */
function urlOf(location: string): URL {
  return /^[a-z][a-z\d+.-]+:/i.test(location) ? new URL(location) : pathToFileURL(location);
}
