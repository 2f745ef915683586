/**
 * Configuration sections that change the shape of rollouts: how a group is collected, what the agent sees, who takes
 * part, what is remembered over episodes. The paper's rollouts are one growing row of one agent that remembers nothing.
 */
import { z } from "zod";
import { choice, offByDefault, section, withDescription } from "../../core/index.ts";
import { integer, number, share } from "./numbers.ts";

const attempts = offByDefault(
  "Let the agent try a failed training task again in the same rollout, with feedback",
  section({
    most: integer(2, 16).default(2).describe("Number of times that a task may be tried"),
    feedback: z
      .enum(["try-again", "checks"])
      .default("try-again")
      .describe(
        "Feedback on a failed attempt: try-again, that it failed; checks, also which checks failed",
      ),
  }),
);

const branchAt = choice(
  "at",
  "Where to fork: entropy, at the turn with the least certain first tokens; logprob, at the least likely turn; every, after a fixed number of turns; random",
  {
    entropy: section({
      tokens: integer(1, 1000)
        .default(8)
        .describe("Number of first tokens of a turn whose mean surprise is measured"),
    }),
    logprob: section({}),
    every: section({
      every: integer(1, 1000).default(2).describe("Number of turns between forks"),
    }),
    random: section({}),
  },
);

export const collect = withDescription(
  "How the rollouts of a task begin and relate to each other",
  section(
    {},
    choice(
      "kind",
      "How the rollouts of a task begin: groups, all from the start (paper); branches, some forked from others; restarts, some in the middle of an earlier rollout; chains, tasks one after another",
      {
        groups: section({ attempts }),
        branches: section(
          {
            count: integer(1, 1023)
              .default(2)
              .describe("Number of rollouts of a group that are forked from its others"),
            sharedPrefix: z
              .enum(["masked", "attributed"])
              .default("masked")
              .describe(
                "How turns before a fork count: masked, as context of the forked rollout; attributed, as actions of every rollout that contains them",
              ),
          },
          branchAt,
        ),
        restarts: section({
          share: number(1e-6, 1)
            .default(0.5)
            .describe(
              "Share of an iteration's tasks that begin with the first turns of an earlier rollout",
            ),
          pool: integer(1, 100_000)
            .default(256)
            .describe(
              "Number of stored beginnings; those of groups with the most different returns are kept",
            ),
        }),
        chains: section({
          attempts,
          length: integer(2, 3)
            .default(2)
            .describe("Number of tasks of one scenario that are solved one after another"),
          carry: z
            .enum(["notes", "code"])
            .default("notes")
            .describe(
              "What later tasks of a chain see of earlier ones: notes, a note of the policy; code, the code that ran",
            ),
          characters: integer(16, 1_000_000)
            .default(300)
            .describe("Longest text that is carried to later tasks, in characters"),
        }),
      },
    ),
  ),
);

export const context = withDescription(
  "What the agent sees of earlier turns",
  section(
    {},
    choice(
      "kind",
      "What the agent sees: growing, everything (paper); window, the last turns; summary, everything, summed up when it grows long; state, a text that the agent rewrites in each turn",
      {
        growing: section({}),
        window: section({
          turns: integer(1, 1000).default(2).describe("Number of turns in the window"),
          drops: z
            .enum(["turns", "observations"])
            .default("turns")
            .describe(
              "What is dropped from older turns: turns, the whole turn; observations, only its observation",
            ),
        }),
        summary: section({
          tokens: integer(16, 131_072)
            .default(256)
            .describe("Number of tokens from which on the policy sums up a row"),
          most: integer(0, 1000)
            .default(4)
            .describe("Largest number of summaries in a rollout; one more ends the rollout"),
        }),
        state: section({
          chunkCharacters: integer(1, 10_000_000)
            .nullable()
            .default(null)
            .describe(
              "Length in characters of the pieces in which long observations are read, rewriting the state after each; null: read whole",
            ),
        }),
      },
    ),
  ),
);

export const participants = withDescription(
  "Who takes part in rollouts in addition to the agent",
  section({
    user: z
      .string()
      .min(1)
      .default("none")
      .describe(
        "Who speaks after observations: none, reminder (repeats the task), errors (repeats what failed so far), policy, or the path of a module",
      ),
    trainedUser: offByDefault(
      "Learn also from the user that the policy plays, as a role of its own",
      section({
        opposed: z.boolean().default(false).describe("Pays the trained user 1 - R instead of R"),
      }),
    ),
    planner: offByDefault(
      "Let the policy write a plan before it acts",
      section({
        every: integer(0, 1000)
          .default(0)
          .describe("Number of turns after which it plans again; 0: only at the start"),
        trained: z
          .enum(["all", "actor", "planner"])
          .default("all")
          .describe("Whose tokens are learned from: all, actor, or planner"),
      }),
    ),
    judge: z
      .string()
      .min(1)
      .default("none")
      .describe("Who gives every turn a mark from 0 to 1: none, policy, or the path of a module"),
  }),
);

const ITEMS = {
  author: z
    .enum(["record", "policy"])
    .default("record")
    .describe(
      "Where an item's text comes from: record, the code that ran; policy, a note that the policy writes after the episode",
    ),
  items: integer(1, 100).default(2).describe("Number of items in a prompt"),
  candidates: integer(1, 1000)
    .default(5)
    .describe(
      "Number of items nearest to a task by their words, from which the most useful are chosen",
    ),
  minimumSimilarity: share()
    .default(0)
    .describe(
      "Similarity to the task, as a share of the task's similarity to itself, below which an item is no candidate",
    ),
  capacity: integer(1, 1_000_000)
    .default(500)
    .describe("Number of items that are kept; the oldest are dropped first"),
  exploration: share()
    .default(0)
    .describe("Share of items that are drawn at random from the candidates"),
  characters: integer(16, 1_000_000)
    .default(300)
    .describe("Longest text of an item, in characters"),
};

export const memory = withDescription(
  "What is remembered over episodes without changing weights",
  section(
    {},
    choice(
      "kind",
      "What is remembered: none (paper); q-values, items chosen by a learned value; success-counts, items chosen by how often they helped; texts, two texts that the policy rewrites",
      {
        none: section({}),
        "q-values": section({
          ...ITEMS,
          learningRate: share()
            .default(0.3)
            .describe("Share of the way that an item's value moves towards a new return"),
        }),
        "success-counts": section({
          ...ITEMS,
          minimumUses: integer(1, 1_000_000)
            .default(5)
            .describe("Number of uses after which an item is forgotten if it helped too rarely"),
          minimumShare: share()
            .default(0.3)
            .describe("Share of an item's uses that must have succeeded to keep it"),
        }),
        texts: section({
          rewrites: integer(1, 10_000)
            .default(2)
            .describe("Number of rollouts per iteration after which the texts are rewritten"),
          characters: integer(16, 1_000_000).default(300).describe("Longest text, in characters"),
        }),
      },
    ),
  ),
);

/** Sections of methods that collect groups. */
export const ROLLOUTS = { collect, context, participants, memory };
