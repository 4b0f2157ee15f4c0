import type { Finding, ModelEncoding, RopeFrequencies, RopeParams, RotaryFacts } from 'posenc';
import { markdown, plain } from '../../exports/table-files.js';
import type { TableData } from '../../parts/data-table.js';
import { texts } from '../../texts/index.js';
import { language } from '../../preferences.js';
import { prose } from '../prose.js';
import { type Reading, kindOf } from '../read-input.js';
import { type Fact, factsOf } from './facts.js';
import type { LayerView } from './layer-view.js';

import { type ReportedSetting, TARGETS, settingOf } from './setting.js';
import { modelVerdict, verdictOf } from './verdict.js';

/** The layers of one kind. */
export interface ReportedLayer {
  readonly name: string;
  readonly verdict: string;
  readonly facts: readonly Fact[];
  readonly params: RopeParams;
  readonly rotary: RotaryFacts;
  readonly plain: RopeFrequencies;
  readonly frequencies: RopeFrequencies;
  readonly settings: readonly ReportedSetting[];
}

/** What the section says about a model. */
export interface ModelReport {
  readonly encoding: ModelEncoding;
  /** The program that the model is served with, where that is given: the layers are as it has them. */
  readonly servedWith?: string;
  /** Of a model without a rotary embedding. */
  readonly verdict?: string;
  readonly layers: readonly ReportedLayer[];
  readonly findings: readonly Finding[];
}

export function reportOn(
  { model, launch }: Reading,
  views: readonly LayerView[],
  findings: readonly Finding[],
): ModelReport {
  return {
    encoding: model.encoding,
    ...(launch === undefined ? {} : { servedWith: kindOf(launch) }),
    ...(views.length > 0 ? {} : { verdict: modelVerdict(model) }),
    layers: views.map((view) => ({
      name: view.layer.name,
      verdict: verdictOf(view),
      facts: factsOf(view, model),
      params: view.layer.params,
      rotary: view.facts,
      plain: view.plain,
      frequencies: view.frequencies,
      settings: TARGETS.map((target) => settingOf(view.layer.params, target, language())),
    })),
    findings,
  };
}

/** The report as Markdown, in the language on screen. */
export function reportMarkdown({ servedWith, verdict, layers, findings }: ModelReport): string {
  const text = texts().report;
  const { severities, noFindings, served } = texts().panel;
  const said = findings.map(({ severity, code, key, why }) => {
    const about = [key, code].filter((part) => part !== '').map(inCode);
    return `- **${severities[severity]}** ${escaped(prose(why))} (${about.join(', ')})`;
  });
  return [
    `# ${text.title}`,
    ...(servedWith === undefined ? [] : [served.with(servedWith)]),
    ...(verdict === undefined ? [] : [verdict]),
    ...layers.flatMap((layer) => layerMarkdown(layer, layers.length > 1)),
    `## ${text.findings}`,
    said.length > 0 ? said.join('\n') : noFindings,
    text.source,
  ]
    .map((part) => `${plain(part).trimEnd()}\n`)
    .join('\n');
}

function layerMarkdown(layer: ReportedLayer, isOneOfMany: boolean): string[] {
  const text = texts().report;
  return [
    ...(isOneOfMany ? [`## ${text.layers} ${inCode(layer.name)}`] : []),
    layer.verdict,
    markdown(rowsOf(layer.facts, text.factHeads, ([, label, value]) => [label, plain(value)])),
    `### ${text.parameters}`,
    markdown(
      rowsOf(Object.entries(layer.params), text.parameterHeads, ([name, value]) => [name, JSON.stringify(value)]),
    ),
    `### ${text.settings}`,
    ...layer.settings.flatMap(({ program, text: setting, lacks = '', notes }) => [
      `**${program}**`,
      setting === undefined ? text.inexpressible(inCode(lacks)) : `\`\`\`\n${setting}\n\`\`\``,
      ...notes.map((note) => escaped(prose(note))),
    ]),
    `### ${text.wavelengths}`,
    markdown(
      rowsOf(pairsOf(layer), text.pairHeads, ({ pair, divisor, wavelengthBefore, wavelength }) => [
        pair,
        divisor,
        wavelengthBefore,
        wavelength,
      ]),
    ),
  ];
}

/** The report as JSON; `null` stands for the wavelength of a pair that does not turn. */
export function reportJson({ encoding, servedWith, verdict, layers, findings }: ModelReport): string {
  const report = {
    encoding,
    ...(servedWith === undefined ? {} : { servedWith }),
    ...(verdict === undefined ? {} : { verdict: plain(verdict) }),
    layers: layers.map((layer) => ({
      name: layer.name,
      verdict: plain(layer.verdict),
      params: layer.params,
      facts: layer.rotary,
      pairs: pairsOf(layer),
      settings: layer.settings,
    })),
    findings,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

interface ReportedPair {
  readonly pair: number;
  /** By what the frequency is divided. */
  readonly divisor: number;
  /** In tokens, without the scaling and with it. */
  readonly wavelengthBefore: number;
  readonly wavelength: number;
}

function pairsOf({ plain: before, frequencies }: ReportedLayer): ReportedPair[] {
  return Array.from(frequencies.wavelength, (wavelength, pair) => ({
    pair,
    divisor: frequencies.divisor[pair]!,
    wavelengthBefore: before.wavelength[pair]!,
    wavelength,
  }));
}

function rowsOf<Row>(
  rows: readonly Row[],
  columns: readonly string[],
  cells: (row: Row) => readonly (number | string)[],
): TableData {
  const values = rows.map(cells);
  const value = (row: number, column: number): number | string => values[row]![column]!;
  return { columns, rows: rows.length, value, cell: (row, column) => String(value(row, column)) };
}

/** A text of the reader's file as code, which no mark in it ends. */
function inCode(text: string): string {
  return `\`${text.replace(/[`\r\n]/g, ' ')}\``;
}

/** A sentence, in which marks of Markdown and HTML are letters. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|]/g, '\\$&').replace(/\s*[\r\n]\s*/g, ' ');
}
