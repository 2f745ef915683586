/**
 * The state of the training loop between two steps. All of it is in `trainer.json`, so a continued run computes the
 * same numbers as an uninterrupted one. It includes the state of the method, which the trainer stores without reading
 * it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { TaskTable } from "../../algo/index.ts";
import { BowlineError, errorMessage, readCheckedSource } from "../../core/index.ts";
import type { MemoryStore } from "../../methods/index.ts";
import {
  type Engine,
  type HandlerExceptions,
  handlerExceptionsSchema,
  type Scores,
  scoresSchema,
} from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { emptyUsage, type RunUsage } from "./budget/index.ts";
import { recoverCheckpoint, saveCheckpoint } from "./checkpoint.ts";
import type { RunStore, StoreMark } from "./run-store.ts";

/**
 * The share of groups whose returns differ, by task signature. It is an exponential average over iterations and begins
 * at 1.
 */
export type MixedShares = { readonly [signature: string]: number };

/** Statistics of tasks from earlier iterations. They decide how tasks are drawn. */
export interface TaskHistory {
  mixedShares: MixedShares;
  /** Averages for each task; absent if no part of the run reads them. */
  table?: TaskTable;
}

/** The state of the training loop. */
export interface TrainerState {
  readonly version: 2;
  /** The number of finished optimizer steps of the warm start. `warmDone` is true when all of them are finished. */
  warmSteps: number;
  warmDone: boolean;
  /**
   * The number of finished stages of a warm start that may be extended, and the loss of held-out demonstrations after the
   * last of them; absent without `warm.auto`.
   */
  warmStages?: { readonly finished: number; readonly heldOutLoss?: number };
  /** The number of demonstrations that were imitated. */
  demonstrations: number;
  /** The number of finished iterations of the method. */
  iteration: number;
  /** The number of training rollouts so far. */
  rollouts: number;
  /** The scores before training; empty until these evaluations, which follow the warm start, are finished. */
  before: Scores;
  reward: { first: number; last: number };
  tasks: TaskHistory;
  /** The state of the method, as plain data. */
  readonly method: object;
  /** The limit on minutes in the last process that trained this run; null if there was none. */
  minutes: number | null;
  /** The limit on cost in the last process that trained this run; null if there was none. */
  ceiling: number | null;
  /** The token counts of all work so far. */
  usage: RunUsage;
  /** The number of seconds that the run has taken, without interruptions. */
  seconds: number;
  /** The number of seconds of `seconds` that the evaluations before training took. */
  evaluationSeconds: number;
  /** Bugs of the world that rollouts and demonstrations ran into; absent while there are none. */
  handlerExceptions?: HandlerExceptions;
}

export function createTrainerState(): TrainerState {
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
    usage: emptyUsage(),
    seconds: 0,
    evaluationSeconds: 0,
  };
}

/** Returns the method's memory of earlier episodes; undefined if it has none. */
export function findMemory({ method }: Pick<TrainerState, "method">): MemoryStore | undefined {
  return "memory" in method ? (method.memory as MemoryStore) : undefined;
}

/** Writes `checkpoints/latest`, with the state and a mark that says which part of the directory belongs to it. */
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

const count = z.int().nonnegative();
const tokenUsage = z.looseObject({ prefill: count, cached: count, sampled: count, trained: count });
const phases = z.looseObject({
  warm: tokenUsage,
  before: tokenUsage,
  collect: tokenUsage,
  learn: tokenUsage,
  evaluate: tokenUsage,
});

/** What `trainer.json` has at least. The method checks its own state, and a later version may add fields. */
const STORED_TRAINER = z.looseObject({
  state: z.looseObject({
    version: z.literal(2),
    warmSteps: count,
    warmDone: z.boolean(),
    warmStages: z.looseObject({ finished: count, heldOutLoss: z.number().optional() }).optional(),
    demonstrations: count,
    iteration: count,
    rollouts: count,
    before: scoresSchema,
    reward: z.looseObject({ first: z.number(), last: z.number() }),
    tasks: z.looseObject({ mixedShares: z.record(z.string(), z.number()) }),
    method: z.looseObject({}),
    minutes: z.number().nullable(),
    ceiling: z.number().nullable(),
    usage: z.looseObject({
      phases,
      tasks: z.record(z.string(), tokenUsage.extend({ rollouts: count })),
    }),
    seconds: z.number(),
    evaluationSeconds: z.number(),
    handlerExceptions: handlerExceptionsSchema.optional(),
  }),
  mark: z.looseObject({
    metricsBytes: count,
    timingsBytes: count,
    // Files of these names are removed from the journal, so a name must not lead out of it.
    rolloutFiles: z.array(z.string().regex(/^[^\\/]+\.jsonl$/)),
  }),
});

interface StoredTrainer {
  readonly state: TrainerState;
  readonly mark: StoreMark;
}

function readStoredTrainer(checkpoint: string): StoredTrainer {
  // A continued run writes the fields in the order of the file, as an uninterrupted run does.
  return readCheckedSource(join(checkpoint, "trainer.json"), STORED_TRAINER) as StoredTrainer;
}

/** Reads the state of the newest checkpoint of the run in `directory`. */
export function readLatestState(directory: string): TrainerState {
  return readStoredTrainer(join(directory, "checkpoints", "latest")).state;
}

/** Cuts the run back to its newest checkpoint and returns the state of that checkpoint; undefined if there is none. */
export function restoreState(
  store: RunStore,
): { readonly state: TrainerState; readonly tokenizer: string } | undefined {
  const latest = store.path("checkpoints", "latest");
  if (!recoverCheckpoint(latest)) {
    store.rewind(undefined);
    return undefined;
  }
  try {
    const { state, mark } = readStoredTrainer(latest);
    const tokenizer = readFileSync(join(latest, "tokenizer.json"), "utf8");
    store.rewind(mark);
    return { state, tokenizer };
  } catch (cause) {
    if (BowlineError.is(cause)) throw cause;
    throw new BowlineError("checkpoint", `cannot read ${latest}: ${errorMessage(cause)}`, {
      cause,
    });
  }
}
