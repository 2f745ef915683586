/** The parts of the server that handle requests. */
import type { Backend } from "./backend.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { Futures } from "./futures.ts";
import type { Models } from "./models.ts";
import type { Samplers } from "./samplers.ts";
import type { Sessions } from "./sessions.ts";
import type { Training } from "./training.ts";

export interface Service {
  readonly backend: Backend;
  readonly sessions: Sessions;
  readonly models: Models;
  readonly training: Training;
  readonly samplers: Samplers;
  readonly checkpoints: Checkpoints;
  readonly futures: Futures;
  /** How long `retrieve_future` is held open. */
  readonly pollMs: number;
}
