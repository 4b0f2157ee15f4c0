/** A function that gives its last answer again for as long as it is asked the same. */
export function remembered<Asked extends readonly unknown[], Answer>(
  work: (...asked: Asked) => Answer,
): (...asked: Asked) => Answer {
  let last: { readonly asked: Asked; readonly answer: Answer } | undefined;
  return (...asked) => {
    if (!last?.asked.every((value, at) => Object.is(value, asked[at]))) last = { asked, answer: work(...asked) };
    return last.answer;
  };
}
