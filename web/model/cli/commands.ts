import { PosencError } from '../../common/errors.js';
import { ropeFrequencies } from '../../rotary/frequencies.js';
import { check } from '../check-model.js';
import { planExtension } from '../extension/plan.js';
import { rotaryFacts, type RotaryFacts } from '../facts.js';
import type { Severity } from '../findings.js';
import type { ModelLayer, ParsedModel } from '../parsed-model.js';
import { render, renderNotes, type RenderTarget } from '../render/index.js';
import type { Request } from './arguments.js';
import { readFlags, readSource, type Source } from './input.js';
import { escaped, nameOf } from '../../phrases/shown.js';
import { columns, describeLayer, few, heading } from './text.js';
import { UsageError } from './usage.js';

/** What a command prints, and the code that it ends with. */
export interface Answer {
  text: string;
  /** What goes with the text; `json` has it. */
  notes?: string[];
  json: unknown;
  exitCode: 0 | 1;
}

/** Does what was asked for. */
export async function run(request: Request): Promise<Answer> {
  const { flags, file, runtime } = request;
  const source = flags === undefined ? await readSource(file, runtime) : readFlags(flags, runtime);
  return COMMANDS[request.command](source, request);
}

type Command = (source: Source, request: Request) => Answer | Promise<Answer>;

const COMMANDS: Readonly<Record<Request['command'], Command>> = { check: checkModel, table, plan, convert };

async function checkModel({ name, model }: Source, { target, launch, runtime, language, layer }: Request) {
  const served = launch === undefined ? undefined : (await readSource(launch, runtime)).model;
  const findings = check(model, {
    ...(target === undefined ? {} : { targetLength: target }),
    ...(served === undefined ? {} : { launch: served }),
    language,
  });
  const layers = layer === undefined ? model.layers : rotaryLayers(model, layer);
  const facts = layers.flatMap((one) => {
    const found = factsOf(one);
    return found === undefined ? [] : [{ layer: one, facts: found }];
  });
  const count = (severity: Severity) => findings.filter((one) => one.severity === severity).length;
  const totals = { error: count('error'), warning: count('warning'), info: count('info') };
  const lines = findings.flatMap(({ severity, code, key, why }) => [
    `${severity.padEnd(7)}  ${code}  ${nameOf(key)}`,
    `  ${escaped(why)}`,
  ]);
  const exitCode: 0 | 1 = totals.error > 0 ? 1 : 0;
  return {
    exitCode,
    text: [
      heading(name, model),
      ...facts.map((one) => describeLayer(one.layer, one.facts, language)),
      ...(lines.length === 0 ? [] : ['', ...lines]),
      '',
      `error ${totals.error}, warning ${totals.warning}, info ${totals.info}`,
    ].join('\n'),
    json: {
      source: name,
      model,
      facts: facts.map(({ layer: { name: of }, facts: found }) => ({ layer: of, ...found })),
      findings,
    },
  };
}

/** What an embedding comes to; nothing where a finding says why that cannot be told. */
function factsOf({ params }: ModelLayer): RotaryFacts | undefined {
  try {
    return rotaryFacts(params);
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    return undefined;
  }
}

function table({ name, model }: Source, { layer, length }: Request): Answer {
  const options = length === undefined ? {} : { seqLen: length };
  const tables = rotaryLayers(model, layer).map(({ name: of, params }) => {
    const { invFreq, wavelength, divisor, zone } = ropeFrequencies(params, options);
    const pairs = zone.map((zoneOf, pair) => ({
      pair,
      frequency: invFreq[pair] as number,
      wavelength: wavelength[pair] as number,
      divisor: divisor[pair] as number,
      zone: zoneOf,
    }));
    return { layer: of, pairs };
  });
  const show = (value: number) => (value === Infinity ? '∞' : few(value, 9));
  const text = tables.map(({ layer: of, pairs }) => {
    const rows = pairs.map(({ pair, frequency, wavelength, divisor, zone }) => [
      String(pair),
      show(frequency),
      show(wavelength),
      show(divisor),
      zone,
    ]);
    const head = ['pair', 'radians per token', 'tokens per turn', 'divisor', 'zone'];
    return `${nameOf(of)}\n${columns(head, rows)}`;
  });
  return { exitCode: 0, text: text.join('\n\n'), json: { source: name, layers: tables } };
}

function plan({ name, model }: Source, { layer, target, trained, language }: Request): Answer {
  const plans = rotaryLayers(model, layer).map(({ name: of, params }) => {
    const context = params.originalMaxPosition ?? params.maxPosition ?? trained;
    const known = trained === undefined || context !== trained ? params : { ...params, originalMaxPosition: trained };
    return { layer: of, options: planExtension(known, target as number, { language }) };
  });
  const text = plans.map(({ layer: of, options }) => {
    const rows = options.map((option) => [
      `${option.recommended ? '*' : ' '} ${option.rule}`,
      few(option.base, 9),
      few(option.params.factor ?? 1),
      few(option.attentionFactor),
      `${option.outOfRange}/${option.pairs}`,
      few(option.shortChange, 3),
    ]);
    const head = ['  rule', 'base', 'factor', 'attention', 'out of range', 'short change'];
    const details = options.map((option) => {
      const line = option.flags === '' ? [] : [`    llama.cpp: ${option.flags}`];
      return [`  ${option.rule}: ${option.why}`, ...line].join('\n');
    });
    return [nameOf(of), columns(head, rows), '', ...details].join('\n');
  });
  return { exitCode: 0, text: text.join('\n\n'), json: { source: name, target, layers: plans } };
}

function convert({ name, model }: Source, { layer, to, language }: Request): Answer {
  const target = to as RenderTarget;
  const selected = rotaryLayers(model, layer);
  const layers = selected.map(({ name: of, params }) => ({
    layer: of,
    line: render(params, target),
    notes: renderNotes(params, target, { language }),
  }));
  const whole = inOne(selected, target);
  if (whole !== undefined) {
    const notes = renderNotes(selected, target, { language });
    return { exitCode: 0, text: whole, notes, json: { source: name, target, line: whole, layers } };
  }
  const text = layers.map(({ layer: of, line }) => `# ${nameOf(of)}\n${line}`);
  const notes = layers.flatMap(({ layer: of, notes: all }) => all.map((note) => `${nameOf(of)}: ${note}`));
  return { exitCode: 0, text: text.join('\n'), notes, json: { source: name, target, layers } };
}

/** All layers in one block; nothing where the target has no words for layers of their own. */
function inOne(layers: readonly ModelLayer[], target: RenderTarget): string | undefined {
  try {
    return render(layers, target);
  } catch (error) {
    if (error instanceof PosencError && error.code === 'inexpressible') return undefined;
    throw error;
  }
}

/** The rotary embeddings of a model, or the one that is named. */
function rotaryLayers({ layers, encoding }: ParsedModel, name: string | undefined): ModelLayer[] {
  if (layers.length === 0) throw new UsageError({ kind: 'no-rope', encoding });
  if (name === undefined) return layers;
  const named = layers.filter((layer) => layer.name === name);
  if (named.length > 0) return named;
  throw new UsageError({ kind: 'choice', option: '--layer', choices: layers.map((layer) => layer.name), value: name });
}
