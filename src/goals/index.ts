/**
 * The kit for goals: parts of a goal in, tasks out, each with its instruction, its intended changes, its checks and its solution.
 *
 * A part says three things independently: its words, its meaning on tables, its code. The kit composes them, draws values and
 * words, and proves at once what can be proved without the APIs.
 */
export { type ComposeRequest, composeScenario } from "./compose.ts";
export { type Attempt, drawOf, NothingToDraw, newAttempt } from "./draw.ts";
export * from "./kit/index.ts";
export {
  type Language,
  type LanguageChoices,
  lowered,
  type Person,
  plainLanguage,
} from "./language.ts";
export * from "./parts.ts";
export { composed, type Goals } from "./scenario.ts";
export { Schedule } from "./schedule.ts";
export { inEach } from "./sets.ts";
export { appsOfGoal, difficultyOf, type GoalShape, nameOfGoal, type SetShape } from "./shapes.ts";
export { compositions, splitOf } from "./signatures.ts";
export { dayWords, eachOf, moneyWords, saysAny } from "./words.ts";
