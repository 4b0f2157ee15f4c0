import type { ErrorFacts } from 'posenc';
import type { tasks } from '../figures/tasks.js';
import type { PartialOf, RequestOf, ResultOf } from './task.js';

export type TaskName = keyof typeof tasks;
export type TaskRequest<Name extends TaskName> = RequestOf<(typeof tasks)[Name]>;
export type TaskResult<Name extends TaskName> = ResultOf<(typeof tasks)[Name]>;
export type TaskPartial<Name extends TaskName> = PartialOf<(typeof tasks)[Name]>;

/** Page to worker: the newest question of a figure. `id` grows, so that an answer to an older one can be told. */
export interface Question {
  readonly id: number;
  readonly task: TaskName;
  readonly request: unknown;
}

/** An error on its way to the page; a PosencError keeps what is wrong as data, without the value. */
export type EngineError = Omit<ErrorFacts, 'got'> & { readonly code?: string };

/** Worker to page, about a question. */
export type TaskReport = { readonly id: number; readonly task: TaskName } & (
  | { readonly kind: 'progress'; readonly share: number; readonly partial: unknown }
  | { readonly kind: 'answer'; readonly result: unknown; readonly milliseconds: number }
  | { readonly kind: 'error'; readonly error: EngineError }
);

/** Worker to page. */
export type Report =
  | { readonly kind: 'ready'; readonly variant: string }
  | { readonly kind: 'unavailable'; readonly error: EngineError }
  | TaskReport;
