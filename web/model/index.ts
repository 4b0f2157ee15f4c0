// What `posenc/model` exports: all that reads, judges and writes the configuration of a model, without WebAssembly.
export { PosencError, type PosencErrorCode, type PosencErrorDetails } from '../common/errors.js';
export {
  ropeFrequencies,
  sinusoidalFrequencies,
  type RopeFrequencies,
  type SinusoidalFrequencyOptions,
  type Spacing,
} from '../rotary/frequencies.js';
export { parseNpy } from './files/npy.js';
export { parseSafetensors, type TensorEntry, type TensorIndex } from './files/safetensors.js';
export { check, served, type CheckedModel, type CheckOptions } from './check-model.js';
export { planExtension, type ExtensionOption, type ExtensionRule } from './extension/plan.js';
export { rotaryFacts, type FactorName, type FactorNames, type RotaryFacts, type ZoneRange } from './facts.js';
export {
  FINDINGS,
  type Finding,
  type FindingCode,
  type FindingEntry,
  type FindingFacts,
  type Severity,
} from './findings.js';
export { parseFlags, type ParseFlagsOptions } from './parse-flags.js';
export { parseGguf } from './parse-gguf.js';
export type { ErrorFacts, Rule, State } from '../phrases/errors/en.js';
export { errorText } from '../phrases/errors/error-text.js';
export type { Language, Text } from '../phrases/language.js';
export { parseHfConfig } from './parse-hf-config.js';
export type {
  Assumption,
  ModelEncoding,
  ModelLayer,
  ParsedModel,
  Runtime,
  Setting,
  Statement,
} from './parsed-model.js';
export { render, renderNotes, RENDER_TARGETS, type RenderTarget } from './render/index.js';
export type { Pairing, RopeParams, RopeType } from '../rotary/rope-params.js';
