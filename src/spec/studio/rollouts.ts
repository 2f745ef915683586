/**
 * What the studio says of rollouts: the groups of a file, one group side by side, one rollout token by token.
 *
 *   GET /api/runs/{run}/files/{file}                                groupListSchema
 *   GET /api/runs/{run}/files/{file}/groups/{task}                  groupViewSchema
 *   GET /api/runs/{run}/files/{file}/rollouts/{rollout}             rolloutViewSchema
 *   GET /api/runs/{run}/files/{file}/rollouts/{rollout}/tokens      rolloutTokensViewSchema
 *   GET /api/runs/{run}/files/{file}/rollouts/{rollout}/replay      replayViewSchema (reads the world; may take a second)
 *   GET /api/runs/{run}/behaviour                                   behaviourViewSchema
 *
 * Ids of tasks (`train/0/1`) and rollouts (`3/7/2`) go into a path as one encoded segment each. A group, a rollout and its replay say
 * what tasks of test splits check only where they are asked with `?checks=1`.
 */
import { z } from "zod";
import { OUTCOMES, rolloutSchema, taskSchema } from "../rollout.ts";

/** A rollout in a list. */
export const rolloutRowSchema = z.object({
  id: z.string(),
  index: z.number().int(),
  outcome: z.enum(OUTCOMES),
  passed: z.boolean(),
  /** The fraction of checks, or what its owner paid; absent where it has no outcome. */
  reward: z.number().optional(),
  /** As it was learned from, where the sidecar or the group tells. */
  advantage: z.number().optional(),
  turns: z.number().int(),
  /** Sampled tokens. */
  sampled: z.number().int(),
  failure: z.string().optional(),
});
/** A rollout in a list. */
export type RolloutRow = Readonly<z.infer<typeof rolloutRowSchema>>;

/** A group in a list: a task with its rollouts. */
export const groupRowSchema = z.object({ task: taskSchema, rollouts: z.array(rolloutRowSchema) });
/** A group in a list. */
export type GroupRow = Readonly<z.infer<typeof groupRowSchema>>;

/** `total` counts groups; `?offset=0&limit=200` turns pages. */
export const groupListSchema = z.object({
  file: z.string(),
  total: z.number().int(),
  groups: z.array(groupRowSchema),
});
/** A page of a file's groups. */
export type GroupList = Readonly<z.infer<typeof groupListSchema>>;

/** Checks of the task are left out: its split may only be scored, and nobody asked (`?checks=1`). */
const hiddenSchema = z.boolean();

/** Whole rollouts without tokens. `differAt`: the first turn (from 0) in which not all do the same; null: all are equal. */
export const groupViewSchema = z.object({
  file: z.string(),
  task: taskSchema,
  rollouts: z.array(z.object({ row: rolloutRowSchema, rollout: rolloutSchema })),
  differAt: z.number().int().nullable(),
  hidden: hiddenSchema,
});
/** One group side by side. */
export type GroupView = Readonly<z.infer<typeof groupViewSchema>>;

/** One training row, a value a token. Columns that nothing recorded are null as a whole. */
export const tokenColumnsSchema = z.object({
  /** Who else the policy played in the episode, in a row of its own; absent: the agent. */
  role: z.string().optional(),
  ids: z.array(z.number()),
  /** Each token's text; a part of a character shows as the replacement character. Null: no tokenizer is there. */
  texts: z.array(z.string()).nullable(),
  mask: z.array(z.union([z.literal(0), z.literal(1)])),
  /** Sampler's log-prob where mask is 1. */
  sampled: z.array(z.number()),
  /** From the sidecar (a bounded sample of the rollouts that were learned from); null in places that are no action. */
  recorded: z
    .object({
      advantage: z.number(),
      /** Of each token, where the objective was given one for every token. */
      advantages: z.array(z.number().nullable()).optional(),
      /** Log-probs under the policy that learning began from, and at the last minibatch. */
      old: z.array(z.number().nullable()).nullable(),
      current: z.array(z.number().nullable()).nullable(),
      ratio: z.array(z.number().nullable()),
      /** 1 where the clip took the gradient away. */
      clipped: z.array(z.union([z.literal(0), z.literal(1)]).nullable()).nullable(),
      /** Nats. */
      entropy: z.array(z.number().nullable()).nullable(),
    })
    .nullable(),
});
/** One training row, a value a token. */
export type TokenColumns = Readonly<z.infer<typeof tokenColumnsSchema>>;

