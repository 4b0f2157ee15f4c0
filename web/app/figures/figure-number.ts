import type { TaskName } from '../engine/protocol.js';

/** The number of a figure on the page, as its own element has it. */
export function figureNumber(task: TaskName): number {
  return document.querySelector<HTMLElement & { number: number }>(`${task}-figure`)?.number ?? 0;
}
