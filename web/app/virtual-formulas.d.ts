declare module 'virtual:formulas' {
  export const mathml: Readonly<Record<import('./formulas.js').FormulaName, string>>;
}
