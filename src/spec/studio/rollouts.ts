/**
 * The studio's API for rollouts: the groups of a file, one group side by side, one rollout token by token.
 *
 *   GET /api/runs/{run}/files/{file}                                groupListSchema
 *   GET /api/runs/{run}/files/{file}/groups/{task}                  groupViewSchema
 *   GET /api/runs/{run}/files/{file}/rollouts/{rollout}             rolloutViewSchema
 *   GET /api/runs/{run}/files/{file}/rollouts/{rollout}/tokens      rolloutTokensViewSchema
 *   GET /api/runs/{run}/files/{file}/rollouts/{rollout}/replay      replayViewSchema (opens the world)
 *   GET /api/runs/{run}/behaviour                                   behaviourViewSchema
 *
 * The ids of tasks (`train/0/1`) and rollouts (`3/7/2`) are one encoded segment of a path each. For tasks of test
 * splits, a group, a rollout or a replay contains the checks only if the request has `?checks=1`.
 */
import { z } from "zod";
import { OUTCOMES, rolloutSchema, taskSchema } from "../rollout.ts";

/** A rollout in a list. */
export const rolloutRowSchema = z.object({
  id: z.string(),
  index: z.number().int(),
  outcome: z.enum(OUTCOMES),
  passed: z.boolean(),
  /**
   * The reward by the rule of the run (`algo.reward`, `algo.unfinished`). It is absent without an evaluation, as for a
   * rollout that was cancelled or failed.
   */
  reward: z.number().optional(),
  /** The return that it was learned from, if that is not the reward and the notes contain it. */
  return: z.number().optional(),
  /** The advantage with which it was learned from, if the notes or the group contain it. */
  advantage: z.number().optional(),
  turns: z.number().int(),
  /** The number of sampled tokens. */
  sampled: z.number().int(),
  failure: z.string().optional(),
});
/** A rollout in a list. */
export type RolloutRow = Readonly<z.infer<typeof rolloutRowSchema>>;

/** A group in a list, which is a task and its rollouts. */
export const groupRowSchema = z.object({
  task: taskSchema,
  rollouts: z.array(rolloutRowSchema),
  /** How many rollouts have an evaluation, and how many of these passed. */
  size: z.number().int(),
  passed: z.number().int(),
});
/** A group in a list, which is a task and its rollouts. */
export type GroupRow = Readonly<z.infer<typeof groupRowSchema>>;

/** A page of a file's groups. `total` is the number of groups; `?offset=0&limit=200` selects the page. */
export const groupListSchema = z.object({
  file: z.string(),
  total: z.number().int(),
  groups: z.array(groupRowSchema),
});
/** A page of a file's groups. */
export type GroupList = Readonly<z.infer<typeof groupListSchema>>;

/** True if the task's checks are left out, because it is in a test split and the request has no `?checks=1`. */
const hiddenSchema = z.boolean();

/**
 * The rollouts of one group side by side, without tokens. `differAt` is the first turn, counted from 0, in which not
 * all rollouts do the same, or null if they never differ.
 */
export const groupViewSchema = z.object({
  file: z.string(),
  task: taskSchema,
  rollouts: z.array(z.object({ row: rolloutRowSchema, rollout: rolloutSchema })),
  differAt: z.number().int().nullable(),
  hidden: hiddenSchema,
});
/** The rollouts of one group side by side. */
export type GroupView = Readonly<z.infer<typeof groupViewSchema>>;

/** One training row, as columns with a value for each token. A column is null if it was not recorded. */
export const tokenColumnsSchema = z.object({
  /** The role that the policy played in this row; absent for the agent. */
  role: z.string().optional(),
  ids: z.array(z.number()),
  /**
   * The text of each token, or null if there is no tokenizer. A part of a character is shown as the replacement
   * character.
   */
  texts: z.array(z.string()).nullable(),
  mask: z.array(z.union([z.literal(0), z.literal(1)])),
  /** The sampler's log-prob of each token at which `mask` is 1. */
  sampled: z.array(z.number()),
  /**
   * The notes, which exist only for a few rollouts that were learned from. Values are null at tokens that are not
   * actions.
   */
  recorded: z
    .object({
      advantage: z.number(),
      /** The advantage of each token, if the tokens have different ones. */
      advantages: z.array(z.number().nullable()).optional(),
      /** Log-probs in nats under the weights at the start of the iteration. */
      old: z.array(z.number().nullable()).nullable(),
      /** Log-probs in nats in the rollout's last minibatch. */
      current: z.array(z.number().nullable()).nullable(),
      ratio: z.array(z.number().nullable()),
      /** Contains 1 where clipping left a token without a gradient. */
      clipped: z.array(z.union([z.literal(0), z.literal(1)]).nullable()).nullable(),
      /** The entropies of the next-token distributions in nats. */
      entropy: z.array(z.number().nullable()).nullable(),
    })
    .nullable(),
});
/** One training row as columns with a value for each token. */
export type TokenColumns = Readonly<z.infer<typeof tokenColumnsSchema>>;

