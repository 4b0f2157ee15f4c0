declare module 'virtual:formulas' {
  export const mathml: Readonly<Record<import('./formulas.js').FormulaName, string>>;
  export const encodings: readonly (Pick<import('posenc').EncodingEntry, 'title' | 'functions' | 'source'> & {
    readonly mathml: string;
  })[];
}
