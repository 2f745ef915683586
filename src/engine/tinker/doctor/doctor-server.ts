/**
 * What the doctor may do to a server beyond what every probe does: repeat a number, choose the dialect, save and load, end a
 * model. Its answers come as they are.
 *
 * The client that trains refuses what it knows to be wrong and repairs what servers get wrong. The doctor needs neither: it
 * has to send the wrong thing and see the raw answer. A null log-prob is NaN, and nothing is checked, aligned or sent again.
 */
import type { Example, Outcome, PassOptions, PassResult, ProbedModel } from "../probes/index.ts";

export interface NumberedPass extends PassResult {
  readonly requestId: string;
}

export interface NumberedPassOptions extends PassOptions {
  /** The number of the request within its model; the next free one unless given. */
  readonly number?: number;
  readonly dialect?: Dialect;
}

export type Dialect = "json" | "proto";

export interface DoctorModel extends ProbedModel {
  /** The number that the next request will carry. */
  readonly nextNumber: number;
  forwardBackward(
    examples: readonly Example[],
    loss: string,
    options?: NumberedPassOptions,
  ): Promise<Outcome<NumberedPass>>;
  /** The path under which the weights and the optimizer are kept. */
  save(name: string): Promise<Outcome<string>>;
  load(path: string): Promise<Outcome<void>>;
  /** Deletes what was saved, where the server can. */
  deleteSaved(path: string): Promise<void>;
  unload(): Promise<Outcome<void>>;
}

export interface DoctorServer {
  readonly rank: number;
  createModel(): Promise<Outcome<DoctorModel>>;
  /** One request that costs the server nothing. */
  heartbeat(): Promise<Outcome<void>>;
}
