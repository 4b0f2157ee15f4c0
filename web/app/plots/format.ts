// Numbers as text, the same in both languages: groups of three by a thin space, a true minus, powers of ten as
// superscripts. Text for HTML goes through `noBreak`, because a thin space is a place where a line may break.

const MINUS = '\u2212';
const THIN_SPACE = '\u2009';
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Digits of readouts; the full number is shown on request with {@link exact}. */
export const READOUT_DIGITS = 6;

/** A whole number as superscript digits: −8 becomes ⁻⁸. */
export function superscript(value: number): string {
  return String(value).replace(/./g, (digit) => (digit === '-' ? '⁻' : SUPERSCRIPTS.charAt(Number(digit))));
}

/** 10⁷ for 7, 1 for 0. */
export function powerOfTen(exponent: number): string {
  return exponent === 0 ? '1' : `10${superscript(exponent)}`;
}

/** A number with a fixed count of decimals: −1 234.50 for (−1234.5, 2). A value that rounds to zero has no sign. */
export function fixed(value: number, decimals: number): string {
  return typeset(value.toFixed(decimals));
}

/** A whole number in groups of three: 1 000 000. */
export function group(value: number): string {
  return fixed(value, 0);
}

/** A tick or limit as short as it is exact to twelve digits: 0.5, 10 000, −1, 10⁻⁷. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return scientific(value, 12);
  return typeset(String(Number(value.toPrecision(12))));
}

/** Like {@link short}, with a plus before positive numbers: the limits of a signed colour bar. */
export function signed(value: number): string {
  return value > 0 ? `+${short(value)}` : short(value);
}

/** Six digits for readouts: 0.576189, 1 234.57, 2.70000 × 10⁻⁸ below 10⁻⁴ and from 10⁹ on. */
export function readout(value: number, digits = READOUT_DIGITS): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return special(value);
  if (size === 0) return '0';
  if (size < 1e-4 || size >= 1e9) return mantissa(value.toExponential(digits - 1));
  const exponent = Number(value.toExponential(digits - 1).split('e')[1]);
  return fixed(value, Math.max(0, digits - 1 - exponent));
}

/**
 * A size at a glance, for residuals and tolerances: 2.7 × 10⁻⁸, and 0.26 or 74 where no power of ten is needed.
 * Trailing zeros of the mantissa are kept up to `digits`, except that a bare power of ten is 10⁻⁷.
 */
export function scientific(value: number, digits = 2): string {
  if (!Number.isFinite(value)) return special(value);
  if (value === 0) return '0';
  const text = value.toExponential(digits - 1);
  const exponent = Number(text.split('e')[1]);
  if (exponent > -3 && exponent < 3) return fixed(Number(text), Math.max(0, digits - 1 - exponent));
  return mantissa(digits > READOUT_DIGITS ? Number(text).toExponential() : text);
}

/** Every digit that tells the float64 from its neighbours: 211.7494434276926. */
export function exact(value: number): string {
  const text = String(value);
  return text.includes('e') ? mantissa(text) : typeset(text);
}

/** Keeps a number on one line in HTML: word joiners beside its thin spaces, no-break spaces for its other ones. */
export function noBreak(text: string): string {
  return text.replaceAll(THIN_SPACE, `\u2060${THIN_SPACE}\u2060`).replaceAll(' ', '\u00a0');
}

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : `${MINUS}∞`;
}

/** 2.7e-8 to 2.7 × 10⁻⁸. */
function mantissa(text: string): string {
  const [digits = '', exponent = '0'] = text.split('e');
  const power = powerOfTen(Number(exponent));
  if (digits === '1') return power;
  if (digits === '-1') return MINUS + power;
  return `${typeset(digits)} × ${power}`;
}

/** A plain decimal with grouped whole digits and a true minus. */
function typeset(text: string): string {
  const negative = text.startsWith('-') && /[1-9]/.test(text);
  const [whole = '', ...fraction] = text.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
  return (negative ? MINUS : '') + [grouped, ...fraction].join('.');
}
