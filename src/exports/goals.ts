/**
 * `bowline/goals`: goals composed from parts. What a world's apps bring (collections with clauses, relations, actions, facts)
 * becomes tasks, each with an instruction, checks and a solution; see docs/goals.md.
 */
export * from "../goals/index.ts";
export { COMPOSED_SPLITS, type ComposedSplit } from "../spec/index.ts";
