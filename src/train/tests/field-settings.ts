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

const BRANCHES = { "shapes.branches": 2, "scaffold.maxTurns": 6 };
const USER = { "participants.user": "policy" };
const ITEMS = { "memory.kind": "q-values", "memory.items": 1, "algo.iterations": 4 };
const COUNTS = { ...ITEMS, "memory.kind": "success-counts" };

/** By prefix of the path; the longest that matches counts. */
export const SHAPE_SETTINGS: { readonly [prefix: string]: FieldSetting } = {
  "shapes.": shaped(),
  "shapes.branchAt": shaped(BRANCHES),
  "shapes.branchEvery": shaped({ ...BRANCHES, "shapes.branchAt": "every" }),
  "shapes.branchTokens": shaped({ ...BRANCHES, "shapes.branches": 1 }),
  "shapes.sharedPrefix": shaped(BRANCHES),
  "shapes.restartPool": shaped({ "shapes.restartShare": 0.5, "algo.iterations": 3 }),
  "shapes.window": shaped({ "shapes.context": "window", "shapes.windowTurns": 1 }),
  "shapes.contextTokens": shaped({ "shapes.context": "summary", "shapes.contextTokens": 50 }),
  "shapes.maxSummaries": shaped({ "shapes.context": "summary", "shapes.contextTokens": 50 }),
  "shapes.chunkCharacters": shaped({ "shapes.context": "state", "scaffold.maxTokens": 190 }),
  "shapes.carry": shaped({ "shapes.chainLength": 2 }),
  "shapes.feedback": shaped({ "shapes.attempts": 2 }),
  "participants.": shaped(),
  "participants.trainUser": shaped(USER),
  "participants.opposed": shaped({
    ...USER,
    "participants.trainUser": true,
    "credit.key": "role",
  }),
  "participants.plan": shaped({ "participants.planner": true }),
  "participants.planner": shaped(),
  "participants.trained": shaped({ "participants.planner": true }),
  "memory.": shaped(ITEMS),
  "memory.kind": shaped(),
  "memory.minimumUses": shaped(COUNTS),
  "memory.minimumShare": shaped({ ...COUNTS, "memory.minimumUses": 1 }),
  "memory.rewrites": shaped({ "memory.kind": "texts" }),
};

/** Where a neighbouring value would say nothing. */
export const SHAPE_VALUES: { readonly [path: string]: unknown } = {
  "shapes.branches": 2,
  "shapes.branchAt": "random",
  "shapes.branchEvery": 3,
  "shapes.branchTokens": 1,
  "shapes.restartShare": 0.5,
  "shapes.restartPool": 1,
  "shapes.context": "window",
  "shapes.windowTurns": 2,
  "shapes.contextTokens": 70,
  "shapes.maxSummaries": 0,
  "shapes.chunkCharacters": 12,
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
