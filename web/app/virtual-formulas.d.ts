declare module 'virtual:formulas' {
  export const mathml: Readonly<Record<import('./formulas.js').FormulaName, string>>;
  export const encodings: Readonly<
    Record<
      keyof typeof import('posenc').registry,
      Pick<import('posenc').EncodingEntry, 'functions' | 'source'> & {
        readonly title: Readonly<Record<import('./preferences.js').Language, string>>;
        readonly mathml: string;
      }
    >
  >;
}
