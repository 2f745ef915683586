/**
 * The record of a policy in an episode: frozen data, written to disk line by line, and all that `algo` sees.
 *
 * `tokens.ids` is the exact concatenation that the model saw and produced, so a training row is this array,
 * never a re-tokenisation. `mask` is 1 exactly on the agent's sampled tokens, its stop token included; sampled tokens
 * that are not to be learned from (a shared prefix, an untrained role) are 0 there.
 *
 * Version 1 is a linear rollout: one row that only grows. What other shapes add is optional, and a record that has any of
 * it is of version 2, so whoever knows linear rollouts alone can tell. So is one whose reward its owner paid.
 */
import { z } from "zod";
import { LIMITS, SPLITS } from "./world.ts";

/** A `CheckResult` as it is written to disk. */
export const checkSchema = z.strictObject({
  name: z.string(),
  label: z.enum(["progress", "guard"]),
  passed: z.boolean(),
  detail: z.string().optional(),
});

/** An `Evaluation` as it is written to disk. */
export const evaluationSchema = z.strictObject({
  passed: z.boolean(),
  finished: z.boolean(),
  checks: z.array(checkSchema),
  /** What the agent's owner paid, where no checks decide. */
  reward: z.number().min(0).max(1).optional(),
  /** Numbers of the owner's own, by name. */
  metrics: z.record(z.string(), z.number()).optional(),
});

/** What happened to the conversations of an agent that is not ours: `SessionCounters`, as it is written to disk. */
export const sessionCountersSchema = z.strictObject({
  answers: z.number(),
  retries: z.number(),
  roots: z.number(),
  branches: z.number(),
  edits: z.number(),
  illFormed: z.number(),
});

/** A `TaskInfo` as it is written to disk. */
export const taskSchema = z.strictObject({
  id: z.string(),
  scenario: z.string(),
  split: z.enum(SPLITS),
  difficulty: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  signature: z.string(),
  instruction: z.string(),
});

/** What a policy may say that is not run in the world. `state` is its rewritten memory of the episode, `speech` is for another participant. */
export const WRITTEN_PARTS = ["plan", "summary", "state", "note", "speech"] as const;

const shareSchema = z.number().min(0).max(1);

/** One message of the agent, what was run of it, and what the world showed. */
export const turnSchema = z.strictObject({
  /** The agent's message; `code` is what was run of it. */
  message: z.string(),
  code: z.string(),
  observation: z.string(),
  status: z.enum(["ok", "error", "limit"]),
  limit: z.enum(LIMITS).optional(),
  calls: z.array(
    z.strictObject({
      app: z.string(),
      api: z.string(),
      args: z.unknown(),
      status: z.number(),
      wrote: z.boolean(),
      fault: z.strictObject({ message: z.string(), at: z.string().optional() }).optional(),
    }),
  ),
  /** Half-open range of `tokens.ids` that the agent sampled in this turn. Absent without tokens. */
  span: z.tuple([z.number(), z.number()]).optional(),
  /** Absent: an action in the world. Otherwise nothing was run, and `code` is empty. */
  part: z.enum(WRITTEN_PARTS).optional(),
  /** The row of `span`: absent for `tokens`, n for `segments[n - 1]`. */
  segment: z.number().int().min(1).optional(),
  /** What participants said after the observation; the agent saw it behind it. */
  heard: z.array(z.strictObject({ from: z.string(), text: z.string() })).optional(),
  /** Marks for this turn, 0..1: a judge's, and what an attempt that ended here was worth (fraction of checks). */
  grades: z
    .strictObject({ judge: shareSchema.optional(), attempt: shareSchema.optional() })
    .optional(),
});

/** One training row: three arrays of one length. */
export const rolloutTokensSchema = z.strictObject({
  ids: z.array(z.number()),
  mask: z.array(z.union([z.literal(0), z.literal(1)])),
  /** Sampler log-probs where mask is 1, else 0. Same length as `ids`. */
  logprobs: z.array(z.number()),
});

/** Why a rollout has no outcome of its own; its siblings live on. */
export const failureSchema = z.strictObject({
  /** The boundary that was crossed when it failed. */
  boundary: z.enum(["world", "policy", "agent", "judge"]),
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
});

/** How a rollout ended. `finished`: the agent said so. `cancelled` is not a failure: the straggler rule stopped it. */
export const OUTCOMES = ["finished", "turn-limit", "token-limit", "cancelled", "failed"] as const;

