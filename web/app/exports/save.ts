/** How long a browser may take to read what it was handed, milliseconds. */
const READ_WITHIN = 10_000;

/** Hands a file to the browser to keep. */
export function save(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), READ_WITHIN);
}
