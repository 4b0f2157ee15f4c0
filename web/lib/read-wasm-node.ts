import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { responseBytes } from './response.js';

/** The bytes at a location, for Node: a URL, or the path of a file. */
export async function readWasm(location: URL | string): Promise<BufferSource> {
  const url = typeof location === 'string' ? urlOf(location) : location;
  return url.protocol === 'file:' ? readFile(url) : responseBytes(await fetch(url));
}

/** A scheme has at least two letters, so that the drive of a Windows path is not taken for one. */
function urlOf(location: string): URL {
  return /^[a-z][a-z\d+.-]+:/i.test(location) ? new URL(location) : pathToFileURL(location);
}
