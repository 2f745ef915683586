/** What `train()` is told beside the configuration: where, how it is watched, and a user's own parts. */
import type { Method, RewardFunction, RolloutFilter, TaskSampler } from "../methods/index.ts";
import type { World } from "../spec/index.ts";
import type { MakeScaffold } from "./open/agent.ts";
import type { MakeEngine } from "./open/parts.ts";
import type { OnEvent } from "./run/events.ts";

/**
 * Parts of one's own. Where the configuration names modules instead, a continued run finds them by itself; what is passed
 * here must be passed again.
 */
export interface OwnParts {
  /** Takes the place of `config.method`, whose sections must be the same. */
  readonly method?: Method;
  readonly scaffold?: MakeScaffold;
  /** Reward terms by name, added to the outcome of every rollout. */
  readonly rewards?: Readonly<Record<string, RewardFunction>>;
  /** By name; a rollout that one of them leaves out is graded, and not learned from. */
  readonly filters?: Readonly<Record<string, RolloutFilter>>;
  readonly sampler?: TaskSampler;
  readonly engine?: MakeEngine;
  /** An opened world; it is closed with the run. */
  readonly world?: World;
}

/** Where a run is kept, and who listens to it. */
export interface TrainOptions extends OwnParts {
  /** The run directory: new, empty, or one of the same configuration. */
  readonly out: string;
  readonly onEvent?: OnEvent;
  /** A run whose warm start is taken over instead of made anew. It changes no number, so it is no part of the config. */
  readonly warmFrom?: string | undefined;
  /** Aborted: the run stops at the next step and can be continued. */
  readonly signal?: AbortSignal;
}
