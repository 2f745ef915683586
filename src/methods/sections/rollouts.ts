/**
 * Sections that give rollouts another shape than the paper's, which is one growing row of one agent that remembers
 * nothing: how a group is collected, what the agent sees, who else takes part, what is remembered over episodes.
 */
import { z } from "zod";
import { choice, offByDefault, section, withDescription } from "../../core/index.ts";
import { integer, number, share } from "./numbers.ts";

const attempts = offByDefault(
  "A failed training task may be tried again in one dialogue, with feedback",
  section({
    most: integer(2, 16).default(2).describe("Times that a task may be tried"),
    feedback: z
      .enum(["try-again", "checks"])
      .default("try-again")
      .describe("What a failed attempt is told: that it failed, or also which checks did"),
  }),
);

const branchAt = choice(
  "at",
  "Where to fork: at the turn whose first tokens were least certain, at the least likely turn, every few turns, anywhere",
  {
    entropy: section({
      tokens: integer(1, 1000)
        .default(8)
        .describe("First tokens of a turn whose mean surprise is looked at"),
    }),
    logprob: section({}),
    every: section({ every: integer(1, 1000).default(2).describe("Turns between forks") }),
    random: section({}),
  },
);

export const collect = withDescription(
  "How the rollouts of a task begin: alike (paper), forked from one another, in the middle of an earlier one, in a chain",
  section(
    {},
    choice("kind", "What the rollouts of a task are to each other", {
      groups: section({ attempts }),
      branches: section(
        {
          count: integer(1, 1023)
            .default(2)
            .describe("Rollouts of a group that are forked from its other, linear ones"),
          sharedPrefix: z
            .enum(["masked", "attributed"])
            .default("masked")
            .describe(
              "Turns before a fork: context for the forked rollout, or actions of every rollout that holds them",
            ),
        },
        branchAt,
      ),
      restarts: section({
        share: number(1e-6, 1)
          .default(0.5)
          .describe(
            "Share of an iteration's tasks that begin with a stored piece of an earlier rollout",
          ),
        pool: integer(1, 100_000)
          .default(256)
          .describe("Beginnings that are kept, those of groups whose returns differed most"),
      }),
      chains: section({
        attempts,
        length: integer(2, 3)
          .default(2)
          .describe(
            "Tasks of one scenario that a rollout solves in sequence, with what it carries along",
          ),
        carry: z
          .enum(["notes", "code"])
          .default("notes")
          .describe(
            "What later tasks of a chain see of earlier ones: a note of the policy, or its code",
          ),
        characters: integer(16, 1_000_000).default(300).describe("Length of what is carried"),
      }),
    }),
  ),
);

export const context = withDescription(
  "What the agent sees of what was said",
  section(
    {},
    choice(
      "kind",
      "All that was said (paper); the last turns; all, summed up when it grows long; a state that it rewrites each turn",
      {
        growing: section({}),
        window: section({
          turns: integer(1, 1000).default(2).describe("Turns that the window holds"),
          drops: z
            .enum(["turns", "observations"])
            .default("turns")
            .describe("What leaves the window: whole turns, or their observations"),
        }),
        summary: section({
          tokens: integer(16, 131_072)
            .default(256)
            .describe("A row that would be longer is summed up by the policy"),
          most: integer(0, 1000).default(4).describe("Summaries of a rollout; one more ends it"),
        }),
        state: section({
          chunkCharacters: integer(1, 10_000_000)
            .nullable()
            .default(null)
            .describe(
              "Longer observations are read in pieces, the state rewritten after each; null: whole",
            ),
        }),
      },
    ),
  ),
);

export const participants = withDescription(
  "Who else takes part in rollouts",
  section({
    user: z
      .string()
      .min(1)
      .default("none")
      .describe(
        "Who speaks behind observations: none, reminder (the task again), errors (what failed so far), policy, or a module's path",
      ),
    trainedUser: offByDefault(
      "The user that the policy plays is learned from too, as a role of its own",
      section({
        opposed: z.boolean().default(false).describe("The trained user's return is 1 - R, not R"),
      }),
    ),
    planner: offByDefault(
      "The policy writes a plan before it acts",
      section({
        every: integer(0, 1000)
          .default(0)
          .describe("Turns after which it plans again; 0: only at the start"),
        trained: z
          .enum(["all", "actor", "planner"])
          .default("all")
          .describe("Whose tokens are learned from"),
      }),
    ),
    judge: z
      .string()
      .min(1)
      .default("none")
      .describe("Who marks every turn from 0 to 1 in the record: none, policy, or a module's path"),
  }),
);

const ITEMS = {
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
  exploration: share()
    .default(0)
    .describe("Share of items that are drawn at random from the candidates"),
  characters: integer(16, 1_000_000).default(300).describe("Length of an item"),
};

export const memory = withDescription(
  "What is remembered over episodes without changing a weight",
  section(
    {},
    choice(
      "kind",
      "None (paper); items by learned value; items by their success; two texts that the policy rewrites",
      {
        none: section({}),
        "q-values": section({
          ...ITEMS,
          learningRate: share()
            .default(0.3)
            .describe("Step of an item's value towards what it earned"),
        }),
        "success-counts": section({
          ...ITEMS,
          minimumUses: integer(1, 1_000_000)
            .default(5)
            .describe("An item used this often is forgotten when it helped too rarely"),
          minimumShare: share().default(0.3).describe("Share of its uses that must have succeeded"),
        }),
        texts: section({
          rewrites: integer(1, 10_000)
            .default(2)
            .describe("Rollouts of an iteration that texts are rewritten from"),
          characters: integer(16, 1_000_000).default(300).describe("Length of a text"),
        }),
      },
    ),
  ),
);

/** Of methods that collect groups. */
export const ROLLOUTS = { collect, context, participants, memory };
