/**
 * The run directory: the interface between the trainer, the command line and the report.
 *
 *   run.json        resolved config, seed, versions, digests of the world, names of parts that were handed over
 *   run.lock        the process that trains here: there while it does
 *   metrics.jsonl   one object a line: { phase, step, "<metric path>": number, ... }; no wall times
 *   timings.jsonl   the same steps with seconds and rates; may differ between equal runs
 *   rollouts/       one JSON Lines file an iteration (`train-0003.jsonl`) and an evaluation (`eval-<when>-<split>-<mode>.jsonl`)
 *                   and, for people, what learning knew of a sample of the tokens (`notes-0003.jsonl`, `rolloutNotesSchema`)
 *   journal/        finished rollouts of files that are not whole yet; empty between steps
 *   usage.json      tokens of each training task        spending.jsonl   what was really spent, where tokens have a price
 *   checkpoints/    `warm/` (after imitation), `latest/` (for resume), `final/`
 *   summary.json    the contract of `bowline train --json` and what the report reads
 *   report.html     made from the files above
 */
import { z } from "zod";

const share = z.number().min(0).max(1);

/** TGC and SGC of one evaluation. Shares in 0..1; intervals are 95%, scenarios as clusters. */
export const scoreSchema = z.object({
  tgc: share,
  sgc: share,
  tgcInterval: z.tuple([share, share]),
  tasks: z.number().int(),
  scenarios: z.number().int(),
  /** Keys "1", "2", "3"; `share` is the share of tasks of this difficulty. */
  byDifficulty: z.record(
    z.string(),
    z.object({ tgc: share, sgc: share, tasks: z.number(), share }),
  ),
  /** Mean of the paper's fraction reward. */
  reward: z.number(),
  behaviour: z.record(z.string(), z.number()),
});
/** TGC and SGC of one evaluation. Shares in 0..1; intervals are 95%, scenarios as clusters. */
export type Score = z.infer<typeof scoreSchema>;

/** Both splits, greedy, and (suffix `@T1`) sampled at temperature 1. Keys: `dev`, `test-normal`, `dev@T1`, ... */
export const scoresSchema = z.record(z.string(), scoreSchema);
/** Scores by split; the suffix `@T1` means sampled at temperature 1, none means greedy. */
export type Scores = z.infer<typeof scoresSchema>;

const tokens = {
  /** Prompt tokens, and those of rows that were only evaluated. */
  prefill: z.number(),
  /** Prompt tokens that an earlier turn of the same rollout had already shown or sampled. */
  cached: z.number(),
  sampled: z.number(),
  trained: z.number(),
};
const tokenUsage = z.object(tokens);
/** In the currency of the section `budget`; absent where tokens have no price. */
const cost = z.number().optional();

/** Tokens of the work that a run kept. */
export const usageSummarySchema = z.object({
  ...tokens,
  cost,
  phases: z.record(z.string(), tokenUsage),
  /** Sampling for training, by task, the dearest first; the first ten here, all in `usage.json`. */
  tasks: z.array(z.object({ task: z.string(), rollouts: z.number(), ...tokens, cost })),
  /** Where tokens have a price: all that was asked for, work that was lost and done again included. */
  spent: z.object({ ...tokens, cost: z.number(), ceiling: z.number().nullable() }).optional(),
});
/** Tokens of the work that a run kept, and what they cost where they have a price. */
export type UsageSummary = z.infer<typeof usageSummarySchema>;

/** API calls that met a bug of the world: its handler threw, or never returned. `first` is for a person: which call, what, where. */
export const handlerExceptionsSchema = z.object({ count: z.number().int(), first: z.string() });
/** API calls that met a bug of the world; see `ApiCall.fault`. */
export type HandlerExceptions = z.infer<typeof handlerExceptionsSchema>;

/** `summary.json`: what a run came to. */
export const summarySchema = z.object({
  recipe: z.string(),
  /** Absent in summaries of runs before settings and methods were told apart. */
  setting: z.string().optional(),
  method: z.string().optional(),
  seed: z.number(),
  seconds: z.number(),
  rollouts: z.number(),
  before: scoresSchema,
  after: scoresSchema,
  reward: z.object({ first: z.number(), last: z.number() }),
  /** Share of careful demonstrations in the warm start. */
  warmStart: z.object({ demonstrations: z.number(), hastyShare: z.number() }),
  /** Set when `--minutes` or `--budget.ceiling` ended the run before its iterations did. */
  stoppedEarly: z.string().optional(),
  usage: usageSummarySchema.optional(),
  /** Only where there were some: the scores are those of a broken world. */
  handlerExceptions: handlerExceptionsSchema.optional(),
});
/** `summary.json`: what a run came to. */
export type Summary = z.infer<typeof summarySchema>;

/** A line of `metrics.jsonl`; every further field is a metric path with its number. */
export const metricLineSchema = z.looseObject({
  /** `warm` counts optimizer steps of imitation, `loop` iterations, `eval` evaluations. */
  phase: z.enum(["warm", "loop", "eval"]),
  step: z.number(),
});
/** A line of `metrics.jsonl`; every further field is a metric path with its number. */
export type MetricLine = z.infer<typeof metricLineSchema>;

/**
 * A line of `rollouts/notes-<iteration>.jsonl`: one of at most twelve rollouts that were learned from, or of the others that were
 * graded, whose arrays are empty; as many as fit into `NOTES_BYTES`. Every array has an entry for each position in `at`; numbers are rounded to five digits.
 */
export const rolloutNotesSchema = z.object({
  /** Of a rollout in `train-<iteration>.jsonl`. */
  id: z.string(),
  advantage: z.number(),
  /** Positions of the agent's tokens in `tokens.ids`. */
  at: z.array(z.number().int()),
  /** current / old probability, in the last minibatch that the rollout was in, before its update. */
  ratios: z.array(z.number()),
  /** Where the objective was given one for every token; `advantage` is then the rollout's, before it was spread. */
  advantages: z.array(z.number()).optional(),
  /** Log-probs under the policy that learning began from, and in that minibatch. Nats. */
  old: z.array(z.number()).optional(),
  current: z.array(z.number()).optional(),
  /** 1 where the clip left nothing of the token's gradient; absent where the objective never clips. */
  clipped: z.array(z.union([z.literal(0), z.literal(1)])).optional(),
  /** Of the next-token distributions, where the method asked the engine for them. Nats. */
  entropies: z.array(z.number()).optional(),
});
/** What learning knew of one rollout's tokens; written beside a sample of training rollouts. */
export type RolloutNotes = Readonly<z.infer<typeof rolloutNotesSchema>>;

/** Most that the notes of one iteration may take. */
export const NOTES_BYTES = 1 << 20;

/** What the report shows for a token on hover; written beside a sample of training rollouts. */
export interface TokenNote {
  readonly advantage: number;
  readonly ratio: number;
}

/** The number of an iteration as it stands in the names of files. */
export const formatIterationNumber = (iteration: number) => String(iteration).padStart(4, "0");
