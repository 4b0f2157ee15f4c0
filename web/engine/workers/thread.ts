import type { Order, Port, Reply } from './protocol.js';

/** A running worker, as a pool sees it. */
export interface Thread extends Port<Order, Reply> {
  /** Calls back once if the worker dies before it is stopped. */
  onDeath(report: (reason: string) => void): void;
  /** Resolves when the worker has ended. */
  stop(): Promise<void>;
  /** Whether the process has to wait for this worker. */
  keepAlive(wanted: boolean): void;
}
