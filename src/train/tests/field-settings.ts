/** For tests: where the fields of shapes, participants and memory are read, and values that a run must feel. */
import { resolve } from "node:path";

export interface FieldSetting {
  readonly recipe: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const shaped = (fields: FieldSetting["fields"] = {}): FieldSetting => ({
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

/** By prefix of the path; the longest that matches counts. */
export const SHAPE_SETTINGS: { readonly [prefix: string]: FieldSetting } = {
  "collect.": shaped(),
  "collect.count": shaped({ ...BRANCHES, "collect.count": 1 }),
  "collect.at": shaped(BRANCHES),
  "collect.attempts": shaped(),
  "collect.attempts.feedback": shaped({ "collect.attempts.most": 2 }),
  "collect.attempts.most": shaped({ "collect.attempts.most": 2 }),
  "collect.every": shaped({ ...BRANCHES, "collect.at": "every" }),
  "collect.tokens": shaped({ ...BRANCHES, "collect.count": 1 }),
  "collect.sharedPrefix": shaped(BRANCHES),
  "collect.share": shaped({ ...RESTARTS, "collect.share": 0.5 }),
  "collect.pool": shaped({ ...RESTARTS, "collect.share": 0.5 }),
  "collect.length": shaped(CHAINS),
  "collect.carry": shaped(CHAINS),
  "collect.characters": shaped(CHAINS),
  "context.": shaped(),
  "context.turns": shaped({ "context.kind": "window", "context.turns": 1 }),
  "context.drops": shaped({ "context.kind": "window", "context.turns": 1 }),
  "context.tokens": shaped(SUMMARY),
  "context.most": shaped(SUMMARY),
  "context.chunkCharacters": shaped({ "context.kind": "state", "scaffold.maxTokens": 190 }),
  "participants.": shaped(),
  "participants.trainedUser": shaped(USER),
  "participants.trainedUser.opposed": shaped(TRAINED),
  "participants.planner": shaped(),
  "participants.planner.": shaped({ "participants.planner": true }),
  "memory.": shaped(ITEMS),
  "memory.kind": shaped(),
  "memory.minimumUses": shaped(COUNTS),
  "memory.minimumShare": shaped({ ...COUNTS, "memory.minimumUses": 1 }),
  "memory.rewrites": shaped({ "memory.kind": "texts" }),
};

/** Where a neighbouring value would say nothing. */
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
