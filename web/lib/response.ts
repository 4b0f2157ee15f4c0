/** The body of a response that a server gave with success. */
export async function responseBytes(response: Response): Promise<ArrayBuffer> {
  if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`.trimEnd());
  return response.arrayBuffer();
}
