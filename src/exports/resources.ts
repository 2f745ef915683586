/**
 * `bowline/resources`: APIs declared by what they do with the rows of a table. They become ordinary `defineApi`s that
 * list, show, add, change and remove rows; see docs/goals.md and the comment at the top of
 * src/world/resources/resource.ts.
 */
export * from "../world/resources/index.ts";
