/**
 * Proves that a world's tasks mean what they say, and adds up the results over all tasks. `bowline world check` prints
 * the report.
 */
import { BowlineError, mapConcurrently } from "../../core/index.ts";
import type { Split } from "../../spec/index.ts";
import { type Agreement, sumAgreements } from "./agreement.ts";
import type { TaskReport } from "./check-task.ts";
import type { BrokenPart } from "./claims.ts";
import { type HandlerException, mergeExceptions } from "./exceptions.ts";

/** A broken task, with the part that causes the failure if it is known. */
export interface Failure {
  readonly task: string;
  readonly why: string;
  readonly part?: BrokenPart;
}

/** The fields of `bowline world check --json`. Numbers are counts; `score` and `acceptance` are shares. */
export interface WorldReport {
  readonly split: Split;
  readonly tasks: number;
  readonly solutionPass: number;
  readonly noopFail: number;
  readonly mutants: number;
  readonly killed: number;
  /** The share of mutants that were killed: killed / mutants. */
  readonly score: number;
  readonly equivalents: number;
  readonly accepted: number;
  /** The share of equivalents that were accepted: accepted / equivalents. */
  readonly acceptance: number;
  readonly survivors: readonly {
    readonly task: string;
    readonly mutant: string;
    readonly why: string;
  }[];
  readonly rejected: readonly {
    readonly task: string;
    readonly equivalent: string;
    readonly why: string;
  }[];
  /**
   * Tasks whose own solution fails, that pass when nothing is done, or that change when they are drawn a second time.
   */
  readonly failures: readonly Failure[];
  /** Bugs of handlers. Each bug is listed once, with the first call that met it. */
  readonly exceptions: readonly HandlerException[];
  /** The number of tasks that the hasty solution passes although it makes other calls than the careful one. */
  readonly hastyPass: number;
  /** Agreement between derived checks and hand-written verdicts; absent when no task has a verdict. */
  readonly agreement?: Agreement;
  /** The agreement of each task that has a verdict. */
  readonly agreementByTask?: readonly ({ readonly task: string } & Omit<
    Agreement,
    "disagreements"
  >)[];
}

/** What a check needs from an opened world. */
export interface CheckableWorld {
  readonly name: string;
  readonly hasSolutions: boolean;
  check(taskId: string): Promise<TaskReport>;
}

/**
 * Checks tasks, several at the same time. Rejects with a `world` error when the world has no solutions to start from.
 */
export async function checkTasks(
  world: CheckableWorld,
  split: Split,
  taskIds: readonly string[],
  concurrency: number,
  onTask: (report: TaskReport, done: number) => void = () => {},
): Promise<WorldReport> {
  if (!world.hasSolutions) {
    throw new BowlineError(
      "world",
      `world "${world.name}" has no solutions, so its tasks cannot be checked`,
    );
  }
  let done = 0;
  const reports = await mapConcurrently(taskIds, concurrency, async (taskId) => {
    const report = await world.check(taskId);
    onTask(report, ++done);
    return report;
  });
  return summariseTasks(split, reports);
}

/** Adds up several reports, as if all tasks were in one split. */
export function sumReports(
  reports: readonly WorldReport[],
): Omit<WorldReport, "split" | "agreementByTask"> {
  const sum = (of: (report: WorldReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const [mutants, killed] = [sum((r) => r.mutants), sum((r) => r.killed)];
  const [equivalents, accepted] = [sum((r) => r.equivalents), sum((r) => r.accepted)];
  return {
    tasks: sum((r) => r.tasks),
    solutionPass: sum((r) => r.solutionPass),
    noopFail: sum((r) => r.noopFail),
    mutants,
    killed,
    score: ratio(killed, mutants),
    equivalents,
    accepted,
    acceptance: ratio(accepted, equivalents),
    survivors: reports.flatMap((r) => r.survivors),
    rejected: reports.flatMap((r) => r.rejected),
    failures: reports.flatMap((r) => r.failures),
    exceptions: mergeExceptions(reports.flatMap((r) => r.exceptions)),
    hastyPass: sum((r) => r.hastyPass),
    ...sumAgreements(reports),
  };
}

function summariseTasks(split: Split, reports: readonly TaskReport[]): WorldReport {
  const count = (test: (report: TaskReport) => boolean) => reports.filter(test).length;
  const sum = (of: (report: TaskReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const survivors = reports.flatMap(({ task, survivors }) =>
    survivors.map((s) => ({ task, ...s })),
  );
  const rejected = reports.flatMap(({ task, rejected }) => rejected.map((r) => ({ task, ...r })));
  const mutants = sum((report) => report.mutants);
  const equivalents = sum((report) => report.equivalents);
  return {
    split,
    tasks: reports.length,
    solutionPass: count((report) => report.solutionPass),
    noopFail: count((report) => report.noopFail),
    mutants,
    killed: mutants - survivors.length,
    score: ratio(mutants - survivors.length, mutants),
    equivalents,
    accepted: equivalents - rejected.length,
    acceptance: ratio(equivalents - rejected.length, equivalents),
    survivors,
    rejected,
    failures: reports.flatMap(listFailures),
    exceptions: mergeExceptions(reports.flatMap((report) => report.exceptions)),
    hastyPass: count((report) => report.hastyPass),
    ...sumAgreements(reports),
    ...collectAgreementByTask(reports),
  };
}

function collectAgreementByTask(
  reports: readonly TaskReport[],
): Pick<WorldReport, "agreementByTask"> {
  const rows = reports.flatMap(({ task, agreement }) =>
    agreement ? [{ task, verdicts: agreement.verdicts, agreed: agreement.agreed }] : [],
  );
  return rows.length === 0 ? {} : { agreementByTask: rows };
}

function listFailures({
  task,
  solutionPass,
  why,
  noopFail,
  unsteady,
  wrong,
}: TaskReport): Failure[] {
  return [
    ...(unsteady === undefined ? [] : [{ task, why: unsteady }]),
    ...(solutionPass
      ? []
      : [{ task, why: `the solution fails: ${why}`, ...(wrong ? { part: wrong } : {}) }]),
    ...(noopFail ? [] : [{ task, why: "doing nothing passes" }]),
  ];
}

/** Returns the ratio of two counts; 0 when the whole is 0, because an empty check proves nothing. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
