import { responseBytes } from './response.js';

/** The bytes at a location, for pages and workers. A relative one is resolved against the page. */
export async function readWasm(location: URL | string): Promise<BufferSource> {
  return responseBytes(await fetch(location));
}
