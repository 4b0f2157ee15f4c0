import { describe, expect, test } from 'vitest';
import {
  exact,
  fixed,
  group,
  noBreak,
  powerOfTen,
  readout,
  scientific,
  short,
  signed,
  superscript,
} from '../../../web/app/plots/format.js';

const thin = '\u2009';
const minus = '\u2212';

describe('numbers on the page', () => {
  test('whole numbers are grouped by threes from four digits on', () => {
    expect(group(999)).toBe('999');
    expect(group(1000)).toBe(`1${thin}000`);
    expect(group(8638047)).toBe(`8${thin}638${thin}047`);
    expect(group(-169646)).toBe(`${minus}169${thin}646`);
  });

  test('a value that rounds to zero has no sign', () => {
    expect(fixed(-0.0000001, 6)).toBe('0.000000');
    expect(fixed(-0.5, 1)).toBe(`${minus}0.5`);
    expect(fixed(-0, 0)).toBe('0');
  });

  test('digits after the point are not grouped', () => {
    expect(fixed(1234.56789, 5)).toBe(`1${thin}234.56789`);
  });

  test('powers of ten are superscripts, and ten to the zero is one', () => {
    expect(superscript(-24)).toBe('⁻²⁴');
    expect(powerOfTen(7)).toBe('10⁷');
    expect(powerOfTen(0)).toBe('1');
  });

  test('readouts have six digits, whatever the size', () => {
    expect(readout(0.576189123)).toBe('0.576189');
    expect(readout(211.7494434276926)).toBe('211.749');
    expect(readout(59230.44)).toBe(`59${thin}230.4`);
    expect(readout(-2.7e-8)).toBe(`${minus}2.70000 × 10⁻⁸`);
    expect(readout(0.9999999)).toBe('1.00000');
    expect(readout(0)).toBe('0');
  });

  test('sizes at a glance carry two digits and a power of ten only where one is needed', () => {
    expect(scientific(2.7e-8)).toBe('2.7 × 10⁻⁸');
    expect(scientific(9.96e-5)).toBe('1.0 × 10⁻⁴');
    expect(scientific(0.2594)).toBe('0.26');
    expect(scientific(74.2)).toBe('74');
    expect(scientific(0)).toBe('0');
    expect(scientific(Number.NaN)).toBe('NaN');
    expect(scientific(-Infinity)).toBe(`${minus}∞`);
  });

  test('ticks and limits are short', () => {
    expect(short(0.1 + 0.2)).toBe('0.3');
    expect(short(10000)).toBe(`10${thin}000`);
    expect(short(1e-7)).toBe('10⁻⁷');
    expect(short(2.5e-7)).toBe('2.5 × 10⁻⁷');
    expect(signed(0.2)).toBe('+0.2');
    expect(signed(-1)).toBe(`${minus}1`);
    expect(signed(0)).toBe('0');
  });

  test('every digit of a float64 is shown on request', () => {
    expect(exact(211.7494434276926)).toBe('211.7494434276926');
    expect(exact(5.551115123125783e-17)).toBe('5.551115123125783 × 10⁻¹⁷');
  });

  test('in HTML a number cannot break', () => {
    expect(noBreak('2.7 × 10⁻⁸')).not.toMatch(/ /);
    expect(noBreak(`1${thin}000`)).toBe(`1\u2060${thin}\u2060000`);
  });
});
