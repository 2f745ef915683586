/**
 * A run that is being trained, with its configuration, world, engine, state and directory. The phases around the loop
 * in `train.ts` are functions of this type. Each skips the work that the state says is done.
 */

import type { ImitationRow } from "../../agent/index.ts";
import type { Stopwatch } from "../../core/index.ts";
import type { Extensions, Iteration, Participants } from "../../methods/index.ts";
import type { Engine, TaskInfo, World } from "../../spec/index.ts";
import type { ConfigAndMethod } from "../config/stages.ts";
import type { Spending, TokenUsage } from "./budget/index.ts";
import { saveCheckpoint } from "./checkpoint.ts";
import type { OnEvent } from "./events.ts";
import type { ExceptionLog } from "./handler-exceptions.ts";
import type { Progress } from "./progress.ts";
import type { RunLock } from "./run-lock.ts";
import type { RunStore } from "./run-store.ts";
import { findMemory, saveState, type TrainerState } from "./trainer-state.ts";

/** Everything that the phases of a run work with. */
export interface TrainingRun extends ConfigAndMethod {
  readonly onEvent: OnEvent;
  readonly world: World;
  readonly store: RunStore;
  /** The lock of the run directory: no other process trains in it until the lock is released. */
  readonly lock: RunLock;
  readonly state: TrainerState;
  readonly watch: Stopwatch;
  readonly tasks: readonly TaskInfo[];
  /** The text of `tokenizer.json`. */
  readonly tokenizer: string;
  /** Files of the published model that training started from. Checkpoints keep them. Undefined for a new model. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly agent: Iteration["agent"];
  readonly rows: readonly ImitationRow[];
  readonly engine: Engine;
  readonly progress: Progress;
  /** The log of bugs of the world that rollouts run into. */
  readonly exceptions: ExceptionLog;
  /** True when the run continues from a checkpoint. */
  readonly resumed: boolean;
  /** The other participants of rollouts: a user, a planner or a judge. */
  readonly participants: Participants;
  /** Names of the parts that the caller passed to `train()`. */
  readonly given: readonly string[];
  /** The user's own reward terms, filters and sampler. */
  readonly extensions: Extensions;
  /** The tokens and money that the run has spent; undefined if tokens have no price. */
  readonly spending?: Spending | undefined;
  /** Returns the number of tokens that were evaluated and the number that were trained on since the previous call. */
  readonly takeLearned: () => Partial<TokenUsage>;
  /** Creates another engine of the same kind as the run's engine. */
  readonly createEngine: () => Promise<Engine>;
  /** When this signal is aborted, the run stops at the next step and can be continued. */
  readonly signal?: AbortSignal | undefined;
  /** Closes the engine and the world and releases the lock. */
  readonly close: () => Promise<void>;
}

/** Writes `checkpoints/latest`, from which a killed run continues. */
export async function saveRun(run: TrainingRun): Promise<void> {
  const { store, state, watch, lock } = run;
  lock.check();
  state.seconds = watch.seconds();
  await saveState(store, state, run);
  store.removeFinishedJournals();
}

/** Writes the current policy to `checkpoints/warm` or `checkpoints/final`. */
export async function savePolicy(run: TrainingRun, name: "warm" | "final"): Promise<void> {
  run.lock.check();
  const memory = findMemory(run.state);
  return saveCheckpoint(run.store.path("checkpoints", name), {
    ...run,
    state: memory ? { memory } : {},
  });
}
