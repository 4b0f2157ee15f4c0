import type {
  EngineError,
  Question,
  Report,
  TaskName,
  TaskPartial,
  TaskReport,
  TaskRequest,
  TaskResult,
} from './protocol.js';
import { startWorker } from './start-worker.js';

export type EngineState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly variant: string }
  | { readonly kind: 'unavailable'; readonly error: EngineError };

/** What a figure does with the answer to its newest question. Answers to older ones are dropped. */
export interface Listener<Name extends TaskName> {
  readonly answered: (result: TaskResult<Name>, milliseconds: number) => void;
  readonly failed: (error: EngineError) => void;
  readonly progressed?: (share: number, partial: TaskPartial<Name> | undefined) => void;
}

/** The page's side of the worker in which everything is computed. */
class EngineClient extends EventTarget {
  #state: EngineState = { kind: 'loading' };
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #newest = new Map<TaskName, { readonly id: number; readonly hear: (report: TaskReport) => void }>();

  /** Changes are announced by a `state` event. */
  get state(): EngineState {
    return this.#state;
  }

  /** Starts the worker. Questions asked before it is ready wait there. */
  start(): void {
    this.#worker = startWorker();
    this.#worker.onmessage = ({ data }: MessageEvent<Report>) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#enter({ kind: 'unavailable', error: { message: event.message || 'the worker did not start' } });
    };
  }

  /** Asks a task. The newest question of a task wins: an older one is abandoned, and its answer never arrives. */
  ask<Name extends TaskName>(task: Name, request: TaskRequest<Name>, listener: Listener<Name>): void {
    const id = ++this.#lastId;
    const hear = (report: TaskReport): void => {
      if (report.kind === 'progress') {
        listener.progressed?.(report.share, report.partial as TaskPartial<Name> | undefined);
      } else if (report.kind === 'answer') listener.answered(report.result as TaskResult<Name>, report.milliseconds);
      else listener.failed(report.error);
    };
    this.#newest.set(task, { id, hear });
    this.#worker?.postMessage({ id, task, request } satisfies Question);
  }

  #receive(report: Report): void {
    if (report.kind === 'ready') return this.#enter({ kind: 'ready', variant: report.variant });
    if (report.kind === 'unavailable') return this.#enter({ kind: 'unavailable', error: report.error });
    const newest = this.#newest.get(report.task);
    if (newest?.id === report.id) newest.hear(report);
  }

  #enter(state: EngineState): void {
    this.#state = state;
    this.dispatchEvent(new Event('state'));
  }
}

export const engine = new EngineClient();
