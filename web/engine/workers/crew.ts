import type { Variant } from '../runtime/engine.js';
import { disposed, PosencError } from '../../common/errors.js';
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

/** Workers with an instance of the module each, and the tasks that wait for one of them. */
export class Crew {
  readonly #startThread: () => Thread;
  readonly #module: WebAssembly.Module;
  readonly #variant: Variant;
  readonly #members = new Set<Member>();
  readonly #waiting: Task[] = [];
  #disposed = false;

  private constructor(startThread: () => Thread, module: WebAssembly.Module, variant: Variant) {
    this.#startThread = startThread;
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
    const crew = new Crew(startThread, module, variant);
    try {
      await Promise.all(Array.from({ length: count }, () => crew.#hire()));
      return crew;
    } catch (cause) {
      await crew.dispose();
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new PosencError('load-failed', `a worker did not start: ${reason}`, { cause });
    }
  }

  get size(): number {
    return this.#members.size;
  }

  requireLive(): void {
    if (this.#disposed) throw disposed('pool', 'pool');
  }

  add(tasks: readonly Task[]): void {
    this.requireLive();
    this.#waiting.push(...tasks);
    this.#assign();
  }

  /** Takes back tasks: those that wait are dropped, and a worker that runs one is replaced. */
  cancel(tasks: readonly Task[]): void {
    const cancelled = new Set(tasks);
    this.#waiting.splice(0, Infinity, ...this.#waiting.filter((task) => !cancelled.has(task)));
    for (const member of [...this.#members]) {
      if (member.task !== undefined && cancelled.has(member.task)) this.#replace(member);
    }
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

  /** One more worker; the promise settles when it can work, or cannot. */
  #hire(): Promise<void> {
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
        else if (reply.kind === 'error') reject(fromPlain(reply.error));
      });
      thread.onDeath((reason) => {
        reject(new Error(reason));
        this.#bury(member, reason);
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
    const { task, ready } = member;
    // One that never worked is not replaced: its successor would fare no better.
    if (ready) this.#replace(member);
    else this.#members.delete(member);
    task?.reject(new PosencError('worker-failed', `a worker died: ${reason}`));
  }

  #replace(member: Member): void {
    this.#members.delete(member);
    void member.thread.stop();
    if (this.#disposed) return;
    this.#hire().catch((cause: unknown) => {
      if (this.#members.size > 0) return;
      const reason = cause instanceof Error ? cause.message : String(cause);
      for (const task of this.#waiting.splice(0)) {
        task.reject(new PosencError('worker-failed', `no worker is left: ${reason}`));
      }
    });
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
