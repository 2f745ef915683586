/**
 * The run directory: the interface between the trainer, the command line and the report.
 *
 *   run.json        resolved config, seed, versions, digests of the world, names of parts given by a program
 *   run.lock        the process that trains in this directory; the file exists while it trains
 *   progress.json   what the process is doing now (`progressReportSchema`); the file exists while it trains
 *   metrics.jsonl   one object a line: { phase, step, "<metric path>": number, ... }; no wall times
 *   timings.jsonl   the same steps with seconds and rates; they may differ between equal runs
 *   rollouts/       a JSON Lines file for each iteration (`train-0003.jsonl`) and each evaluation
 *                   (`eval-<when>-<split>-<mode>.jsonl`) and each stage of an extended warm start
 *                   (`warm-0001.jsonl`), and notes about the tokens of a few rollouts for people
 *                   (`notes-0003.jsonl`, `rolloutNotesSchema`); and what lists show of the rollouts of a file
 *                   (`facts-train-0003.jsonl`, `storedFactsSchema`)
 *   journal/        finished rollouts of files that are not complete yet; empty between steps
 *   usage.json      tokens of each training task
 *   spending.jsonl  tokens that were paid for, if tokens have a price
 *   checkpoints/    `warm/` (after imitation), `latest/` (for resume), `final/`
 *   summary.json    what `bowline train --json` prints and the report reads
 *   report.html     made from the files above
 */
import { z } from "zod";

const share = z.number().min(0).max(1);

/**
 * The schema of a score: task goal completion (TGC, the share of tasks that pass) and scenario goal completion (SGC,
 * the share of scenarios in which every task passes) of one evaluation, in 0..1. Intervals are 95%, with scenarios as
 * clusters.
 */
export const scoreSchema = z.object({
  tgc: share,
  sgc: share,
  tgcInterval: z.tuple([share, share]),
  tasks: z.number().int(),
  scenarios: z.number().int(),
  /** Scores by difficulty, "1" to "3". `share` is the share of tasks with this difficulty. */
  byDifficulty: z.record(
    z.string(),
    z.object({ tgc: share, sgc: share, tasks: z.number(), share }),
  ),
  /** The mean of the paper's reward, which is the fraction of checks passed. */
  reward: z.number(),
  behaviour: z.record(z.string(), z.number()),
});
/**
 * The score of one evaluation: task goal completion (TGC) and scenario goal completion (SGC), in 0..1. Intervals are
 * 95%, with scenarios as clusters.
 */
export type Score = z.infer<typeof scoreSchema>;

/**
 * The schema of scores by split, such as `dev`. The suffix `@T1` means sampled at temperature 1; without a suffix,
 * decoding is greedy.
 */
export const scoresSchema = z.record(z.string(), scoreSchema);
/**
 * Scores by split, such as `dev`. The suffix `@T1` means sampled at temperature 1; without a suffix, decoding is
 * greedy.
 */
export type Scores = z.infer<typeof scoresSchema>;

/** What a run is doing: `world` runs demonstrations, and `loop` is the training itself. */
export const RUN_PHASES = ["world", "tokenizer", "warm", "eval", "loop", "done"] as const;

/** The schema of `progress.json`. */
export const progressReportSchema = z.object({
  phase: z.enum(RUN_PHASES),
  /** What the phase works on, in words. */
  detail: z.string(),
  /**
   * The steps that are done, and those of the whole phase: demonstrations, steps of the warm start, rollouts of an
   * evaluation, or iterations. Absent if the phase has no steps.
   */
  step: z.number().int().min(0).optional(),
  steps: z.number().int().min(0).optional(),
  secondsLeft: z.number().optional(),
  rolloutsPerSecond: z.number().optional(),
  tokensPerSecond: z.number().optional(),
});
/** What a run is doing now, how fast it is, and how long the phase will still take. */
export type ProgressReport = Readonly<z.infer<typeof progressReportSchema>>;

const tokens = {
  /** The number of prompt tokens, and of tokens of rows that were only evaluated. */
  prefill: z.number(),
  /** The number of prompt tokens that an earlier turn of the same rollout already contained. */
  cached: z.number(),
  sampled: z.number(),
  trained: z.number(),
};
const tokenUsage = z.object(tokens);
/** The cost in the currency of the section `budget`; absent if tokens have no price. */
const cost = z.number().optional();

