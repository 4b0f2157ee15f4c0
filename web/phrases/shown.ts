/** The most letters of a text that a sentence shows. */
const MOST_LETTERS = 40;

/** What a terminal obeys, what breaks a line and what turns the order of letters round. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text from a file or a caller on one line: what no one sees or what acts shows as its escape. */
export function escaped(text: string): string {
  return text.replace(CONTROLS, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same, cut to `most` letters. */
export function cut(text: string, most = MOST_LETTERS): string {
  return escaped(text.length > most ? `${text.slice(0, most)}…` : text);
}

/** A text in quotation marks, cut. */
export function quoted(text: string): string {
  return escaped(JSON.stringify(text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text));
}

/** The name of an argument or the path of a key, cut in the middle, since both ends tell it from others. */
export function nameOf(argument: string): string {
  return escaped(argument.length > 120 ? `${argument.slice(0, 80)}…${argument.slice(-30)}` : argument);
}

/** A few names in a row, and how many more there are. */
export function listed(
  names: readonly unknown[],
  more: (count: number) => string,
  separator = ', ',
  most = 12,
): string {
  const shown = names.slice(0, most).map((name) => cut(String(name), 80));
  return [...shown, ...(names.length > most ? [more(names.length - most)] : [])].join(separator);
}

/** A number with six digits. */
export function round(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** A value of a file as a sentence has it. */
export function shown(value: unknown): string {
  return Array.isArray(value) ? `[${value.length}]` : cut(String(value), 80);
}
