import { LightElement } from './light-element.js';

/** A refusal repeats at most this many characters of what was typed. */
const MOST_REPEATED = 40;

/** What was typed, as a refusal repeats it: a long text ends in an ellipsis. */
export function repeated(typed: string, most = MOST_REPEATED): string {
  if (typed.length <= most) return typed;
  const letters = [...typed.slice(0, 2 * most + 2)]; // a letter takes two units at most
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : typed;
}

/**
 * A control that a reader types into. Text that breaks its rule stays in the field with the reason under it and is not
 * passed on, until it is corrected or a value comes from outside.
 */
export abstract class RefusingField<Value> extends LightElement {
  static override properties = {
    label: {},
    value: {},
    onValue: { attribute: false },
    refusal: { state: true },
    typed: { state: true },
  };
  declare label: string;
  declare value: Value;
  declare onValue: (value: Value) => void;
  declare protected refusal: string | undefined;
  declare protected typed: string | undefined;

  protected override willUpdate(changed: Map<string, unknown>): void {
    // A value set from outside (Reset, a preset) takes the place of what was typed.
    if (changed.has('value') && changed.get('value') !== this.value) this.clear();
  }

  /** Keeps a text that is being typed while the figure around it renders. */
  protected keep = (event: Event): void => {
    this.typed = (event.target as HTMLInputElement).value;
  };

  /** Forgets a text that was typed or refused. */
  clear(): void {
    this.refusal = undefined;
    this.typed = undefined;
  }

  protected refuse(typed: string, reason: string): void {
    this.typed = typed;
    this.refusal = reason;
  }

  protected accept(value: Value): void {
    this.clear();
    if (value !== this.value) this.onValue(value);
  }
}
