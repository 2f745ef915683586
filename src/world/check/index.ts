/** Proofs that tasks mean what they say, by solutions, mutants and equivalents. */
export type { Agreement, JudgedState } from "./agreement.ts";
export { describeAsValidation, type ValidationResult } from "./auto-validation.ts";
export { checkTask, type TaskReport } from "./check-task.ts";
export { type CheckableWorld, checkTasks, sumReports, type WorldReport } from "./check-world.ts";
export { apisWithoutExample } from "./examples.ts";
export type { HandlerException } from "./exceptions.ts";
export {
  checkLifeRules,
  type LifeReport,
  type LifeRuleReport,
  type NamedPopulation,
} from "./life.ts";
export { measureSolution, type SolutionMeasure } from "./measure-solution.ts";
export {
  compareFingerprints,
  comparePopulations,
  explainUnsteadiness,
  fingerprintTask,
  type Population,
  readPopulation,
  SecondDrawing,
  type TaskFingerprint,
} from "./redraw.ts";
export { computeSplitFacts, type SplitFacts } from "./split-facts.ts";
