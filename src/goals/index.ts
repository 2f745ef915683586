/**
 * The kit for goals. It turns parts into tasks, each with its instruction, its intended changes, checks and a solution.
 *
 * A part says three things independently of each other: its words, its meaning on tables, and its code. The kit
 * composes parts, draws values and words, and proves at once what can be proved without the APIs.
 */
export { type ComposeRequest, composeScenario } from "./compose.ts";
export { type Attempt, makeDrawContext, NothingToDraw, startAttempt } from "./draw.ts";
export { relationToShared } from "./drawn-set.ts";
export * from "./kit/index.ts";
export {
  type Language,
  type LanguageChoices,
  lowerFirstLetter,
  type Person,
  plainLanguage,
} from "./language.ts";
export * from "./parts.ts";
export { type ComposerOptions, scenarioComposer } from "./scenario.ts";
export { SignatureSchedule } from "./schedule.ts";
export {
  appsOfGoal,
  type GoalShape,
  goalDifficulty,
  type SetShape,
  signatureOfGoal,
} from "./shapes.ts";
export { assignSplit, enumerateGoals } from "./signatures.ts";
export { dayInWords, everyoneWhoDoesToEach, moneyInWords, saysOneIsEnough } from "./words.ts";
