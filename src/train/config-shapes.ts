/**
 * Fields of rollout shapes, of who takes part in rollouts, and of memory over episodes. All are off by default: a rollout
 * is one growing row of one agent that remembers nothing.
 */
import { z } from "zod";

const integer = (low: number, high: number) => z.number().int().min(low).max(high);
const share = () => z.number().min(0).max(1);

export const shapes = z.strictObject({
  branches: integer(0, 1023)
    .default(0)
    .describe("Rollouts of a group that are forked from its other, linear ones; 0: all are linear"),
  branchAt: z
    .enum(["entropy", "logprob", "every", "random"])
    .default("entropy")
    .describe(
      "Where to fork: at the turn whose first tokens were least certain, at the least likely turn, every few turns, anywhere",
    ),
  branchEvery: integer(1, 1000).default(2).describe("Turns between forks, of branchAt every"),
  branchTokens: integer(1, 1000)
    .default(8)
    .describe("First tokens of a turn whose mean surprise is looked at, of branchAt entropy"),
  sharedPrefix: z
    .enum(["masked", "attributed"])
    .default("masked")
    .describe(
      "Turns before a fork: context for the forked rollout, or actions of every rollout that holds them",
    ),
  restartShare: share()
    .default(0)
    .describe("Share of an iteration's tasks that begin with a stored piece of an earlier rollout"),
  restartPool: integer(1, 100_000)
    .default(256)
    .describe("Beginnings that are kept, those of groups whose returns differed most"),
  context: z
    .enum(["growing", "window", "summary", "state"])
    .default("growing")
    .describe(
      "What the agent sees: all that was said (paper); the last turns; all, summed up when it grows long; a state that it rewrites each turn",
    ),
  windowTurns: integer(1, 1000).default(2).describe("Turns that a window holds"),
  windowDrops: z
    .enum(["turns", "observations"])
    .default("turns")
    .describe("What leaves a window: whole turns, or their observations"),
  contextTokens: integer(16, 131_072)
    .default(256)
    .describe("A row that would be longer is summed up by the policy"),
  maxSummaries: integer(0, 1000).default(4).describe("Summaries of a rollout; one more ends it"),
  chunkCharacters: integer(1, 10_000_000)
    .nullable()
    .default(null)
    .describe(
      "Longer observations are read in pieces, the state rewritten after each; null: whole",
    ),
  chainLength: integer(1, 3)
    .default(1)
    .describe(
      "Tasks of one scenario that a rollout solves in sequence, with what it carries along",
    ),
  carry: z
    .enum(["notes", "code"])
    .default("notes")
    .describe("What later tasks of a chain see of earlier ones: a note of the policy, or its code"),
  attempts: integer(1, 16)
    .default(1)
    .describe(
      "Times that a training task may be tried in one dialogue, with feedback after a failure",
    ),
  feedback: z
    .enum(["try-again", "checks"])
    .default("try-again")
    .describe("What a failed attempt is told: that it failed, or also which checks did"),
});

export const participants = z.strictObject({
  user: z
    .string()
    .min(1)
    .default("none")
    .describe(
      "Who speaks behind observations: none, reminder (the task again), errors (what failed so far), policy, or a module's path",
    ),
  trainUser: z
    .boolean()
    .default(false)
    .describe("The user that the policy plays is learned from too, as a role of its own"),
  opposed: z.boolean().default(false).describe("The trained user's return is 1 - R, not R"),
  planner: z.boolean().default(false).describe("The policy writes a plan before it acts"),
  planEvery: integer(0, 1000)
    .default(0)
    .describe("Turns after which it plans again; 0: only at the start"),
  trained: z
    .enum(["all", "actor", "planner"])
    .default("all")
    .describe("Whose tokens are learned from, where there is a planner"),
  judge: z
    .string()
    .min(1)
    .default("none")
    .describe("Who marks every turn from 0 to 1 in the record: none, policy, or a module's path"),
});

export const memory = z.strictObject({
  kind: z
    .enum(["none", "q-values", "success-counts", "texts"])
    .default("none")
    .describe(
      "Memory over episodes: none; items by learned value; items by their success; two texts that the policy rewrites",
    ),
  author: z
    .enum(["record", "policy"])
    .default("record")
    .describe("Who writes an item: the code that ran, or the policy when the episode has ended"),
  items: integer(1, 100).default(2).describe("Items in a prompt"),
  candidates: integer(1, 1000)
    .default(5)
    .describe("Items nearest to a task by their words, of which the most useful are taken"),
  minimumSimilarity: share()
    .default(0)
    .describe(
      "An item's score for a task, as a share of the task's own, below which it is no candidate",
    ),
  capacity: integer(1, 1_000_000).default(500).describe("Items kept; the oldest leave"),
  learningRate: share().default(0.3).describe("Step of an item's value towards what it earned"),
  exploration: share()
    .default(0)
    .describe("Share of items that are drawn at random from the candidates"),
  minimumUses: integer(1, 1_000_000)
    .default(5)
    .describe("An item used this often is forgotten when it helped too rarely"),
  minimumShare: share().default(0.3).describe("Share of its uses that must have succeeded"),
  rewrites: integer(1, 10_000)
    .default(2)
    .describe("Rollouts of an iteration that texts are rewritten from"),
  characters: integer(16, 1_000_000).default(300).describe("Length of an item, and of a text"),
});
