/**
 * What a value of a figure's state may be: the bounds of its control, and how a link holds it. A text that the control
 * would not take is not read.
 */
export interface Field<Value> {
  /** The value in characters that a fragment holds as they are, without `&` and `=`. */
  write(value: Value): string;
  /** The value that such a text stands for; undefined if there is none. */
  read(text: string): Value | undefined;
}

/** Every field of a state. */
export type StateFields<State> = { readonly [Name in keyof State]: Field<State[Name]> };

/** Numbers `minimum` + k · `step` up to `maximum`. */
export interface NumberField extends Field<number> {
  readonly minimum: number;
  readonly maximum: number;
  readonly step: number;
}

export interface ChoiceField<Value extends string> extends Field<Value> {
  readonly values: readonly Value[];
}

/** Numbers from `minimum` to `maximum` in steps, which may be decimal fractions: 2, 4, … 512; 0, 0.01, … 6.28. */
export function range(minimum: number, maximum: number, step = 1): NumberField {
  return {
    minimum,
    maximum,
    step,
    write: String,
    read(text) {
      const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
      return isOnGrid(value, { minimum, maximum, step }) ? value : undefined;
    },
  };
}

/** Whether a number is one of a range's; a decimal step is taken as it is written, not as float64 rounds it. */
export function isOnGrid(
  value: number,
  { minimum, maximum, step }: Pick<NumberField, 'minimum' | 'maximum' | 'step'>,
): boolean {
  return value >= minimum && value <= maximum && value === nearestOnGrid(value, { minimum, maximum, step });
}

/** The number of a range nearest to a value. */
export function nearestOnGrid(
  value: number,
  { minimum, maximum, step }: Pick<NumberField, 'minimum' | 'maximum' | 'step'>,
): number {
  const last = Math.floor((maximum - minimum) / step + 1e-9);
  const steps = Math.min(last, Math.max(0, Math.round((value - minimum) / step)));
  const decimals = Math.max(decimalsOf(minimum), decimalsOf(step));
  return Number((minimum + steps * step).toFixed(decimals));
}

function decimalsOf(value: number): number {
  return String(value).split('.')[1]?.length ?? 0;
}

/** One of a few names. */
export function oneOf<const Value extends string>(values: readonly Value[]): ChoiceField<Value> {
  return {
    values,
    write: escape,
    read(text) {
      const value = unescape(text);
      return values.find((one) => one === value);
    },
  };
}

/** A text of 1 to `most` characters, without white space at its ends. */
export function textUpTo(most: number): Field<string> {
  return {
    write: escape,
    read(text) {
      const value = unescape(text);
      return value && value === value.trim() && [...value].length <= most ? value : undefined;
    },
  };
}

/** A list of `least` to `most` values of one field. */
export function listOf<Value>(item: Field<Value>, least: number, most: number): Field<readonly Value[]> {
  return {
    write: (values) => values.map((value) => item.write(value)).join(','),
    read(text) {
      const values = text === '' ? [] : text.split(',').map((part) => item.read(part));
      const all = values.filter((value) => value !== undefined);
      return all.length === values.length && all.length >= least && all.length <= most ? all : undefined;
    },
  };
}

/** A field, or nothing: null is the empty text, so the field must have no use for that. */
export function optional<Value>(field: Field<Value>): Field<Value | null> {
  return {
    write: (value) => (value === null ? '' : field.write(value)),
    read: (text) => (text === '' ? null : field.read(text)),
  };
}

/** Percent signs for all but letters, digits and -._~, which links survive in any letter or chat. */
function escape(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

function unescape(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
