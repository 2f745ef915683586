/** Questions of many rollouts: a small language, the facts that it asks about, and groups of facts by task. */
export { compareUse, type UseChange, type UseComparison } from "./compare-use.ts";
export { addFirstDifferences, listCalls } from "./first-difference.ts";
export { groupByTask, type TaskOfRun, type TaskPoint, type TaskRow } from "./group-by-task.ts";
export { asksForText, matchesFacts, matchesText } from "./match-query.ts";
export { parseQuery, type Query, type QueryTerm } from "./parse-query.ts";
export {
  describeQueryFields,
  QUERY_FIELDS,
  type QueryField,
  type QueryFieldName,
} from "./query-fields.ts";
export { collectFacts, type NotedCredit, placeFacts } from "./rollout-facts.ts";
export { compareFileNames, parseFileName, type RolloutFileName } from "./rollout-files.ts";
export { compareRuns, countValues, type RunDifference, sortFacts } from "./sort-facts.ts";
