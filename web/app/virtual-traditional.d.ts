/** The Chinese of the library's findings and notes, which the build converts; see traditional.ts. */
declare module 'virtual:traditional' {
  /** Simplified phrases that differ from the traditional ones beside them, longer ones first. */
  export const phrases: readonly (readonly [simplified: string, traditional: string])[];
}

/** The texts of the page's modules in traditional Chinese; see traditional.ts. */
declare module 'virtual:traditional-texts' {
  export const texts: readonly (readonly [key: string, text: unknown])[];
}
