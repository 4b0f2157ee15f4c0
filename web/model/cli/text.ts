import { commandLineBooks } from '../../phrases/command-line/books.js';
import type { Language } from '../../phrases/language.js';
import { cut } from '../../phrases/shown.js';
import type { ModelLayer, ParsedModel } from '../parsed-model.js';
import type { RotaryFacts } from '../facts.js';

/** A number with a few digits. */
export function few(value: number, digits = 6): string {
  return String(Number(value.toPrecision(digits)));
}

/** Rows in columns, numbers to the right. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] as string).length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        /^[\d.∞e+-]+$/.test(rows[0]?.[column] ?? '') ? pad(cell, column) : `${cell}`.padEnd(widths[column] as number),
      )
      .join('  ')
      .trimEnd();
  const pad = (cell: string, column: number) => cell.padStart(widths[column] as number);
  return all.map(line).join('\n');
}

/** What a model was read from, in a line. */
export function heading(name: string, { source, schema, runtime, modelType, encoding }: ParsedModel): string {
  const kind = { hf: `HF ${schema ?? ''}`.trim(), gguf: 'GGUF', flags: `flags of ${runtime ?? 'a runtime'}` }[source];
  const parts = [`${cut(name, 200)}: ${kind}`, modelType, encoding].filter((part) => part !== undefined);
  return parts.map((part) => cut(part, 300)).join(', ');
}

/** What the embedding of a layer comes to, in a few lines. */
export function describeLayer({ name, params }: ModelLayer, facts: RotaryFacts, language: Language): string {
  const { base = 10000, type = 'default', factor } = params;
  const { headDim, rotaryDim, pairs, pairing, zones } = facts;
  const lines = commandLineBooks[language].layer({
    name,
    headDim,
    rotaryDim,
    pairs,
    pairing,
    zones,
    base: few(base),
    scaling: `${type}${factor === undefined ? '' : ` ${few(factor)}`}`,
    shortest: few(facts.wavelength.shortest, 4),
    longest: few(facts.wavelength.longest, 4),
    turning: facts.turningPairs,
    trained: facts.trainedLength,
    attentionFactor: few(facts.attentionFactor),
    softmaxFactor: few(facts.softmaxFactor),
    shortChange: few(facts.shortChange, 3),
  });
  return lines.join('\n');
}
