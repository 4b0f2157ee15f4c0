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

/** Resolves when no claim is being computed. */
export async function claimsSettled(): Promise<void> {
  while (tally().computing > 0) {
    await new Promise((resolve) => claims.addEventListener('change', resolve, { once: true }));
  }
}

/** How many claims are being computed, how many are judged, and how many of those hold. */
export function tally(): { computing: number; judged: number; holding: number } {
  const count = (...wanted: ClaimState[]): number =>
    [...states.values()].filter((state) => wanted.includes(state)).length;
  return { computing: count('computing'), judged: count('holds', 'fails'), holding: count('holds') };
}
