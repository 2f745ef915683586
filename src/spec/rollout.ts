/**
 * The record of a policy in an episode. A rollout is frozen data and is written to disk as one line. `algo` sees
 * nothing else.
 *
 * `tokens.ids` are the exact tokens that the model saw and produced, so this array is the training row and nothing is
 * re-tokenised. `mask` is 1 on the tokens that the agent sampled, including its stop token. It is 0 on sampled tokens
 * that are not learned from (a shared prefix, an untrained role).
 *
 * A record of version 1 is a linear rollout: one row that only grows. A record has version 2 if it has any of the
 * optional fields of other shapes, or a reward that the agent's owner gave. So a program that can read only linear
 * rollouts notices.
 */
import { z } from "zod";
import { LIMITS, SPLITS } from "./world.ts";

/** The schema of a `CheckResult` on disk. */
export const checkSchema = z.strictObject({
  name: z.string(),
  label: z.enum(["progress", "guard"]),
  passed: z.boolean(),
  detail: z.string().optional(),
});

/** The schema of an `Evaluation` on disk. */
export const evaluationSchema = z.strictObject({
  passed: z.boolean(),
  finished: z.boolean(),
  checks: z.array(checkSchema),
  /** The reward that the agent's owner gave; absent if the checks decide. */
  reward: z.number().min(0).max(1).optional(),
  /** Further numbers that the agent's owner measured, by name. */
  metrics: z.record(z.string(), z.number()).optional(),
});

/**
 * Returns the first number of an evaluation that no record can have: a reward outside [0, 1], or a metric that is not
 * finite. Nothing is cut to fit, because a reward that somebody else computed in another range means something else.
 */
export function findUnusableNumber(
  evaluation: Readonly<Partial<Record<"reward" | "metrics", unknown>>>,
): { readonly field: string; readonly expected: string; readonly value: unknown } | undefined {
  const { reward, metrics } = evaluationSchema.shape;
  if (!reward.safeParse(evaluation.reward).success) {
    return { field: "reward", expected: "a number from 0 to 1", value: evaluation.reward };
  }
  const parsed = metrics.safeParse(evaluation.metrics);
  if (parsed.success) return undefined;
  const [name] = parsed.error.issues[0]!.path;
  if (name === undefined) {
    return { field: "metrics", expected: "numbers by name", value: evaluation.metrics };
  }
  const value = (evaluation.metrics as Readonly<Record<PropertyKey, unknown>>)[name];
  return { field: `metrics.${String(name)}`, expected: "a finite number", value };
}

/** The schema of `SessionCounters` on disk: counts of what happened to the conversations of an external agent. */
export const sessionCountersSchema = z.strictObject({
  answers: z.number(),
  retries: z.number(),
  roots: z.number(),
  branches: z.number(),
  edits: z.number(),
  illFormed: z.number(),
});

/** The schema of a `TaskInfo` on disk. */
export const taskSchema = z.strictObject({
  id: z.string(),
  scenario: z.string(),
  split: z.enum(SPLITS),
  difficulty: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  signature: z.string(),
  instruction: z.string(),
});

/**
 * What a policy may write instead of code. `state` is its memory of the episode, and `speech` is addressed to another
 * participant.
 */
export const WRITTEN_PARTS = ["plan", "summary", "state", "note", "speech"] as const;

const shareSchema = z.number().min(0).max(1);

/** The schema of a turn: a message of the agent, the code that was run, and what the world answered. */
export const turnSchema = z.strictObject({
  /** The agent's message. `code` is the part of it that was run. */
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
      /** What an app outside of this package answered; absent for others. */
      reply: z
        .union([
          z.strictObject({ ok: z.literal(true), value: z.unknown() }),
          z.strictObject({ ok: z.literal(false), status: z.number(), message: z.string() }),
        ])
        .optional(),
    }),
  ),
  /**
   * The range of `tokens.ids` that the agent sampled in this turn; its end is exclusive. Absent if there are no tokens.
   */
  span: z.tuple([z.number(), z.number()]).optional(),
  /** The kind of text that was written instead of code. `code` is then empty. Absent for an action in the world. */
  part: z.enum(WRITTEN_PARTS).optional(),
  /** The row that `span` refers to: n for `segments[n - 1]`; absent for `tokens`. */
  segment: z.number().int().min(1).optional(),
  /** What participants said after the observation. The agent saw it after the observation, too. */
  heard: z.array(z.strictObject({ from: z.string(), text: z.string() })).optional(),
  /**
   * Grades of this turn in 0..1: the mark of a judge, and the fraction of checks passed by an attempt that ended with
   * this turn.
   */
  grades: z
    .strictObject({ judge: shareSchema.optional(), attempt: shareSchema.optional() })
    .optional(),
});

