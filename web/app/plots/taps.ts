/** How far a finger may slip in a tap, CSS pixels, and how soon a second tap follows, milliseconds. */
const SLACK = 10;
const DOUBLE = 300;

/** Tells taps of one finger from drags and pinches, and a second tap from a first. */
export class Taps {
  #down: { readonly id: number; readonly x: number; readonly y: number } | undefined;
  #last = -Infinity;

  /** A finger is down, as one of `count`. */
  down(event: PointerEvent, count: number): void {
    this.#down = count === 1 ? { id: event.pointerId, x: event.clientX, y: event.clientY } : undefined;
  }

  moved({ clientX, clientY }: PointerEvent): void {
    if (this.#down && Math.hypot(clientX - this.#down.x, clientY - this.#down.y) > SLACK) this.#down = undefined;
  }

  /** What a finger that is up, or lost, has done. */
  up(event: PointerEvent): 'tap' | 'double' | undefined {
    const tapped = this.#down?.id === event.pointerId && event.type === 'pointerup';
    this.#down = undefined;
    if (!tapped) return undefined;
    const isSecond = event.timeStamp - this.#last < DOUBLE;
    this.#last = isSecond ? -Infinity : event.timeStamp;
    return isSecond ? 'double' : 'tap';
  }
}
