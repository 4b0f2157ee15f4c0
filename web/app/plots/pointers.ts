// Mouse, pen and fingers on a plot: what points at a place, what drags, and what two fingers do.

/** CSS pixels from the upper left corner of the plot. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export type Fingers = readonly [Place, Place];

/** What a plot does with pointers; it does nothing with those that it does not name. */
export interface PointerUses {
  /** A place is pointed at: by a mouse that hovers, by what is pressed and moves, or by a tap. */
  readonly onPoint?: ((at: Place) => void) | undefined;
  /** Whether a mouse points by hovering (the default) or by pressing, for a cursor that is a control's value. */
  readonly mouse?: 'hover' | 'press' | undefined;
  /** Something is pressed: answers with what its moves do, if there is something to be held. */
  readonly onHold?: (at: Place) => ((to: Place) => void) | undefined;
  /** Two fingers are down: answers with what their moves do. */
  readonly onPinch?: (fingers: Fingers) => (fingers: Fingers) => void;
  readonly onDoubleTap?: () => void;
}

/** How far a finger may slip in a tap, CSS pixels, and how soon a second tap follows, milliseconds. */
const SLACK = 10;
const DOUBLE = 300;

export function listenToPointers(element: HTMLElement, uses: PointerUses): void {
  const { onPoint, mouse = 'hover', onHold, onPinch, onDoubleTap } = uses;
  const fingers = new Map<number, Place>();
  /** Where the only finger came down, until it is more than a tap. */
  let tap: Place | undefined;
  let lastTap = -Infinity;
  let held: ((to: Place) => void) | undefined;
  let pinched: ((fingers: Fingers) => void) | undefined;
  /** From the second finger on to the last one that leaves, nothing is pointed at. */
  let isPinch = false;

  const placeOf = (event: PointerEvent): Place => ({ x: event.offsetX, y: event.offsetY });
  const hovers = (event: PointerEvent): boolean => event.pointerType === 'mouse' && mouse === 'hover';
  const both = (): Fingers | undefined => {
    const [first, second] = fingers.values();
    return first && second ? [first, second] : undefined;
  };
  const leave = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    held = undefined;
    pinched = undefined;
    if (fingers.size === 0) isPinch = false;
  };

  element.addEventListener('pointerdown', (event) => {
    held = onHold?.(placeOf(event));
    if (held) {
      element.setPointerCapture(event.pointerId);
      return held(placeOf(event));
    }
    if (event.pointerType !== 'touch') return;
    fingers.set(event.pointerId, placeOf(event));
    tap = fingers.size === 1 ? placeOf(event) : undefined;
    const pair = both();
    if (!pair || fingers.size > 2) return;
    isPinch = true;
    pinched = onPinch?.(pair);
  });
  element.addEventListener('pointermove', (event) => {
    const at = placeOf(event);
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, at);
    if (tap && fingers.size > 0 && Math.hypot(at.x - tap.x, at.y - tap.y) > SLACK) tap = undefined;
    if (held) return held(at);
    if (isPinch) return pinched?.(both()!);
    if (event.buttons !== 0 || hovers(event)) onPoint?.(at);
  });
  element.addEventListener('pointerup', (event) => {
    const isTap = tap !== undefined && fingers.has(event.pointerId);
    const points = event.pointerType === 'touch' ? isTap : !held && !hovers(event);
    const isSecond = isTap && event.timeStamp - lastTap < DOUBLE;
    if (isTap) lastTap = isSecond ? -Infinity : event.timeStamp;
    tap = undefined;
    leave(event);
    if (isSecond && onDoubleTap) onDoubleTap();
    else if (points) onPoint?.(placeOf(event));
  });
  element.addEventListener('pointercancel', (event) => {
    tap = undefined;
    leave(event);
  });
}
