import type { RopeType } from '../rope-params.js';
import { keepAll } from './default.js';
import { dynamic } from './dynamic.js';
import { linear } from './linear.js';
import { llama3 } from './llama3.js';
import { longrope } from './longrope.js';
import { ntk } from './ntk.js';
import { proportional } from './proportional.js';
import type { ScalingRule } from './scaling.js';
import { yarn } from './yarn.js';

/** The scaling of every type. */
export const scalings: Readonly<Record<RopeType, ScalingRule>> = {
  default: keepAll,
  linear,
  ntk,
  dynamic,
  yarn,
  longrope,
  llama3,
  mrope: keepAll, // it says by what a pair turns, not how fast
  proportional,
};