/** The schema of the tokens that a run used for work whose results it kept. */
export const usageSummarySchema = z.object({
  ...tokens,
  cost,
  phases: z.record(z.string(), tokenUsage),
  /**
   * The ten most expensive training tasks, the most expensive first, by cost or else by tokens. `usage.json` has all
   * tasks.
   */
  tasks: z.array(z.object({ task: z.string(), rollouts: z.number(), ...tokens, cost })),
  /**
   * All tokens that were paid for, including those for work that was lost and done again; absent if tokens have no
   * price.
   */
  spent: z.object({ ...tokens, cost: z.number(), ceiling: z.number().nullable() }).optional(),
});
/** The tokens that a run used for work whose results it kept, with their cost if tokens have a price. */
export type UsageSummary = z.infer<typeof usageSummarySchema>;

/**
 * The schema of API calls that failed because of a bug of the world. `first` describes the first such call for a
 * person.
 */
export const handlerExceptionsSchema = z.object({ count: z.number().int(), first: z.string() });
/** API calls that failed because of a bug of the world; see `ApiCall.fault`. */
export type HandlerExceptions = z.infer<typeof handlerExceptionsSchema>;

/** The schema of `summary.json`, the result of a run. */
export const summarySchema = z.object({
  recipe: z.string(),
  /** The name of the setting; absent in the summaries of old runs. */
  setting: z.string().optional(),
  method: z.string().optional(),
  seed: z.number(),
  seconds: z.number(),
  rollouts: z.number(),
  before: scoresSchema,
  after: scoresSchema,
  reward: z.object({ first: z.number(), last: z.number() }),
  /** The number of demonstrations in the warm start, and the share of them that came from the hasty solver. */
  warmStart: z.object({ demonstrations: z.number(), hastyShare: z.number() }),
  /** The reason why the run ended before its last iteration: `--minutes` or `--budget.ceiling`. */
  stoppedEarly: z.string().optional(),
  usage: usageSummarySchema.optional(),
  /**
   * Calls that failed because of a bug of the world; absent if there were none. If there are any, the scores are those
   * of a broken world.
   */
  handlerExceptions: handlerExceptionsSchema.optional(),
});
/** The result of a run, as `summary.json` has it. */
export type Summary = z.infer<typeof summarySchema>;

/** The schema of a line of `metrics.jsonl`. Every further field is a metric with its value. */
export const metricLineSchema = z.looseObject({
  /**
   * The phase, which decides the unit of `step`: optimizer steps of imitation in `warm`, iterations in `loop`, and
   * evaluations in `eval`.
   */
  phase: z.enum(["warm", "loop", "eval"]),
  step: z.number(),
});
/** A line of `metrics.jsonl`. Every further field is a metric with its value. */
export type MetricLine = z.infer<typeof metricLineSchema>;

/**
 * The schema of a line of `rollouts/notes-<iteration>.jsonl`. A file has at most twelve rollouts that were learned
 * from. Other graded rollouts follow with empty arrays, as many as fit into `NOTES_BYTES`. Every array has an entry for
 * each position in `at`. Numbers are rounded to five digits.
 */
export const rolloutNotesSchema = z
  .object({
    /** The id of a rollout in `train-<iteration>.jsonl`. */
    id: z.string(),
    advantage: z.number(),
    /** The return that the advantage was computed from, if it is not the reward of the outcome alone. */
    return: z.number().optional(),
    /** The positions of the agent's tokens in `tokens.ids`. */
    at: z.array(z.number().int()),
    /** The current probability divided by the old one, before the update on the rollout's last minibatch. */
    ratios: z.array(z.number()),
    /**
     * The advantage of every token, if the tokens have different ones. `advantage` is then the rollout's, before it was
     * distributed over tokens.
     */
    advantages: z.array(z.number()).optional(),
    /** Log-probs in nats under the weights at the start of the iteration. */
    old: z.array(z.number()).optional(),
    /** Log-probs in nats in the rollout's last minibatch. */
    current: z.array(z.number()).optional(),
    /** Contains 1 where clipping left a token without a gradient; absent if the objective does not clip. */
    clipped: z.array(z.union([z.literal(0), z.literal(1)])).optional(),
    /** The entropies of the next-token distributions in nats, if the method asked the engine for them. */
    entropies: z.array(z.number()).optional(),
  })
  .refine(
    ({ id, advantage, at, return: _, ...arrays }) =>
      Object.values(arrays).every((array) => array === undefined || array.length === at.length),
    { error: "expected every array to be as long as at" },
  );
/** Notes about the tokens of one rollout, for people. A run writes them for a few rollouts of an iteration. */
export type RolloutNotes = Readonly<z.infer<typeof rolloutNotesSchema>>;

/** The largest size, in bytes, of the notes of one iteration. */
export const NOTES_BYTES = 1 << 20;

/** What the report shows about a token when the pointer is over it. */
export interface TokenNote {
  readonly advantage: number;
  readonly ratio: number;
}

/** Formats the number of an iteration for file names, with leading zeros: "0003". */
export const formatIterationNumber = (iteration: number) => String(iteration).padStart(4, "0");