/** The training rows of one rollout, the linear row first; empty if the rollout has no tokens. */
export const rolloutTokensViewSchema = z.object({ rows: z.array(tokenColumnsSchema) });
/** The training rows of one rollout. */
export type RolloutTokensView = Readonly<z.infer<typeof rolloutTokensViewSchema>>;

/** One rollout with links to its neighbours. */
export const rolloutViewSchema = z.object({
  file: z.string(),
  row: rolloutRowSchema,
  /** The rollout without `tokens` and `segments`, which another request returns. */
  rollout: rolloutSchema,
  hidden: hiddenSchema,
  /** The id of the previous rollout in the file. The ids of the next one and of the others in the group follow. */
  previous: z.string().nullable(),
  next: z.string().nullable(),
  group: z.array(z.string()),
});
/** One rollout with links to its neighbours. */
export type RolloutView = Readonly<z.infer<typeof rolloutViewSchema>>;

const cellSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.union([z.string(), z.number()])),
]);
const rowSchema = z.record(z.string(), cellSchema);

/**
 * A row of a table that was inserted, updated or removed. `content` is true if checks compare the change; otherwise it
 * is bookkeeping.
 */
export const changeSchema = z.object({
  table: z.string(),
  id: z.number(),
  kind: z.enum(["insert", "update", "remove"]),
  content: z.boolean(),
  /** The columns that checks compare (inserted or changed content); absent if they compare all columns. */
  columns: z.array(z.string()).optional(),
  before: rowSchema.optional(),
  after: rowSchema.optional(),
  /** For columns of free text, the form of the text in `after` by which checks compare it; absent without any. */
  texts: z.record(z.string(), z.string()).optional(),
});
/** A row that was inserted, updated or removed. */
export type Change = Readonly<z.infer<typeof changeSchema>>;

/** An API call with its answer and the rows that it changed. */
export const callViewSchema = z.object({
  app: z.string(),
  api: z.string(),
  args: z.unknown(),
  status: z.number(),
  /** The returned value, or the message of an error. */
  answer: z.unknown(),
  changes: z.array(changeSchema),
});
/** An API call with its answer and the rows that it changed. */
export type CallView = Readonly<z.infer<typeof callViewSchema>>;

/** The final state of an episode, compared with the intended final state. */
export const stateViewSchema = z.object({
  changes: z.array(changeSchema),
  /** The intended changes; absent for tasks of test splits unless the request has `?checks=1`. */
  intended: z.array(changeSchema).optional(),
  /** The answer that the task wants, and the answer that was passed to `finishTask`; absent if `intended` is. */
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
/** The final state of an episode, compared with the intended state. */
export type StateView = Readonly<z.infer<typeof stateViewSchema>>;

/** The replay of a rollout. `equal` is false if the world behaves differently, beginning with turn `at`. */
export const replayViewSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("replayed"),
    equal: z.boolean(),
    at: z.number().int().optional(),
    turns: z.array(z.object({ calls: z.array(callViewSchema) })),
    state: stateViewSchema,
  }),
  /** The rollout cannot be replayed, because its world is missing or it has no code cells. */
  z.object({ kind: z.literal("impossible"), why: z.string() }),
]);
/** The replay of a rollout, or why it cannot be replayed. */
export type ReplayView = Readonly<z.infer<typeof replayViewSchema>>;

/** The address of a rollout, and of a turn in it. */
export const rolloutAddressSchema = z.object({
  file: z.string(),
  rollout: z.string(),
  /** The turn to show, counted from 0. */
  turn: z.number().int().optional(),
});

/** Habits of the policy before and after training, with rollouts that show them. */
export const behaviourViewSchema = z.object({
  /**
   * The name of the evaluation in both columns, such as `test-normal` or `dev@T1`; empty before the first evaluation.
   */
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
  /** Rollouts of a task that failed before training and passes after it. */
  pair: z
    .object({ before: rolloutAddressSchema, after: rolloutAddressSchema, instruction: z.string() })
    .nullable(),
});
/** Habits of the policy before and after training. */
export type BehaviourView = Readonly<z.infer<typeof behaviourViewSchema>>;
