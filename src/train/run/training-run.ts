/**
 * A run that is being trained: its configuration, world, engine, state and directory. Plain parts; the phases around
 * the loop of `train.ts` are functions of it, and each does nothing that is already in the state.
 */

import type { ImitationRow } from "../../agent/index.ts";
import type { Stopwatch } from "../../core/index.ts";
import type { Extensions, Iteration, Participants } from "../../methods/index.ts";
import type { Engine, TaskInfo, World } from "../../spec/index.ts";
import type { Phase } from "../config/stages.ts";
import type { Spending, TokenUsage } from "./budget/index.ts";
import { saveCheckpoint } from "./checkpoint.ts";
import type { OnEvent } from "./events.ts";
import type { ExceptionLog } from "./handler-exceptions.ts";
import type { Progress } from "./progress.ts";
import type { RunLock } from "./run-lock.ts";
import type { RunStore } from "./run-store.ts";
import { memoryOf, saveState, type TrainerState } from "./trainer-state.ts";

export interface TrainingRun extends Phase {
  readonly onEvent: OnEvent;
  readonly world: World;
  readonly store: RunStore;
  /** Nobody else trains in the store's directory until it is released. */
  readonly lock: RunLock;
  readonly state: TrainerState;
  readonly watch: Stopwatch;
  readonly tasks: readonly TaskInfo[];
  /** The text of `tokenizer.json`. */
  readonly tokenizer: string;
  /** Files of the model that training started from, kept in checkpoints; undefined: it started from scratch. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly agent: Iteration["agent"];
  readonly rows: readonly ImitationRow[];
  readonly engine: Engine;
  readonly progress: Progress;
  /** Bugs of the world that its rollouts meet. */
  readonly exceptions: ExceptionLog;
  /** True when the state is that of a checkpoint. */
  readonly resumed: boolean;
  /** Who takes part in rollouts beside the agent. */
  readonly participants: Participants;
  /** What `train()` was handed, by name. */
  readonly given: readonly string[];
  /** A user's own reward terms, filters and sampler. */
  readonly extensions: Extensions;
  /** Where tokens have a price. */
  readonly spending?: Spending | undefined;
  /** Tokens that were evaluated and trained on since it was last asked. */
  readonly takeLearned: () => Partial<TokenUsage>;
  /** Another engine of the same kind. */
  readonly createEngine: () => Promise<Engine>;
  /** When it is aborted, the run stops at the next step and can be continued. */
  readonly signal?: AbortSignal | undefined;
  /** Closes the engine and the world and releases the lock. */
  readonly close: () => Promise<void>;
}

/** Writes `checkpoints/latest`: from here a killed run goes on. */
export async function save(run: TrainingRun): Promise<void> {
  const { store, state, watch, lock } = run;
  lock.check();
  state.seconds = watch.seconds();
  await saveState(store, state, run);
  store.settleJournals();
}

/** Keeps the policy as it is now under a name of its own: `warm` or `final`. */
export async function keepPolicy(run: TrainingRun, name: "warm" | "final"): Promise<void> {
  run.lock.check();
  const memory = memoryOf(run.state);
  return saveCheckpoint(run.store.path("checkpoints", name), {
    ...run,
    state: memory ? { memory } : {},
  });
}
