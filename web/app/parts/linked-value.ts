import type { ChoiceField, Field, NumberField } from '../state/fields.js';
import { rangeRefusal } from './number-slider.js';
import { repeated } from './refusing-field.js';
import { texts } from '../texts/index.js';

/** A value of a link, and the field that it is for, if there is one. */
export interface LinkedValue {
  readonly name: string;
  readonly written: string;
  readonly field: Field<unknown> | undefined;
}

/** Why a value of a link was not taken, in one sentence. */
export function linkedValueRefusal({ name, written, field }: LinkedValue): string {
  const words = texts().page.link;
  if (!field) return words.unknown(repeated(name));
  if (isRange(field)) return rangeRefusal(name, field, written);
  const got = repeated(written) || texts().page.slider.nothing;
  return isChoice(field) ? words.choice(name, field.values.join(', '), got) : words.impossible(name, got);
}

function isRange(field: Field<unknown>): field is NumberField {
  return 'minimum' in field;
}

function isChoice(field: Field<unknown>): field is ChoiceField<string> {
  return 'values' in field;
}
