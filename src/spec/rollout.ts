/**
 * The record of a policy in an episode: frozen data, written to disk line by line, and all that `algo` sees.
 *
 * `tokens.ids` is the exact concatenation that the model saw and produced, so a training row is this array,
 * never a re-tokenisation. `mask` is 1 exactly on the agent's sampled tokens, its stop token included.
 */
import { z } from "zod";
import { LIMITS, SPLITS } from "./world.ts";

export const checkSchema = z.strictObject({
  name: z.string(),
  label: z.enum(["progress", "guard"]),
  passed: z.boolean(),
  detail: z.string().optional(),
});

export const evaluationSchema = z.strictObject({
  passed: z.boolean(),
  finished: z.boolean(),
  checks: z.array(checkSchema),
});

export const taskSchema = z.strictObject({
  id: z.string(),
  scenario: z.string(),
  split: z.enum(SPLITS),
  difficulty: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  signature: z.string(),
  instruction: z.string(),
});

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
    }),
  ),
  /** Half-open range of `tokens.ids` that the agent sampled in this turn. Absent without tokens. */
  span: z.tuple([z.number(), z.number()]).optional(),
});

export const rolloutTokensSchema = z.strictObject({
  ids: z.array(z.number()),
  mask: z.array(z.union([z.literal(0), z.literal(1)])),
  /** Sampler log-probs where mask is 1, else 0. Same length as `ids`. */
  logprobs: z.array(z.number()),
});

export const failureSchema = z.strictObject({
  /** The boundary that was crossed when it failed. */
  boundary: z.enum(["world", "policy", "agent"]),
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
});

/** How a rollout ended. `finished`: the agent said so. `cancelled` is not a failure: the straggler rule stopped it. */
export const OUTCOMES = ["finished", "turn-limit", "token-limit", "cancelled", "failed"] as const;

export const rolloutSchema = z.strictObject({
  version: z.literal(1),
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
});

export type Turn = Readonly<z.infer<typeof turnSchema>>;
export type RolloutTokens = Readonly<z.infer<typeof rolloutTokensSchema>>;
export type Failure = Readonly<z.infer<typeof failureSchema>>;
export type Outcome = (typeof OUTCOMES)[number];
export type Rollout = Readonly<z.infer<typeof rolloutSchema>>;
