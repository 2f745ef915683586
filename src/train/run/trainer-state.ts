/**
 * What the training loop remembers between two steps: all of it is in `trainer.json`, and nothing else is needed, so a
 * continued run cannot tell that it was interrupted.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RolloutBuffer, RunningBaselines, TaskTable } from "../algo/index.ts";
import { BowlineError, messageOf, readJson } from "../core/index.ts";
import type { Engine, Scores } from "../spec/index.ts";
import { freshUsage, type RunUsage } from "./budget/index.ts";
import { recoverCheckpoint, saveCheckpoint } from "./checkpoint.ts";
import type { Config } from "./config.ts";
import type { RecentGroups } from "./mechanisms/memory.ts";
import type { TurnHeads } from "./mechanisms/turn-scores.ts";
import type { StoredPair } from "./pairs.ts";
import type { RunStore, StoreMark } from "./run-store.ts";
import type { MemoryStore } from "./shapes/memory/index.ts";
import type { StoredPrefix } from "./shapes/restart.ts";
import type { MixedShares } from "./task-sampling.ts";

export interface TrainerState {
  readonly version: 1;
  /** Optimizer steps of the warm start that are done; `warmDone` when there are no more. */
  warmSteps: number;
  warmDone: boolean;
  /** Demonstrations that were imitated. */
  demonstrations: number;
  /** Iterations of LOOP that are done. */
  iteration: number;
  /** Training rollouts so far. */
  rollouts: number;
  /** Empty until the evaluations after the warm start are done. */
  before: Scores;
  reward: { first: number; last: number };
  mixedShares: MixedShares;
  /** Preference pairs that are learned from again, newest first; absent where none are kept. */
  pairs?: readonly StoredPair[];
  /** What mechanisms beyond LOOP remember; absent where none does. */
  buffer?: RolloutBuffer;
  recent?: RecentGroups;
  running?: RunningBaselines;
  taskTable?: TaskTable;
  heads?: TurnHeads;
  /** Mean entropies of past iterations, oldest first. */
  entropies?: readonly number[];
  /** What episodes are remembered by; absent before there is any. */
  memory?: MemoryStore;
  /** Beginnings of rollouts that later ones may start from; absent where none are kept. */
  prefixes?: readonly StoredPrefix[];
  /** The time ceiling under which the run last worked; null: none. */
  minutes: number | null;
  /** Likewise of the ceiling on its cost. */
  ceiling?: number | null;
  /** Tokens of the work so far. */
  usage: RunUsage;
  /** Wall time of this run, interruptions left out, and of the evaluations before. */
  seconds: number;
  evaluationSeconds: number;
}

export function freshState(): TrainerState {
  return {
    version: 1,
    warmSteps: 0,
    warmDone: false,
    demonstrations: 0,
    iteration: 0,
    rollouts: 0,
    before: {},
    reward: { first: 0, last: 0 },
    mixedShares: {},
    minutes: null,
    ceiling: null,
    usage: freshUsage(),
    seconds: 0,
    evaluationSeconds: 0,
  };
}

/** Writes `checkpoints/latest` with the state and how much of the directory belongs to it. */
export async function saveState(
  store: RunStore,
  state: TrainerState,
  parts: {
    readonly engine: Engine;
    readonly tokenizer: string;
    readonly config: Config;
    readonly files?: Readonly<Record<string, string>> | undefined;
  },
): Promise<void> {
  const trainer = { state, mark: store.mark() };
  await saveCheckpoint(store.path("checkpoints", "latest"), { ...parts, trainer });
}

/** The ceilings of the newest checkpoint in `directory`, on minutes and on cost. */
export function lastCeilings(
  directory: string,
): Required<Pick<TrainerState, "minutes" | "ceiling">> {
  const stored = readJson(join(directory, "checkpoints", "latest", "trainer.json"));
  const { minutes, ceiling = null } = (stored as { state: TrainerState }).state;
  return { minutes, ceiling };
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
    // Checkpoints of earlier versions did not count tokens.
    state.usage ??= freshUsage();
    return { state, tokenizer };
  } catch (cause) {
    if (BowlineError.is(cause)) throw cause;
    throw new BowlineError("checkpoint", `cannot read ${latest}: ${messageOf(cause)}`, { cause });
  }
}
