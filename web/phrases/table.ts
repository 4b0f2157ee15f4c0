/** What a sentence of a table is made of: `kind` names the sentence, the rest are the numbers and names in it. */
export type FactsOf<Table> = {
  [Kind in keyof Table]: { readonly kind: Kind } & (Table[Kind] extends (facts: infer Facts) => string ? Facts : never);
}[keyof Table];

/** The sentence that a table has for some facts. */
export function say<Facts extends { readonly kind: string }>(
  table: Readonly<Record<Facts['kind'], (facts: never) => string>>,
  facts: Facts,
): string {
  const sentence = table[facts.kind as Facts['kind']] as (facts: Facts) => string;
  return sentence(facts);
}
