// Where keys lead, the same in every plot.

/** Steps to the right and down; as many as there are to the ends of a row. */
export interface Move {
  readonly right: number;
  readonly down: number;
}

const PAGE_STEP = 10;

/** The keys of a plot whose cursor moves along one axis, and of one with rows and columns. */
export const ROW_KEYS: readonly string[] = ['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'];
export const GRID_KEYS: readonly string[] = [...ROW_KEYS, 'ArrowUp', 'ArrowDown'];

/** What a key asks for; undefined for other keys, and for what belongs to the browser. */
export function moveOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): Move | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const step = shiftKey ? PAGE_STEP : 1;
  const moves: Readonly<Record<string, Move>> = {
    ArrowLeft: { right: -step, down: 0 },
    ArrowRight: { right: step, down: 0 },
    ArrowUp: { right: 0, down: -step },
    ArrowDown: { right: 0, down: step },
    PageUp: { right: 0, down: -PAGE_STEP },
    PageDown: { right: 0, down: PAGE_STEP },
    Home: { right: -Infinity, down: 0 },
    End: { right: Infinity, down: 0 },
  };
  return moves[key];
}

/** The place `by` steps after another among `count`, or the end of them on the way there. */
export function moved(from: number, by: number, count: number): number {
  return Math.max(0, Math.min(count - 1, from + by));
}
