import type { Variant } from '../runtime/engine.js';
import { disposed, PosencError, refusal } from '../../common/errors.js';
import type { PartOptions } from './job.js';
import { memoryOf, type FunctionName, type PlainError, type Reply } from './protocol.js';
import type { Thread } from './thread.js';

/** One call that a worker is to make. */
export interface Task {
  readonly name: FunctionName;
  /** What the tasks of one job share, sent once to each worker that takes one of them. */
  readonly shared?: { readonly key: number; readonly options: object };
  options(): PartOptions;
  resolve(result: unknown): void;
  reject(reason: unknown): void;
}

interface Member {
  readonly thread: Thread;
  readonly keys: Set<number>;
  ready: boolean;
  task: Task | undefined;
}

/** A worker that does not start is tried again this often, counted with the first time. */
const START_ATTEMPTS = 3;

/**
 * Workers with an instance of the module each, and the tasks that wait for one of them. One that ends is replaced; where
 * none can be started, tasks fail, and those that come later try again.
 */
export class Crew {
  readonly #startThread: () => Thread;
  /** How many workers there should be. */
  readonly count: number;
  readonly #module: WebAssembly.Module;
  readonly #variant: Variant;
  readonly #members = new Set<Member>();
  readonly #waiting: Task[] = [];
  /** How many workers are being hired: members that are not ready, or about to be tried again. */
  #hiring = 0;
  #disposed = false;

  private constructor(startThread: () => Thread, count: number, module: WebAssembly.Module, variant: Variant) {
    this.#startThread = startThread;
    this.count = count;
    this.#module = module;
    this.#variant = variant;
  }

  /** Starts workers, and waits until each has loaded the module. */
  static async start(
    startThread: () => Thread,
    count: number,
    module: WebAssembly.Module,
    variant: Variant,
  ): Promise<Crew> {
    const crew = new Crew(startThread, count, module, variant);
    try {
      await Promise.all(Array.from({ length: count }, () => crew.#hire()));
      return crew;
    } catch (cause) {
      await crew.dispose();
      throw refusal('load-failed', { rule: { kind: 'worker-start', reason: reasonOf(cause) } }, cause);
    }
  }

  /** How many workers can work. */
  get size(): number {
    return [...this.#members].filter(({ ready }) => ready).length;
  }

  requireLive(): void {
    if (this.#disposed) throw disposed('pool', 'pool');
  }

  add(tasks: readonly Task[]): void {
    this.requireLive();
    for (const task of tasks) this.#waiting.push(task);
    this.#assign();
    this.#fillUp();
  }

  /** Takes back tasks: those that wait are dropped, and a worker that runs one is replaced. */
  cancel(tasks: readonly Task[]): void {
    const cancelled = new Set(tasks);
    this.#waiting.splice(0, Infinity, ...this.#waiting.filter((task) => !cancelled.has(task)));
    for (const member of [...this.#members]) {
      if (member.task !== undefined && cancelled.has(member.task)) this.#dismiss(member);
    }
    this.#fillUp();
  }

  /** Tells the workers to forget what the tasks of a job shared. */
  forget(key: number): void {
    for (const { thread, keys } of this.#members) {
      if (keys.delete(key)) thread.post({ kind: 'drop', key }, []);
    }
  }

  /** Resolves when all workers have ended. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    const error = disposed('pool', 'pool');
    for (const task of this.#waiting.splice(0)) task.reject(error);
    const members = [...this.#members];
    this.#members.clear();
    const ends = members.map(({ thread }) => thread.stop());
    for (const { task } of members) task?.reject(error);
    await Promise.all(ends);
  }

  /** Hires workers for those that are missing. */
  #fillUp(): void {
    if (this.#disposed) return;
    for (let missing = this.count - this.size - this.#hiring; missing > 0; --missing) {
      this.#hire().catch((cause: unknown) => {
        if (this.size + this.#hiring > 0) return;
        for (const task of this.#waiting.splice(0)) {
          task.reject(refusal('worker-failed', { rule: { kind: 'no-worker', reason: reasonOf(cause) } }));
        }
      });
    }
  }

  /** One more worker. Rejects where it did not start, however often that was tried. */
  async #hire(): Promise<void> {
    this.#hiring += 1;
    try {
      for (let attempt = 1; ; ++attempt) {
        try {
          return await this.#start();
        } catch (cause) {
          if (attempt === START_ATTEMPTS || this.#disposed) throw cause;
        }
      }
    } finally {
      this.#hiring -= 1;
    }
  }

  /** Starts a worker; the promise settles when it can work, or cannot. */
  #start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const thread = this.#startThread();
      const member: Member = { thread, keys: new Set(), ready: false, task: undefined };
      this.#members.add(member);
      thread.listen((reply) => {
        if (reply.kind === 'ready') {
          member.ready = true;
          thread.keepAlive(false);
          resolve();
          this.#assign();
        } else if (member.ready) this.#finish(member, reply);
        else if (reply.kind === 'error') {
          this.#dismiss(member);
          reject(fromPlain(reply.error));
        }
      });
      thread.onDeath((reason) => {
        this.#bury(member, reason);
        reject(new Error(reason));
      });
      thread.post({ kind: 'load', variant: this.#variant, module: this.#module }, []);
    });
  }

  #finish(member: Member, reply: Reply & { kind: 'result' | 'error' }): void {
    const { task } = member;
    member.task = undefined;
    member.thread.keepAlive(false);
    if (reply.kind === 'result') task?.resolve(reply.result);
    else task?.reject(fromPlain(reply.error));
    this.#assign();
  }

  /** A worker that died: its task fails, and another worker takes its place. */
  #bury(member: Member, reason: string): void {
    if (!this.#members.has(member)) return;
    this.#dismiss(member);
    if (member.ready) this.#fillUp(); // one that never worked is still being hired
    member.task?.reject(refusal('worker-failed', { rule: { kind: 'worker-died', reason } }));
  }

  #dismiss(member: Member): void {
    this.#members.delete(member);
    void member.thread.stop();
  }

  #assign(): void {
    for (const member of this.#members) {
      if (!member.ready || member.task !== undefined) continue;
      const task = this.#waiting.shift();
      if (task === undefined) return;
      this.#send(member, task);
    }
  }

  #send(member: Member, task: Task): void {
    const { thread, keys } = member;
    const { shared } = task;
    member.task = task;
    thread.keepAlive(true);
    try {
      if (shared !== undefined && !keys.has(shared.key)) {
        thread.post({ kind: 'keep', key: shared.key, options: shared.options }, []);
        keys.add(shared.key);
      }
      const { own, lent } = task.options();
      const call = { kind: 'call', name: task.name, kept: shared?.key, options: { ...lent, ...own } } as const;
      thread.post(call, memoryOf(own));
    } catch (error) {
      member.task = undefined;
      thread.keepAlive(false);
      task.reject(error);
      this.#assign();
    }
  }
}

function fromPlain({ code, message, ...details }: PlainError): Error {
  return code === undefined ? new Error(message) : new PosencError(code, message, details);
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