/** The tokens of one rollout: the linear row first. Empty where it has none. */
export const rolloutTokensViewSchema = z.object({ rows: z.array(tokenColumnsSchema) });
/** The tokens of one rollout. */
export type RolloutTokensView = Readonly<z.infer<typeof rolloutTokensViewSchema>>;

/** One rollout and its neighbours. */
export const rolloutViewSchema = z.object({
  file: z.string(),
  row: rolloutRowSchema,
  /** Its `tokens` and `segments` are left out: they are asked for apart. */
  rollout: rolloutSchema,
  hidden: hiddenSchema,
  /** Ids of the rollouts before and after it in its file, and of the others of its group. */
  previous: z.string().nullable(),
  next: z.string().nullable(),
  group: z.array(z.string()),
});
/** One rollout and its neighbours. */
export type RolloutView = Readonly<z.infer<typeof rolloutViewSchema>>;

const cellSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.union([z.string(), z.number()])),
]);
const rowSchema = z.record(z.string(), cellSchema);

/** One row that is not what it was. `content`: it counts for the checks; otherwise it is bookkeeping. */
export const changeSchema = z.object({
  table: z.string(),
  id: z.number(),
  kind: z.enum(["insert", "update", "remove"]),
  content: z.boolean(),
  /** Columns that count: all content of an inserted row, the changed content of an updated one. Absent: any column may. */
  columns: z.array(z.string()).optional(),
  before: rowSchema.optional(),
  after: rowSchema.optional(),
});
/** One row that is not what it was. */
export type Change = Readonly<z.infer<typeof changeSchema>>;

/** A call with what came back, and what it changed. */
export const callViewSchema = z.object({
  app: z.string(),
  api: z.string(),
  args: z.unknown(),
  status: z.number(),
  /** The value, or the message of an error. */
  answer: z.unknown(),
  changes: z.array(changeSchema),
});
/** A call, its answer and its changes. */
export type CallView = Readonly<z.infer<typeof callViewSchema>>;

/** The final state against the intended one. */
export const stateViewSchema = z.object({
  changes: z.array(changeSchema),
  /** Absent for tasks of test splits, unless asked for with `?checks=1`. */
  intended: z.array(changeSchema).optional(),
  /** What `finishTask` was to say, and what it said; absent with `intended`. */
  answer: z.object({ wanted: z.unknown(), given: z.unknown() }).optional(),
  checks: z
    .array(
      z.object({
        name: z.string(),
        label: z.enum(["progress", "guard"]),
        passed: z.boolean(),
        detail: z.string().optional(),
      }),
    )
    .optional(),
});
/** The final state against the intended one. */
export type StateView = Readonly<z.infer<typeof stateViewSchema>>;

/** A rollout done again in its world. `equal` is false where the world no longer does what the record says, from turn `at`. */
export const replayViewSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("replayed"),
    equal: z.boolean(),
    at: z.number().int().optional(),
    turns: z.array(z.object({ calls: z.array(callViewSchema) })),
    state: stateViewSchema,
  }),
  /** Why it cannot be: a world that is not there, a rollout that no world's cells made. */
  z.object({ kind: z.literal("impossible"), why: z.string() }),
]);
/** A rollout done again, or why not. */
export type ReplayView = Readonly<z.infer<typeof replayViewSchema>>;

/** A rollout by its address. */
export const rolloutAddressSchema = z.object({
  file: z.string(),
  rollout: z.string(),
  /** Where to look, from 0. */
  turn: z.number().int().optional(),
});

/** Habits before and after training, each with rollouts that show it. */
export const behaviourViewSchema = z.object({
  /** Evaluation that both columns are of, such as `test-normal` or `dev@T1`; empty before the first evaluation. */
  split: z.string(),
  splits: z.array(z.string()),
  habits: z.array(
    z.object({
      name: z.string(),
      meaning: z.string(),
      before: z.number().nullable(),
      after: z.number().nullable(),
      examplesBefore: z.array(rolloutAddressSchema),
      examplesAfter: z.array(rolloutAddressSchema),
    }),
  ),
  /** One task that failed before and passes after. */
  pair: z
    .object({ before: rolloutAddressSchema, after: rolloutAddressSchema, instruction: z.string() })
    .nullable(),
});
/** Habits of one run, before and after. */
export type BehaviourView = Readonly<z.infer<typeof behaviourViewSchema>>;
