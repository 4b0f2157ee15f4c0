import type { ScoringRules } from './attention-options.js';
import type { Rule } from '../../phrases/errors/en.js';
import type { AttentionSizes } from './attention-sizes.js';
import { isArrayOf, requireLength } from '../../common/check.js';
import { badArgument, badState } from '../../common/errors.js';
import { requireTensorLength, requireTensorOf, type Heap } from '../runtime/heap.js';
import type { AttentionCall } from '../runtime/glue.js';

const MASK: Rule = { kind: 'type', types: ['Uint8Array', 'Float32Array', 'halves', 'PosencBuffer'] };

/** A mask with its axes, checked. */
export interface CheckedMask {
  mask: NonNullable<ScoringRules['mask']>;
  axes: MaskAxes;
}

export function requireMask({ mask, maskShape }: ScoringRules, sizes: AttentionSizes): CheckedMask | undefined {
  if (mask === undefined) {
    if (maskShape !== undefined) throw badArgument('maskShape', { kind: 'left-out', where: 'no-mask' }, maskShape);
    return undefined;
  }
  const isBytes = isArrayOf(mask, Uint8Array);
  const length = isBytes ? mask.length : requireTensorLength(mask, 'mask', MASK);
  const axes = maskShape === undefined ? inferMaskAxes(length, sizes) : requireMaskAxes(maskShape, sizes);
  if (isBytes) requireLength(mask, 'mask', { ...axes });
  else requireTensorOf(mask, 'mask', { ...axes });
  return { mask, axes };
}

export function addMask(heap: Heap, call: AttentionCall, checked: CheckedMask | undefined): void {
  if (checked === undefined) return;
  const { mask, axes } = checked;
  if (isArrayOf(mask, Uint8Array)) call.mask(heap.bytes(mask, 'mask'));
  else call.additiveMask(heap.floats(mask, 'mask', { ...axes }));
  const { batch = 1, heads = 1, queryLength = 1, keyLength } = axes;
  call.maskShape(batch, heads, queryLength, keyLength);
}

/** Sizes of the axes that a mask has, outermost first. */
export type MaskAxes = Partial<Pick<AttentionSizes, 'batch' | 'heads' | 'queryLength'>> &
  Pick<AttentionSizes, 'keyLength'>;

/** The axes of a mask of this length: of the queries and keys, with leading heads, or with batch and heads. */
function inferMaskAxes(length: number, { batch, heads, queryLength, keyLength }: AttentionSizes): MaskAxes {
  const one = queryLength * keyLength;
  if (length === one) return { queryLength, keyLength };
  return length === heads * one ? { heads, queryLength, keyLength } : { batch, heads, queryLength, keyLength };
}

function requireMaskAxes(maskShape: unknown, sizes: AttentionSizes): MaskAxes {
  const axes = ['batch', 'heads', 'queryLength', 'keyLength'] as const;
  const given: readonly unknown[] = Array.isArray(maskShape) ? maskShape : [];
  const names = axes.slice(Math.max(0, axes.length - given.length));
  const fits = (size: unknown, axis: (typeof axes)[number]) =>
    size === 1 || size === sizes[axis] || (axis === 'keyLength' && isShort(size, sizes[axis]));
  if (names.length === 0 || names.length !== given.length || !names.every((axis, i) => fits(given[i], axis))) {
    const rule = { kind: 'mask-shape', sizes: Object.fromEntries(axes.map((axis) => [axis, sizes[axis]])) } as const;
    if (!Array.isArray(maskShape)) throw badArgument('maskShape', rule, maskShape);
    throw badState('maskShape', rule, { kind: 'sizes', sizes: maskShape });
  }
  return Object.fromEntries(names.map((name, i) => [name, given[i]])) as unknown as MaskAxes;
}

function isShort(size: unknown, full: number): boolean {
  return typeof size === 'number' && Number.isInteger(size) && size >= 1 && size < full;
}

export function requireKeyValid(keyValid: ScoringRules['keyValid'], { batch, keyLength }: AttentionSizes): void {
  if (keyValid === undefined) return;
  if (!isArrayOf(keyValid, Uint8Array))
    throw badArgument('keyValid', { kind: 'type', types: ['Uint8Array'] }, keyValid);
  if (keyValid.length !== keyLength) requireLength(keyValid, 'keyValid', { batch, keyLength });
}
