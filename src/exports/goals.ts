/**
 * `bowline/goals`: goals composed from parts. The parts of a world's apps (collections with clauses, relations,
 * actions, facts) are composed to tasks, each with an instruction, checks and a solution; see docs/goals.md.
 */
export * from "../goals/index.ts";
export { COMPOSED_SPLITS, type ComposedSplit } from "../spec/index.ts";
