/// <reference lib="webworker" />
import { type Encodings, PosencError, load } from 'posenc';
import { tasks } from '../figures/tasks.js';
import type { EngineError, Question, Report, TaskName } from './protocol.js';
import type { Progress, Task } from './task.js';

declare const self: DedicatedWorkerGlobalScope;

/** A task under way: its next slice is due. */
interface Running {
  readonly question: Question;
  readonly slices: Generator<Progress<unknown>, unknown>;
  milliseconds: number;
}

// One question per task: a newer one takes the place of an older one, whether that was waiting or running.
const waiting = new Map<TaskName, Question>();
const running = new Map<TaskName, Running>();
let encodings: Encodings | undefined;

// Timers are delayed to 4 ms after a few rounds; a message to oneself is not, and lets new questions in between.
const turn = new MessageChannel();
let turnIsDue = false;
turn.port1.onmessage = () => {
  turnIsDue = false;
  workOnce();
};

self.onmessage = ({ data }: MessageEvent<Question>) => {
  running.get(data.task)?.slices.return(undefined);
  running.delete(data.task);
  waiting.set(data.task, data);
  scheduleTurn();
};

load().then(
  (loaded) => {
    encodings = loaded;
    report({ kind: 'ready', variant: loaded.variant });
    scheduleTurn();
  },
  (error: unknown) => report({ kind: 'unavailable', error: describe(error) }),
);

function scheduleTurn(): void {
  if (turnIsDue || !encodings || waiting.size + running.size === 0) return;
  turnIsDue = true;
  turn.port2.postMessage(undefined);
}

/** Runs one short task or one slice of a long one. New questions go first; long tasks take turns. */
function workOnce(): void {
  const next = first(waiting);
  if (next) {
    waiting.delete(next.task);
    start(next);
  } else {
    const long = first(running);
    if (long) {
      running.delete(long.question.task);
      runSlice(long);
    }
  }
  scheduleTurn();
}

function start(question: Question): void {
  const task = tasks[question.task] as unknown as Task<unknown, unknown, unknown>;
  attempt(question, () => {
    const began = performance.now();
    const outcome = task(encodings!, question.request);
    if (isGenerator(outcome)) {
      runSlice({ question, slices: outcome, milliseconds: 0 });
      return;
    }
    const answerWith = (result: unknown): void => answer(question, result, performance.now() - began);
    if (outcome instanceof Promise) outcome.then(answerWith, (error: unknown) => fail(question, error));
    else answerWith(outcome);
  });
}

function runSlice(work: Running): void {
  attempt(work.question, () => {
    const began = performance.now();
    const { done, value } = work.slices.next();
    work.milliseconds += performance.now() - began;
    if (done) {
      answer(work.question, value, work.milliseconds);
      return;
    }
    const { id, task } = work.question;
    report({ kind: 'progress', id, task, share: value.share, partial: value.partial });
    running.set(task, work); // at the end of the line
  });
}

function attempt(question: Question, work: () => void): void {
  try {
    work();
  } catch (error) {
    fail(question, error);
  }
}

function fail({ id, task }: Question, error: unknown): void {
  report({ kind: 'error', id, task, error: describe(error) });
}

function answer({ id, task }: Question, result: unknown, milliseconds: number): void {
  report({ kind: 'answer', id, task, result, milliseconds }, buffersOf(result));
}

function report(message: Report, transfer: Transferable[] = []): void {
  self.postMessage(message, transfer);
}

function first<T>(map: Map<TaskName, T>): T | undefined {
  return map.values().next().value;
}

function isGenerator(value: unknown): value is Generator<Progress<unknown>, unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'return' in value;
}

/** The buffers of a result's arrays, to be handed over instead of copied. */
function buffersOf(result: unknown): ArrayBuffer[] {
  if (typeof result !== 'object' || result === null) return [];
  const buffers = new Set<ArrayBuffer>();
  for (const value of Object.values(result)) {
    if (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
  }
  return [...buffers];
}

function describe(error: unknown): EngineError {
  if (error instanceof PosencError) {
    const { name: _, got: __, ...facts } = error;
    return { ...facts, message: error.message };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}
