/** Questions of many rollouts: a small language, the facts that it asks about, and answers from run directories. */
export { findRollouts, type QueryResult } from "./find-rollouts.ts";
export { groupByTask, type TaskOfRun, type TaskPoint, type TaskRow } from "./group-by-task.ts";
export { asksForText, matchesFacts, matchesText } from "./match-query.ts";
export { parseQuery, type Query, type QueryTerm } from "./parse-query.ts";
export { describeQueryFields, QUERY_FIELDS, type QueryFieldName } from "./query-fields.ts";
export {
  collectFacts,
  type NotedCredit,
  type Phase,
  type RolloutFacts,
  type RolloutPart,
} from "./rollout-facts.ts";
