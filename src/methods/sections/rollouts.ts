/**
 * Configuration sections that change the shape of rollouts: how a group is collected, what the agent sees, who takes
 * part, what is remembered between episodes. In the paper, a rollout is one growing row of tokens, written by one agent
 * that remembers nothing.
 */
import { z } from "zod";
import { choice, offByDefault, section, withDescription } from "../../core/index.ts";
import { integer, number, share } from "./numbers.ts";

const attempts = offByDefault(
  "Lets the agent try a failed training task again in the same rollout, with feedback",
  section({
    most: integer(2, 16).default(2).describe("Number of times that a task may be tried"),
    feedback: z
      .enum(["try-again", "checks"])
      .default("try-again")
      .describe(
        "Feedback on a failed attempt: try-again, only that it failed; checks, also which checks failed",
      ),
  }),
);

const branchAt = choice(
  "at",
  "Where rollouts are forked: entropy, at the turn whose first tokens are least certain; logprob, at the least likely turn; every, after a fixed number of turns; random, at a random turn",
  {
    entropy: section({
      tokens: integer(1, 1000)
        .default(8)
        .describe("Number of tokens at the start of a turn whose mean surprise is measured"),
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
      "How the rollouts of a task begin: groups, all from the start (paper); branches, some are forked from others; restarts, some begin in the middle of an earlier rollout; chains, tasks are solved one after another",
      {
        groups: section({ attempts }),
        branches: section(
          {
            count: integer(1, 1023)
              .default(2)
              .describe("Number of rollouts of a group that are forked from its other rollouts"),
            sharedPrefix: z
              .enum(["masked", "attributed"])
              .default("masked")
              .describe(
                "How the turns before a fork count: masked, as context of the forked rollout; attributed, as actions of every rollout that contains them",
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
              "Number of stored beginnings. Those from groups with the most different returns are kept",
            ),
        }),
        chains: section({
          attempts,
          length: integer(2, 3)
            .default(2)
            .describe("Number of tasks of one scenario that are solved one after another"),
          carry: z
            .enum(["notes", "skills"])
            .default("notes")
            .describe(
              "What later tasks of a chain see of earlier ones: notes, a note by the policy; skills, the whole programs of tasks that passed",
            ),
          characters: integer(16, 1_000_000)
            .default(300)
            .describe(
              "Maximum length, in characters, of a text that is carried to later tasks. Notes are cut, longer skills are left out",
            ),
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
      "What the agent sees: growing, everything (paper); window, only the last turns; summary, everything, but summarised when it gets long; state, a text that the agent rewrites in each turn",
      {
        growing: section({}),
        window: section({
          turns: integer(1, 1000).default(2).describe("Number of turns in the window"),
          drops: z
            .enum(["turns", "observations"])
            .default("turns")
            .describe(
              "What is dropped from older turns: turns, the whole turn; observations, only the observation",
            ),
        }),
        summary: section({
          tokens: integer(16, 131_072)
            .default(256)
            .describe("Number of tokens at which the policy has to summarise its context"),
          most: integer(0, 1000)
            .default(4)
            .describe(
              "Largest number of summaries in a rollout. When another one would be needed, the rollout ends",
            ),
        }),
        state: section({
          chunkCharacters: integer(1, 10_000_000)
            .nullable()
            .default(null)
            .describe(
              "Length, in characters, of the pieces in which a long observation is read. The state is rewritten after each piece; null: observations are read whole",
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
        "Who speaks after observations: none; reminder, which repeats the task; errors, which repeats what failed so far; policy; or the path of a module",
      ),
    trainedUser: offByDefault(
      "Learns also from the user that the policy plays, as a separate role",
      section({
        opposed: z
          .boolean()
          .default(false)
          .describe("Pays the trained user 1 - R instead of R, where R is the agent's return"),
      }),
    ),
    planner: offByDefault(
      "Lets the policy write a plan before it acts",
      section({
        every: integer(0, 1000)
          .default(0)
          .describe(
            "Number of turns after which the policy plans again; 0: it plans only at the start",
          ),
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
      "Where the text of a memory item comes from: record, the code that ran; policy, a note that the policy writes after the episode",
    ),
  items: integer(1, 100).default(2).describe("Number of memory items in a prompt"),
  candidates: integer(1, 1000)
    .default(5)
    .describe(
      "Number of memory items that are most similar to a task in their words. The most useful ones among them are put into the prompt",
    ),
  minimumSimilarity: share()
    .default(0)
    .describe(
      "Least similarity of a memory item to the task, as a share of the task's similarity to itself",
    ),
  capacity: integer(1, 1_000_000)
    .default(500)
    .describe("Number of memory items that are kept. The oldest are dropped first"),
  exploration: share()
    .default(0)
    .describe("Share of memory items that are drawn at random from the candidates"),
  characters: integer(16, 1_000_000)
    .default(300)
    .describe("Maximum length of a memory item's text, in characters"),
};

export const memory = withDescription(
  "What is remembered between episodes, without a change of weights",
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
            .describe(
              "Share of the distance by which a memory item's value moves towards a new return",
            ),
        }),
        "success-counts": section({
          ...ITEMS,
          minimumUses: integer(1, 1_000_000)
            .default(5)
            .describe(
              "Number of uses after which a memory item is forgotten if it helped too rarely",
            ),
          minimumShare: share()
            .default(0.3)
            .describe("Least share of successful uses with which a memory item is kept"),
        }),
        texts: section({
          rewrites: integer(1, 10_000)
            .default(2)
            .describe(
              "Number of rollouts in each iteration after which the two texts are rewritten",
            ),
          characters: integer(16, 1_000_000)
            .default(300)
            .describe("Maximum length of each text, in characters"),
        }),
      },
    ),
  ),
);

/** The sections of methods that collect groups. */
export const ROLLOUTS = { collect, context, participants, memory };
