/**
 * What the training loop remembers between two steps: all of it is in `trainer.json`, and nothing else is needed, so a
 * continued run cannot tell that it was interrupted. What the method remembers is its own; the trainer only keeps it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskTable } from "../../algo/index.ts";
import { BowlineError, errorMessage, readJson } from "../../core/index.ts";
import type { MemoryStore } from "../../methods/index.ts";
import type { Engine, HandlerExceptions, Scores } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { freshUsage, type RunUsage } from "./budget/index.ts";
import { recoverCheckpoint, saveCheckpoint } from "./checkpoint.ts";
import type { RunStore, StoreMark } from "./run-store.ts";

/** The share of groups with different returns, by signature: an exponential average over iterations, 1 at first. */
export type MixedShares = { readonly [signature: string]: number };

/** What is known of tasks from the iterations so far. */
export interface TaskHistory {
  mixedShares: MixedShares;
  /** Averages of single tasks; absent where nothing asks for them. */
  table?: TaskTable;
}

export interface TrainerState {
  readonly version: 2;
  /** Optimizer steps of the warm start that are done; `warmDone` when there are no more. */
  warmSteps: number;
  warmDone: boolean;
  /** Demonstrations that were imitated. */
  demonstrations: number;
  /** Iterations of the method that are done. */
  iteration: number;
  /** Training rollouts so far. */
  rollouts: number;
  /** Empty until the evaluations after the warm start are done. */
  before: Scores;
  reward: { first: number; last: number };
  /** What is known of tasks, for drawing them. */
  tasks: TaskHistory;
  /** The method's own; plain data. */
  readonly method: object;
  /** The time ceiling under which the run last worked; null: none. */
  minutes: number | null;
  /** Likewise of the ceiling on its cost. */
  ceiling: number | null;
  /** Tokens of the work so far. */
  usage: RunUsage;
  /** Wall time of this run, interruptions left out, and of the evaluations before. */
  seconds: number;
  evaluationSeconds: number;
  /** Bugs of the world that its rollouts and demonstrations met; absent while there are none. */
  handlerExceptions?: HandlerExceptions;
}

export function freshState(): TrainerState {
  return {
    version: 2,
    warmSteps: 0,
    warmDone: false,
    demonstrations: 0,
    iteration: 0,
    rollouts: 0,
    before: {},
    reward: { first: 0, last: 0 },
    tasks: { mixedShares: {} },
    method: {},
    minutes: null,
    ceiling: null,
    usage: freshUsage(),
    seconds: 0,
    evaluationSeconds: 0,
  };
}

/** What rollouts are shown of earlier episodes, where the method remembers any. */
export function memoryOf({ method }: Pick<TrainerState, "method">): MemoryStore | undefined {
  return "memory" in method ? (method.memory as MemoryStore) : undefined;
}

/** Writes `checkpoints/latest` with the state and how much of the directory belongs to it. */
export async function saveState(
  store: RunStore,
  state: TrainerState,
  content: {
    readonly engine: Engine;
    readonly tokenizer: string;
    readonly config: Config;
    readonly files?: Readonly<Record<string, string>> | undefined;
  },
): Promise<void> {
  const trainer = { state, mark: store.mark() };
  await saveCheckpoint(store.path("checkpoints", "latest"), { ...content, trainer });
}

/** The state of the newest checkpoint of the run in `directory`. */
export function lastState(directory: string): TrainerState {
  const stored = readJson(join(directory, "checkpoints", "latest", "trainer.json"));
  return (stored as { state: TrainerState }).state;
}

/** Cuts the run back to its newest checkpoint. Undefined: it has none, and the directory is that of a new run. */
export function restoreState(
  store: RunStore,
): { readonly state: TrainerState; readonly tokenizer: string } | undefined {
  const latest = store.path("checkpoints", "latest");
  if (!recoverCheckpoint(latest)) {
    store.rewind(undefined);
    return undefined;
  }
  try {
    const stored = readJson(store.path("checkpoints", "latest", "trainer.json"));
    const { state, mark } = stored as { state: TrainerState; mark: StoreMark };
    const tokenizer = readFileSync(store.path("checkpoints", "latest", "tokenizer.json"), "utf8");
    store.rewind(mark);
    return { state, tokenizer };
  } catch (cause) {
    if (BowlineError.is(cause)) throw cause;
    throw new BowlineError("checkpoint", `cannot read ${latest}: ${errorMessage(cause)}`, {
      cause,
    });
  }
}
