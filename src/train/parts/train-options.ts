/** What `train()` is told beside the configuration: where, how it is watched, and a user's own parts. */
import { requireKnownFields, requireNonEmptyText } from "../../core/index.ts";
import type { Method, RewardFunction, RolloutFilter, TaskSampler } from "../../methods/index.ts";
import type { World } from "../../spec/index.ts";
import type { OnEvent } from "../run/events.ts";
import type { MakeScaffold } from "./agent.ts";
import type { MakeEngine } from "./makers.ts";
import type { OwnAgent } from "./own-agent.ts";

/**
 * Parts of one's own. Where the configuration names modules instead, a continued run finds them by itself; what is passed
 * here must be passed again, and `run.json` says what that was.
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
  /** Plays in the place of a scaffold, which `scaffold.name` "agent" says; `trainAgent()` makes it. */
  readonly agent?: OwnAgent;
}

/** Where a run goes, who listens, and parts of the caller's own. */
export interface TrainOptions extends OwnParts {
  /** The run directory: new, empty, or one of the same configuration. */
  readonly out: string;
  readonly onEvent?: OnEvent;
  /** A run whose warm start is taken over instead of made anew. It changes no number, so it is no part of the config. */
  readonly warmFrom?: string | undefined;
  /** Aborted: the run stops at the next step and can be continued. */
  readonly signal?: AbortSignal;
}

const NAMES = [
  "out",
  "onEvent",
  "warmFrom",
  "signal",
  "method",
  "scaffold",
  "rewards",
  "filters",
  "sampler",
  "engine",
  "world",
  "agent",
] as const satisfies (keyof TrainOptions)[];

/** Throws a `config` error when there is no run directory, or an option that there is not. */
export function requireTrainOptions(options: TrainOptions): void {
  requireKnownFields("the options of train()", options, NAMES);
  requireNonEmptyText("out", options.out, "the path of a run directory");
}

/** What was handed over, by name. The method is not among them: the configuration has its name. */
export function partsGiven(own: OwnParts): readonly string[] {
  const { rewards = {}, filters = {} } = own;
  return [
    ...(["scaffold", "sampler", "engine", "world", "agent"] as const).filter((name) => own[name]),
    ...Object.keys(rewards).map((name) => `rewards.${name}`),
    ...Object.keys(filters).map((name) => `filters.${name}`),
  ].sort();
}
