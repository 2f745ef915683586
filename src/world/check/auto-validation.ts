/**
 * Says what `bowline world check` measured in the terms of OpenEnv's RFC 008, which validates environments: one entry
 * for each of its checks that the measurements decide. A check that they decide in part is skipped, with what is known.
 */
import type { WorldReport } from "./check-world.ts";

/** One result, with the fields of OpenEnv's `CheckResult`, except the duration: all of them come from one run. */
export interface ValidationResult {
  /** A name of RFC 008, such as `semantic.oracle_max`. */
  readonly check_id: string;
  readonly status: "pass" | "fail" | "skip";
  readonly measured: Readonly<Record<string, number>>;
  readonly evidence: readonly string[];
  /** What to change; null unless the check fails. */
  readonly remediation: string | null;
}

type MeasuredCounts = Pick<
  WorldReport,
  | "tasks"
  | "solutionPass"
  | "noopFail"
  | "mutants"
  | "killed"
  | "equivalents"
  | "accepted"
  | "failures"
  | "exceptions"
>;

/** Returns the results of RFC 008 for a report of one split or of all splits. */
export function describeAsValidation(report: MeasuredCounts): ValidationResult[] {
  return [
    goldenSolution(report),
    emptySolution(report),
    canaries(report),
    adversarialPanel(report),
    gameabilityGap(report),
    observationConformance(report),
    reproducibleSeeds(report),
    replayability(report),
  ];
}

/** Decides by whether anything was measured and whether every measurement is right. */
function decide(isRight: boolean, measurements: number): ValidationResult["status"] {
  if (measurements === 0) return "skip";
  return isRight ? "pass" : "fail";
}

function makeResult(
  check_id: string,
  status: ValidationResult["status"],
  measured: Readonly<Record<string, number>>,
  evidence: string,
  remediation: string,
): ValidationResult {
  const cure = status === "fail" ? remediation : null;
  return { check_id, status, measured, evidence: [evidence], remediation: cure };
}

function goldenSolution({ tasks, solutionPass }: MeasuredCounts): ValidationResult {
  return makeResult(
    "semantic.oracle_max",
    decide(solutionPass === tasks, tasks),
    { tasks, oracle_max: solutionPass },
    `the golden solution passes every check in ${solutionPass} of ${tasks} tasks`,
    "Mend the tasks in `failures`: a solution that fails, or a check that is wrong.",
  );
}

function emptySolution({ tasks, noopFail }: MeasuredCounts): ValidationResult {
  return makeResult(
    "semantic.floor_gap",
    decide(noopFail === tasks, tasks),
    { tasks, empty_solution_passes: tasks - noopFail },
    `an empty solution passes ${tasks - noopFail} of ${tasks} tasks`,
    "Give each task in `failures` a check that the start of the task does not pass.",
  );
}

function canaries({ mutants, killed }: MeasuredCounts): ValidationResult {
  return makeResult(
    "semantic.canary_floor",
    decide(killed === mutants, mutants),
    { canaries: mutants, canaries_that_pass: mutants - killed },
    `of ${mutants} canaries, each a wrong change of a golden solution, ${mutants - killed} pass`,
    "Add the checks that `survivors` shows to be missing.",
  );
}

/** The panel has two more members, which `world check` does not play, so it can fail here but not pass. */
function adversarialPanel(report: MeasuredCounts): ValidationResult {
  const { tasks, noopFail, mutants, killed } = report;
  const passes = tasks - noopFail + (mutants - killed);
  return makeResult(
    "statistical.adversarial_floor",
    passes > 0 ? "fail" : "skip",
    { null_passes: tasks - noopFail, degenerate_passes: mutants - killed },
    `${passes} members of the panel that do nothing or act wrongly pass; grader injection and reward search are not played`,
    "See semantic.floor_gap and semantic.canary_floor.",
  );
}

/** The gap is P(pass | right) - P(pass | wrong) over final states whose truth is known. */
function gameabilityGap(report: MeasuredCounts): ValidationResult {
  const { tasks, solutionPass, noopFail, mutants, killed, equivalents, accepted } = report;
  const [right, wrong] = [tasks + equivalents, tasks + mutants];
  const [rightPass, wrongPass] = [solutionPass + accepted, tasks - noopFail + (mutants - killed)];
  const gap = tasks === 0 ? 0 : rightPass / right - wrongPass / wrong;
  return makeResult(
    "statistical.gameability_gap",
    decide(gap === 1, tasks),
    {
      gap,
      right_endings: right,
      right_that_pass: rightPass,
      wrong_endings: wrong,
      wrong_that_pass: wrongPass,
    },
    `the share that passes is ${rightPass}/${right} of endings known to be right and ${wrongPass}/${wrong} of those known to be wrong`,
    "Mend what `survivors`, `rejected` and `failures` list.",
  );
}

function observationConformance({ tasks, exceptions }: MeasuredCounts): ValidationResult {
  return makeResult(
    "runtime.observation_schema",
    decide(exceptions.length === 0, tasks),
    { handlers_that_break_their_schema: exceptions.length },
    `every answer of an API was compared with its declared schema; ${exceptions.length} handlers threw or broke it`,
    "Mend the handlers in `exceptions`.",
  );
}

function reproducibleSeeds(report: MeasuredCounts): ValidationResult {
  const { tasks, solutionPass, noopFail, failures } = report;
  // The list of failures has an entry for each solution that fails, each empty solution that passes, and each task that
  // is not the same when it is drawn again.
  const unsteady = failures.length - (tasks - solutionPass) - (tasks - noopFail);
  return makeResult(
    "runtime.seed_control",
    decide(unsteady === 0, tasks),
    { tasks, tasks_that_change: unsteady },
    `${unsteady} of ${tasks} tasks change when they are drawn again with the same seed`,
    "Take clocks, files and other randomness out of the tasks in `failures`; draw from `rng`.",
  );
}

function replayability({ tasks, solutionPass }: MeasuredCounts): ValidationResult {
  return makeResult(
    "semantic.replayability",
    decide(solutionPass === tasks, tasks),
    { tasks, replays_that_pass: solutionPass },
    `the recorded calls of ${solutionPass} of ${tasks} golden solutions pass again without their code`,
    "Mend the tasks in `failures`.",
  );
}
