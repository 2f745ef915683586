/** Checks of the final state, derived from a task's goal. */
export { isSameAnswer } from "./answer.ts";
export { comparedText } from "./compared-text.ts";
export { TaskChecks } from "./task-checks.ts";
