/** For tests: where the fields of shapes, participants and memory are read, and values that a run must feel. */
import { resolve } from "node:path";

export interface FieldSetting {
  readonly recipe: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const shaped = (fields: FieldSetting["fields"] = {}): FieldSetting => ({
  recipe: "starter",
  fields: { "evaluation.every": 0, ...fields },
});

const BRANCHES = { "collect.kind": "branches", "collect.count": 2, "scaffold.maxTurns": 6 };
const USER = { "participants.user": "policy" };
const ITEMS = { "memory.kind": "q-values", "memory.items": 1, "algo.iterations": 4 };
const COUNTS = { ...ITEMS, "memory.kind": "success-counts" };

/** By prefix of the path; the longest that matches counts. */
export const SHAPE_SETTINGS: { readonly [prefix: string]: FieldSetting } = {
  "shapes.": shaped(),
  "collect.at": shaped(BRANCHES),
  "collect.every": shaped({ ...BRANCHES, "collect.at": "every" }),
  "collect.tokens": shaped({ ...BRANCHES, "collect.kind": "branches", "collect.count": 1 }),
  "collect.sharedPrefix": shaped(BRANCHES),
  "collect.pool": shaped({ "collect.kind": "restarts", "collect.share": 0.5, "algo.iterations": 3 }),
  "shapes.window": shaped({ "context.kind": "window", "context.turns": 1 }),
  "context.tokens": shaped({ "context.kind": "summary", "context.tokens": 50 }),
  "context.most": shaped({ "context.kind": "summary", "context.tokens": 50 }),
  "context.chunkCharacters": shaped({ "context.kind": "state", "scaffold.maxTokens": 190 }),
  "collect.carry": shaped({ "collect.kind": "chains", "collect.length": 2 }),
  "collect.attempts.feedback": shaped({ "collect.attempts.most": 2 }),
  "participants.": shaped(),
  "participants.trainedUser": shaped(USER),
  "participants.trainedUser.opposed": shaped({
    ...USER,
    "participants.trainedUser": true,
    "credit.key": "role",
  }),
  "participants.plan": shaped({ "participants.planner": true }),
  "participants.planner": shaped(),
  "participants.planner.trained": shaped({ "participants.planner": true }),
  "memory.": shaped(ITEMS),
  "memory.kind": shaped(),
  "memory.minimumUses": shaped(COUNTS),
  "memory.minimumShare": shaped({ ...COUNTS, "memory.minimumUses": 1 }),
  "memory.rewrites": shaped({ "memory.kind": "texts" }),
};

/** Where a neighbouring value would say nothing. */
export const SHAPE_VALUES: { readonly [path: string]: unknown } = {
  "collect.kind": "branches", "collect.count": 2,
  "collect.at": "random",
  "collect.every": 3,
  "collect.tokens": 1,
  "collect.kind": "restarts", "collect.share": 0.5,
  "collect.pool": 1,
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
