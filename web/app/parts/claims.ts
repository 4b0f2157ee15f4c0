import type { TaskName } from '../engine/protocol.js';
import type { ClaimState } from './proof-line.js';

/** The state of every figure's claim, for the contents and the footer. */
const states = new Map<TaskName, ClaimState>();

export const claims = new EventTarget();

/** Records a claim's state; a change is announced by a `change` event. */
export function settle(figure: TaskName, state: ClaimState): void {
  if (states.get(figure) === state) return;
  states.set(figure, state);
  claims.dispatchEvent(new Event('change'));
}

export function claimState(figure: TaskName): ClaimState {
  return states.get(figure) ?? 'computing';
}

/** How many claims are judged at the moment, and how many of those hold. */
export function tally(): { settled: number; holding: number } {
  const judged = [...states.values()].filter((state) => state === 'holds' || state === 'fails');
  return { settled: judged.length, holding: judged.filter((state) => state === 'holds').length };
}