/** Another part that the policy played in the same episode, in a row of its own. */
export const playedRoleSchema = z.strictObject({
  role: z.string(),
  opposed: z.literal(true).optional(),
  turns: z.array(turnSchema),
  tokens: rolloutTokensSchema,
});

/** What rollouts of other shapes than the linear one have beside it. Turn numbers are indices into `turns`. */
const version2Fields = {
  /** Further rows, where the context did not only grow: each begins with a prompt of its own. */
  segments: z.array(rolloutTokensSchema).optional(),
  /** Other trained roles of the episode. Learning takes each as a rollout of its own, with the same outcome. */
  cast: z.array(playedRoleSchema).optional(),
  /** The part that was played; absent: the agent. */
  role: z.string().optional(),
  /** This role plays against the agent: its return is 1 - R. */
  opposed: z.literal(true).optional(),
  /** Forked from another rollout of its group before that one's turn `turn`; the turns before it are shared. */
  branch: z.strictObject({ parent: z.string(), turn: z.number().int().min(1) }).optional(),
  /** Begins with the first `turns` turns of an earlier rollout, whose tokens are not learned from again. */
  prefix: z.strictObject({ from: z.string(), turns: z.number().int().min(1) }).optional(),
  /** A link of a chain of tasks. `name` is shared by the chains that are compared; `position` counts from 0. */
  chain: z.strictObject({ name: z.string(), position: z.number().int().min(0) }).optional(),
  /** Ids of the memory items that its prompt held. */
  memory: z.array(z.string()).optional(),
  /** Of an agent that is not ours: its conversations, counted. */
  session: sessionCountersSchema.optional(),
};

const VERSION_2_FIELDS = Object.keys(version2Fields);
const VERSION_2_TURN_FIELDS = ["part", "segment", "heard", "grades"];
const VERSION_2_EVALUATION_FIELDS = ["reward", "metrics"];

/** True when a record needs version 2. */
export function needsVersion2(rollout: {
  readonly turns: readonly object[];
  readonly evaluation?: object | undefined;
}): boolean {
  const hasAny = (value: object, names: readonly string[]) => names.some((name) => name in value);
  return (
    hasAny(rollout, VERSION_2_FIELDS) ||
    hasAny(rollout.evaluation ?? {}, VERSION_2_EVALUATION_FIELDS) ||
    rollout.turns.some((turn) => hasAny(turn, VERSION_2_TURN_FIELDS))
  );
}

const rolloutFields = z.strictObject({
  version: z.union([z.literal(1), z.literal(2)]),
  /** `<iteration>/<task index>/<rollout index>` in training; unique in a run. */
  id: z.string(),
  task: taskSchema,
  /** Position within its group, 0-based. */
  index: z.number(),
  stream: z.number(),
  temperature: z.number(),
  /** -1 for policies without versions. */
  policyVersion: z.number(),
  turns: z.array(turnSchema),
  tokens: rolloutTokensSchema.optional(),
  outcome: z.enum(OUTCOMES),
  failure: failureSchema.optional(),
  /** Absent when cancelled or failed. */
  evaluation: evaluationSchema.optional(),
  ...version2Fields,
});

/** A rollout as it is written to disk: one line of `rollouts/*.jsonl`. */
export const rolloutSchema = rolloutFields.refine(
  (rollout) => rollout.version === 2 || !needsVersion2(rollout),
  "a rollout of version 1 is linear; one with segments, branches or written parts is of version 2",
);

/** One message of the agent, what was run of it, and what the world showed. */
export type Turn = Readonly<z.infer<typeof turnSchema>>;
/** One training row: `ids`, `mask` and `logprobs` of one length. */
export type RolloutTokens = Readonly<z.infer<typeof rolloutTokensSchema>>;
/** Why a rollout has no outcome of its own; its siblings live on. */
export type Failure = Readonly<z.infer<typeof failureSchema>>;
/** How a rollout ended, one of `OUTCOMES`. */
export type Outcome = (typeof OUTCOMES)[number];
/** What a turn wrote where it ran nothing in the world, one of `PARTS`. */
export type WrittenPart = (typeof WRITTEN_PARTS)[number];
/** Another part that the policy played in the same episode, in a row of its own. */
export type PlayedRole = Readonly<z.infer<typeof playedRoleSchema>>;
/** The record of a policy in an episode: what was seen, sampled and run, how it ended, what it was worth. */
export type Rollout = Readonly<z.infer<typeof rolloutSchema>>;
