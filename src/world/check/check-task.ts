/**
 * Proves one task: its solution passes, doing nothing fails, mutants (wrong solutions) fail, and equivalents (other
 * right solutions) pass.
 */
import { Rng } from "../../core/index.ts";
import type { Solution, Task } from "../define.ts";
import type { WorldInstance } from "../episode/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { type Agreement, countAgreement, type JudgedState } from "./agreement.ts";
import { isFinishCall } from "./call-kinds.ts";
import { type BrokenPart, findBrokenPart } from "./claims.ts";
import { makeEquivalents } from "./equivalents.ts";
import { collectExceptions, type HandlerException } from "./exceptions.ts";
import { makeMutants } from "./mutants.ts";
import { type Call, type FaultyCall, Replayer, type ReplayResult } from "./replay.ts";
import {
  formatFailedChecks,
  runSolution,
  type SolutionOutcome,
  type SolutionTarget,
} from "./run-solution.ts";
import type { Variant } from "./variant.ts";
import { tryWrongs } from "./wrongs.ts";

/** What was proved about one task. Every number is a count. */
export interface TaskReport {
  readonly task: string;
  readonly solutionPass: boolean;
  /** What went wrong with the solution itself. */
  readonly why?: string;
  /** The part of the task that causes the failure, when the task is composed of parts whose claims can be tested. */
  readonly wrong?: BrokenPart;
  /** True when the hasty solution makes other calls than the careful one and still passes. */
  readonly hastyPass: boolean;
  readonly noopFail: boolean;
  /** The number of distinct mutants. A mutant that leaves the same data as the solution does not count. */
  readonly mutants: number;
  readonly survivors: readonly { readonly mutant: string; readonly why: string }[];
  readonly equivalents: number;
  readonly rejected: readonly { readonly equivalent: string; readonly why: string }[];
  /** Says what changes when the task is drawn a second time; absent when nothing does. */
  readonly unsteady?: string | undefined;
  /** Bugs of handlers that any of these runs met. */
  readonly exceptions: readonly HandlerException[];
  /** How often the task's own verdict agrees with the checks over all of these runs; absent without a verdict. */
  readonly agreement?: Agreement;
}

/** Proves one task. Throws a `world` error when the task has no solution or its goal fails. */
export async function checkTask(
  world: WorldInstance,
  sandbox: Sandbox,
  taskId: string,
  seed: number,
): Promise<TaskReport> {
  const target: SolutionTarget = { world, sandbox, taskId, seed };
  const careful = await runSolution(target, "careful");
  const hasty = await runSolution(target, "hasty");
  const start = world.prepareTask(taskId);
  const replayer = new Replayer(world, start);
  const noop = replayer.run(makeIdleCalls(start.task));
  const right = replayer.run(careful.calls);
  const why = explainFailure(careful, right);
  const passed = why === undefined;
  const wrong = passed ? undefined : await findBrokenPart(target);
  const { judged, faulty, ...variants } = passed
    ? tryVariants(replayer, careful.calls, right, seed)
    : NO_VARIANTS;
  const others = (passed && start.task.alternatives) || [];
  const wrongs = (passed && start.task.wrongs) || [];
  const unpunished = await tryWrongs(target, wrongs, careful.calls);
  const { failed, ends } = await tryAlternatives(others, (other) =>
    runSolution(target, "careful", other),
  );
  const twice = [
    ...judgeTwice("the solution", right),
    ...judgeTwice("doing nothing", noop),
    ...judged,
    ...ends.flatMap(({ name, calls }) => judgeTwice(name, replayer.run(calls))),
  ];
  return {
    task: taskId,
    solutionPass: passed,
    ...(passed ? {} : { why }),
    ...(wrong ? { wrong } : {}),
    hastyPass: hasty.passed && !equalCalls(hasty.calls, careful.calls),
    noopFail: !noop.evaluation.passed,
    ...variants,
    mutants: variants.mutants + wrongs.length,
    survivors: [...variants.survivors, ...unpunished],
    equivalents: variants.equivalents + others.length,
    rejected: [...variants.rejected, ...failed],
    exceptions: collectExceptions(taskId, [
      ...careful.faulty,
      ...hasty.faulty,
      ...ends.flatMap((end) => end.faulty),
      ...faulty,
    ]),
    ...(start.task.verdict ? { agreement: countAgreement(taskId, twice) } : {}),
  };
}