/** The schema of one training row: three arrays of equal length. */
export const rolloutTokensSchema = z.strictObject({
  ids: z.array(z.number()),
  mask: z.array(z.union([z.literal(0), z.literal(1)])),
  /** The sampler's log-prob where `mask` is 1, otherwise 0. */
  logprobs: z.array(z.number()),
});

/** The schema of a failure: why one rollout has no result. The other rollouts of its group continue. */
export const failureSchema = z.strictObject({
  /** The part that failed. */
  boundary: z.enum(["world", "policy", "agent", "judge"]),
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
});

/** How a rollout ended. `finished` means that the agent said so, and `cancelled` that the straggler rule stopped it. */
export const OUTCOMES = ["finished", "turn-limit", "token-limit", "cancelled", "failed"] as const;

/** The schema of another role that the policy played in the same episode, with a separate training row. */
export const playedRoleSchema = z.strictObject({
  role: z.string(),
  opposed: z.literal(true).optional(),
  turns: z.array(turnSchema),
  tokens: rolloutTokensSchema,
});

/** The optional fields of rollouts that are not linear. Turn numbers are indices into `turns`. */
const version2Fields = {
  /** Further rows of a rollout whose context did not only grow. Each row starts with its own prompt. */
  segments: z.array(rolloutTokensSchema).optional(),
  /** Other trained roles of the episode. Learning treats each of them as a separate rollout with the same outcome. */
  cast: z.array(playedRoleSchema).optional(),
  /** The role that the policy played; absent for the agent. */
  role: z.string().optional(),
  /** True for a role that plays against the agent. Its return is 1 - R. */
  opposed: z.literal(true).optional(),
  /** The rollout of the group from which this one was forked, and the first turn that the two do not share. */
  branch: z.strictObject({ parent: z.string(), turn: z.number().int().min(1) }).optional(),
  /**
   * The earlier rollout whose first `turns` turns begin this one. The tokens of these turns are not learned from again.
   */
  prefix: z.strictObject({ from: z.string(), turns: z.number().int().min(1) }).optional(),
  /** The place in a chain of tasks. Chains that are compared have the same `name`; `position` counts from 0. */
  chain: z.strictObject({ name: z.string(), position: z.number().int().min(0) }).optional(),
  /** The ids of the memory items in the prompt. */
  memory: z.array(z.string()).optional(),
  /** Counts of the conversations of an external agent. */
  session: sessionCountersSchema.optional(),
};

const VERSION_2_FIELDS = Object.keys(version2Fields);
const VERSION_2_TURN_FIELDS = ["part", "segment", "heard", "grades"];
const VERSION_2_EVALUATION_FIELDS = ["reward", "metrics"];

/** Returns true if a record has a field of version 2. */
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
  /** `<iteration>/<task index>/<rollout index>` in training. The id is unique in a run. */
  id: z.string(),
  task: taskSchema,
  /** The index in the group, counted from 0. */
  index: z.number(),
  stream: z.number(),
  temperature: z.number(),
  /** The version of the policy's weights; -1 for a policy without versions. */
  policyVersion: z.number(),
  turns: z.array(turnSchema),
  tokens: rolloutTokensSchema.optional(),
  outcome: z.enum(OUTCOMES),
  failure: failureSchema.optional(),
  /** The evaluation of the final state; absent if the rollout was cancelled or failed. */
  evaluation: evaluationSchema.optional(),
  ...version2Fields,
});

/** The schema of a rollout on disk: one line of `rollouts/*.jsonl`. */
export const rolloutSchema = rolloutFields.refine(
  (rollout) => rollout.version === 2 || !needsVersion2(rollout),
  "a rollout of version 1 must be linear; one with segments, branches or written parts needs version 2",
);

/** A message of the agent, the code that was run, and what the world answered. */
export type Turn = Readonly<z.infer<typeof turnSchema>>;
/** One training row: `ids`, `mask` and `logprobs` of equal length. */
export type RolloutTokens = Readonly<z.infer<typeof rolloutTokensSchema>>;
/** Why one rollout has no result. The other rollouts of its group continue. */
export type Failure = Readonly<z.infer<typeof failureSchema>>;
/** How a rollout ended, one of `OUTCOMES`. */
export type Outcome = (typeof OUTCOMES)[number];
/** The kind of text that a policy wrote instead of code, one of `WRITTEN_PARTS`. */
export type WrittenPart = (typeof WRITTEN_PARTS)[number];
/** Another role that the policy played in the same episode, with a separate training row. */
export type PlayedRole = Readonly<z.infer<typeof playedRoleSchema>>;
/**
 * The record of a policy in an episode: what it saw, sampled and ran, how the episode ended and how it was evaluated.
 */
export type Rollout = Readonly<z.infer<typeof rolloutSchema>>;
