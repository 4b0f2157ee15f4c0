/** A function that computes once for each argument and keeps the answer for as long as the argument lives. */
export function kept<Argument extends object, Answer>(compute: (argument: Argument) => Answer): typeof compute {
  const answers = new WeakMap<Argument, { readonly answer: Answer }>();
  return (argument) => {
    let known = answers.get(argument);
    if (!known) answers.set(argument, (known = { answer: compute(argument) }));
    return known.answer;
  };
}
