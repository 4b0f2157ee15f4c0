/** The Chinese of the library's findings and notes, which the build converts; see traditional.ts. */
declare module 'virtual:traditional' {
  /** Simplified phrases that differ from the traditional ones beside them, longer ones first. */
  export const phrases: readonly (readonly [simplified: string, traditional: string])[];
}
