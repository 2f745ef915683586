/**
 * The functions with which an app declares its parts of goals: columns, actions, phrases, relations, sources and deeds.
 */

export type { ActionListOptions, ActionSpec } from "./action-spec.ts";
export { type ActionCall, type ActionKit, actions } from "./actions.ts";
export { type AtLeastOrAtMostOptions, atLeastOrAtMost } from "./at-least-or-at-most.ts";
export {
  drawLowerBound,
  drawLowerBoundCents,
  drawSelectiveValue,
  drawUpperBound,
  drawUpperBoundCents,
} from "./bounds.ts";
export {
  type ChoiceOptions,
  drawnClause,
  drawnOnlyIf,
  drawnOnlyIfMixed,
  matchingValue,
  standaloneClause,
  type WithOrWithoutOptions,
  withOrWithout,
} from "./clauses.ts";
export { distinctIds, dollarLiteral, jsLiteral, storeAndPrint } from "./code.ts";
export {
  type CollectionOptions,
  type ColumnKit,
  type Columns,
  declareColumns,
  defineCollection,
  titleBy,
} from "./collection.ts";
export {
  atLeast,
  atMost,
  byArgument,
  byItemProperty,
  type ClauseOptions,
  type Column,
  type ColumnExposure,
  type FilterCode,
  type SuperlativePair,
} from "./columns.ts";
export { drawThenMake } from "./draw-then-make.ts";
export {
  actionWith,
  actionWithFound,
  actionWithOne,
  actionWithOneOf,
  actionWithPerson,
  actionWithValue,
} from "./drawn-actions.ts";
export {
  aboutFound,
  drawFindable,
  drawnActionWithFound,
  drawnActionWithPerson,
  type FindableThing,
} from "./findable-things.ts";
export {
  amountBetween,
  customIngredient,
  type Drawn,
  type Ingredient,
  integerBetween,
  oneOf,
  someone,
  taskValue,
} from "./ingredients.ts";
export {
  allItemsExpression,
  distinctFromEach,
  propertyOfMembers,
  propertyOnAllPages,
  readAllPages,
} from "./paging.ts";
export * from "./parts-without-set.ts";
export {
  alternatives,
  type NeedsPhrase,
  type NounFrames,
  nounFrames,
  nouns,
  phraseAlternatives,
  phraseTag,
  superlatives,
  wordList,
} from "./phrases.ts";
export type { RowCondition } from "./row-condition.ts";
