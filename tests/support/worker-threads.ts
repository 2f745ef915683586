/**
 * Lists the worker threads that this process starts, so that a test can end one. Import this module before any other
 * that starts threads.
 */
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

export const startedThreads: threads.Worker[] = [];

const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(...args: ConstructorParameters<typeof Worker>) {
    super(...args);
    startedThreads.push(this);
  }
};
syncBuiltinESMExports();
