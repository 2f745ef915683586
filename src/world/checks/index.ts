/** Checks of the final state, derived from a task's goal. */
export { isSameAnswer, lettersAndDigits } from "./answer.ts";
export { TaskChecks } from "./task-checks.ts";
