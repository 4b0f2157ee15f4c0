declare module 'virtual:library-phrases' {
  /** Longer phrases first. */
  export const phrases: readonly (readonly [simplified: string, traditional: string])[];
}
