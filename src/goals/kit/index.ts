/** The vocabulary in which an app says what it brings to goals: columns, actions, phrases, and what has no set. */
export { type ActionKit, actions, type How } from "./actions.ts";
export { centsAtLeast, centsAtMost, largest, oneOfSome, smallest } from "./bounds.ts";
export {
  type ChoiceOptions,
  clause,
  type EitherOptions,
  either,
  matching,
  mixed,
  named,
  provided,
} from "./clauses.ts";
export { distinct, dollars, js, leaves } from "./code.ts";
export {
  type At,
  asked,
  atLeast,
  atMost,
  type ClauseOptions,
  type Code,
  type Column,
  type Ranks,
  tested,
} from "./columns.ts";
export { drawing, drawingOne, finding, giving, naming, picking } from "./drawn.ts";
export { about, byName, type Told, using, withFriend } from "./found.ts";
export {
  type Drawn,
  found,
  given,
  type Ingredient,
  integer,
  oneOf,
  someone,
  sum,
} from "./ingredients.ts";
export * from "./once.ts";
export { distinctly, everyItem, gathered, onAllPages, throughPages } from "./paging.ts";
export {
  type Frames,
  forms,
  formsOf,
  frames,
  listOf,
  nouns,
  ranked,
  said,
  type Tagged,
} from "./phrases.ts";
export { type ColumnKit, type Columns, columns, type Rows, rows, titled } from "./rows.ts";
export type { ActionSpec, On } from "./spec.ts";
export { withOne } from "./uses.ts";
export type { When } from "./when.ts";
export { type WithinOptions, within } from "./within.ts";
