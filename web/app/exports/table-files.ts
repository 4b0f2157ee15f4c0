import type { TableData } from '../parts/data-table.js';
import type { NumberArray } from './npy.js';

/**
 * A table as comma-separated values (RFC 4180), numbers with every digit that float64 has. Spreadsheets take what begins
 * like a formula for one; a text that does, which may be from a shared link, has an apostrophe before it.
 */
export function csv(table: TableData): string {
  const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const inert = (cell: Cell): string =>
    typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) && !isNumbers(cell) ? `'${cell}` : String(cell);
  return linesOf(table)
    .map((line) => `${line.map((cell) => quote(inert(cell))).join(',')}\r\n`)
    .join('');
}

/** A table in Markdown, numbers with every digit that float64 has; no text of it is a link or HTML. */
export function markdown(table: TableData): string {
  const [head = [], ...rows] = linesOf(table);
  const written = (cell: Cell): string =>
    typeof cell === 'number' ? String(cell) : cell.replace(/[|\\<>[\]]/g, '\\$&').replace(/\s*[\r\n]\s*/g, ' ');
  const line = (cells: readonly Cell[]): string => `| ${cells.map(written).join(' | ')} |\n`;
  const rule = line(head.map((_, column) => (isNumeric(table, column) ? '--:' : '---')));
  return line(head) + rule + rows.map(line).join('');
}

/** The columns of a table that hold numbers, as [rows, columns]. */
export function numbersOf(table: TableData): NumberArray {
  const columns = table.columns.map((_, column) => column).filter((column) => isNumeric(table, column));
  const values = Float64Array.from(
    { length: table.rows * columns.length },
    (_, i) => table.value(Math.floor(i / columns.length), columns[i % columns.length]!) as number,
  );
  return { values, shape: [table.rows, columns.length] };
}

function isNumeric({ rows, value }: TableData, column: number): boolean {
  return rows > 0 && typeof value(0, column) === 'number';
}

type Cell = number | string;

/** The heads of a table, and its rows. */
function linesOf({ columns, rows, value }: TableData): Cell[][] {
  const body = Array.from({ length: rows }, (_, row) => columns.map((_, column) => value(row, column)));
  return [columns.map(plain), ...body];
}

/** Whether a text is a number, or several with commas between. */
function isNumbers(text: string): boolean {
  return text.split(', ').every((part) => part.trim() !== '' && Number.isFinite(Number(part)));
}

/** A text without the spaces that group digits and the marks that keep it on one line, a true minus as ASCII has it. */
export function plain(text: string): string {
  return text
    .replace(/[\u2009\u2060]/g, '')
    .replaceAll('\u2212', '-')
    .replaceAll('\u00a0', ' ');
}
