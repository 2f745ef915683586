/**
 * The server and model as the doctor uses them. Beyond what every probe can do, the doctor can repeat a number, choose
 * the dialect, save and load, and unload a model.
 *
 * The client that trains refuses wrong requests and repairs known faults of servers. The doctor must send wrong
 * requests and see the raw answers, so nothing is checked, aligned or sent again here. A null log-prob becomes NaN.
 */
import type { Example, Outcome, PassOptions, PassResult, ProbedModel } from "../probes/index.ts";

export interface NumberedPass extends PassResult {
  readonly requestId: string;
}

export interface NumberedPassOptions extends PassOptions {
  /** The number of the request within its model; by default the next free number. */
  readonly number?: number;
  readonly dialect?: Dialect;
}

export type Dialect = "json" | "proto";

export interface DoctorModel extends ProbedModel {
  /** The number that the next request will get. */
  readonly nextNumber: number;
  forwardBackward(
    examples: readonly Example[],
    loss: string,
    options?: NumberedPassOptions,
  ): Promise<Outcome<NumberedPass>>;
  /** Saves weights and optimizer and returns their path on the server. */
  save(name: string): Promise<Outcome<string>>;
  load(path: string): Promise<Outcome<void>>;
  /** Deletes saved weights, if the server supports it. */
  deleteSaved(path: string): Promise<void>;
  unload(): Promise<Outcome<void>>;
}

export interface DoctorServer {
  readonly rank: number;
  createModel(): Promise<Outcome<DoctorModel>>;
  /** Sends a heartbeat, a request that costs the server nothing. */
  heartbeat(): Promise<Outcome<void>>;
}