/** Returns the calls that only finish, once a session. */
function makeIdleCalls({ sessions = [] }: Task): Call[] {
  return Array.from({ length: sessions.length + 1 }, () => ({
    ...{ app: "me", api: "finishTask", args: {} },
  }));
}

type Variants = Pick<TaskReport, "mutants" | "survivors" | "equivalents" | "rejected"> & {
  readonly judged: readonly JudgedState[];
  readonly faulty: readonly FaultyCall[];
};
const NO_VARIANTS: Variants = {
  mutants: 0,
  survivors: [],
  equivalents: 0,
  rejected: [],
  judged: [],
  faulty: [],
};

/** Pairs both judgements of a final state. The list is empty when the task has no hand-written verdict. */
function judgeTwice(variant: string, { evaluation, handmade }: ReplayResult): JudgedState[] {
  return handmade === undefined ? [] : [{ variant, derived: evaluation.passed, handmade }];
}

/** Runs the task's other right solutions. Returns those that failed, and the outcome of every one. */
async function tryAlternatives(
  alternatives: readonly Solution[],
  run: (solution: Solution) => Promise<SolutionOutcome>,
): Promise<{
  failed: Variants["rejected"];
  ends: readonly (SolutionOutcome & { name: string })[];
}> {
  const failed: { equivalent: string; why: string }[] = [];
  const ends: (SolutionOutcome & { name: string })[] = [];
  for (const [i, solution] of alternatives.entries()) {
    const name = `alternative ${i + 1}`;
    const end = await run(solution);
    ends.push({ name, ...end });
    if (end.why !== undefined) failed.push({ equivalent: name, why: end.why });
  }
  return { failed, ends };
}

/** Explains why the solution does not pass; undefined when it passes. */
function explainFailure(careful: SolutionOutcome, right: ReplayResult): string | undefined {
  if (careful.why !== undefined || right.evaluation.passed) return careful.why;
  return `its calls alone do not pass: ${formatFailedChecks(right.evaluation)}`;
}

function equalCalls(a: readonly Call[], b: readonly Call[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function tryVariants(
  replayer: Replayer,
  calls: readonly Call[],
  right: ReplayResult,
  seed: number,
): Variants {
  const rng = new Rng(seed).child("mutants").child(replayer.start.info.id);
  const mutants = keepDistinct(replayer, makeMutants(replayer, calls, right, rng), calls, right);
  const equivalents = makeEquivalents(replayer, calls, right).map((v) => ({
    ...v,
    ...replayer.run(v.calls),
  }));
  return {
    mutants: mutants.length,
    survivors: mutants
      .filter(({ evaluation }) => evaluation.passed)
      .map(({ name, evaluation }) => ({
        mutant: name,
        why: `all ${evaluation.checks.length} checks passed`,
      })),
    equivalents: equivalents.length,
    rejected: equivalents
      .filter(({ evaluation }) => !evaluation.passed)
      .map(({ name, evaluation }) => ({ equivalent: name, why: formatFailedChecks(evaluation) })),
    judged: [...mutants, ...equivalents].flatMap((variant) => judgeTwice(variant.name, variant)),
    faulty: [...mutants, ...equivalents].flatMap((variant) => variant.faulty),
  };
}

/**
 * Keeps one mutant for each final state. Mutants that end in the same state as the solution are left out, except
 * guesses.
 */
function keepDistinct(
  replayer: Replayer,
  variants: readonly Variant[],
  calls: readonly Call[],
  right: ReplayResult,
): (Variant & ReplayResult)[] {
  const seen = new Set([endKey(right.key, calls), endKey(right.fullKey, calls)]);
  return variants.flatMap((variant) => {
    const replayed = replayer.run(variant.calls);
    const sameClock = variant.calls.length === calls.length;
    const key = endKey(sameClock ? replayed.fullKey : replayed.key, variant.calls);
    if (seen.has(key) && !variant.guess) return [];
    seen.add(key);
    return [{ ...variant, ...replayed }];
  });
}

/** Identifies a final state by the data and by what was passed to `finishTask`. */
function endKey(key: string, calls: readonly Call[]): string {
  return `${key} ${JSON.stringify(calls.findLast(isFinishCall)?.args)}`;
}
