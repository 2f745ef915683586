/**
 * Recipes with fields of rollout shapes, participants and memory, and values of these fields, for tests of single
 * fields.
 */
import { resolve } from "node:path";

/** A recipe with values for some of its fields. */
export interface FieldSetting {
  readonly recipe: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const onPolicySetting = (fields: FieldSetting["fields"] = {}): FieldSetting => ({
  recipe: "starter/on-policy",
  fields: { "evaluation.every": 0, ...fields },
});

const BRANCHES = { "collect.kind": "branches", "collect.count": 2, "scaffold.maxTurns": 6 };
const RESTARTS = { "collect.kind": "restarts", "algo.iterations": 3 };
const CHAINS = { "collect.kind": "chains", "collect.length": 2 };
const USER = { "participants.user": "policy" };
const TRAINED = { ...USER, "participants.trainedUser": true, "credit.key": "role" };
const ITEMS = { "memory.kind": "q-values", "memory.items": 1, "algo.iterations": 4 };
const COUNTS = { ...ITEMS, "memory.kind": "success-counts" };
const SUMMARY = { "context.kind": "summary", "context.tokens": 50 };

/** A recipe in which a field has an effect, by prefix of the field's path. The longest matching prefix counts. */
export const SHAPE_SETTINGS: { readonly [prefix: string]: FieldSetting } = {
  "collect.": onPolicySetting(),
  "collect.count": onPolicySetting({ ...BRANCHES, "collect.count": 1 }),
  "collect.at": onPolicySetting(BRANCHES),
  "collect.attempts": onPolicySetting(),
  "collect.attempts.feedback": onPolicySetting({ "collect.attempts.most": 2 }),
  "collect.attempts.most": onPolicySetting({ "collect.attempts.most": 2 }),
  "collect.every": onPolicySetting({ ...BRANCHES, "collect.at": "every" }),
  "collect.tokens": onPolicySetting({ ...BRANCHES, "collect.count": 1 }),
  "collect.sharedPrefix": onPolicySetting(BRANCHES),
  "collect.share": onPolicySetting({ ...RESTARTS, "collect.share": 0.5 }),
  "collect.pool": onPolicySetting({ ...RESTARTS, "collect.share": 0.5 }),
  "collect.length": onPolicySetting(CHAINS),
  "collect.carry": onPolicySetting(CHAINS),
  "collect.characters": onPolicySetting(CHAINS),
  "context.": onPolicySetting(),
  "context.turns": onPolicySetting({ "context.kind": "window", "context.turns": 1 }),
  "context.drops": onPolicySetting({ "context.kind": "window", "context.turns": 1 }),
  "context.tokens": onPolicySetting(SUMMARY),
  "context.most": onPolicySetting(SUMMARY),
  "context.chunkCharacters": onPolicySetting({
    "context.kind": "state",
    "scaffold.maxTokens": 190,
  }),
  "participants.": onPolicySetting(),
  "participants.trainedUser": onPolicySetting(USER),
  "participants.trainedUser.opposed": onPolicySetting(TRAINED),
  "participants.planner": onPolicySetting(),
  "participants.planner.": onPolicySetting({ "participants.planner": true }),
  "memory.": onPolicySetting(ITEMS),
  "memory.kind": onPolicySetting(),
  "memory.minimumUses": onPolicySetting(COUNTS),
  "memory.minimumShare": onPolicySetting({ ...COUNTS, "memory.minimumUses": 1 }),
  "memory.rewrites": onPolicySetting({ "memory.kind": "texts" }),
};

/** Values that change a run, for fields whose next value in order would change nothing. */
export const SHAPE_VALUES: { readonly [path: string]: unknown } = {
  "collect.kind": "chains",
  "collect.count": 2,
  "collect.at": "random",
  "collect.every": 3,
  "collect.tokens": 1,
  "collect.share": 0.25,
  "collect.pool": 1,
  "collect.attempts.most": 3,
  "collect.length": 3,
  "collect.characters": 16,
  "context.kind": "window",
  "context.turns": 2,
  "context.tokens": 70,
  "context.most": 0,
  "context.chunkCharacters": 12,
  "participants.user": "reminder",
  "participants.judge": resolve("examples/judge.ts"),
  "memory.kind": "q-values",
  "memory.items": 3,
  "memory.candidates": 1,
  "memory.minimumSimilarity": 0.99,
  "memory.capacity": 1,
  "memory.learningRate": 1,
  "memory.exploration": 1,
  "memory.minimumUses": 1,
  "memory.minimumShare": 1,
  "memory.rewrites": 1,
  "memory.characters": 16,
};
