/** Proofs that tasks mean what they say: solutions, mutants, equivalents. */
export { checkTask, type TaskReport } from "./check-task.ts";
export { type CheckableWorld, checkTasks, type WorldReport } from "./check-world.ts";
