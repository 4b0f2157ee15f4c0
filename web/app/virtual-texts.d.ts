/** The page's texts in one language with their keys, which the build collects; see text-modules.ts. */
declare module 'virtual:texts/*' {
  export const texts: readonly (readonly [key: string, text: unknown])[];
}
