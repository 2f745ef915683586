/** Checks over the final state, derived from a task's goal. */
export { looseText, sameAnswer } from "./answer.ts";
export { TaskChecks } from "./task-checks.ts";
