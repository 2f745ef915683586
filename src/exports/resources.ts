/**
 * `bowline/resources`: APIs declared by what they do with the rows of a table. `resource` and `listOf` make ordinary
 * `defineApi`s of lists, showing, adding, changing and removing; see docs/goals.md and the head of src/world/resources/resource.ts.
 */
export * from "../world/resources/index.ts";
