/** What is at a location, for pages and workers. A relative one is resolved against the page. */
export async function readWasm(location: URL | string): Promise<BufferSource | Response> {
  return fetch(location);
}
