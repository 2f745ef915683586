/** Proves one task: its solution passes, doing nothing fails, mutants fail, equivalents pass. */
import { assert, messageOf, Rng } from "../../core/index.ts";
import type { DemonstrationStyle, Evaluation } from "../../spec/index.ts";
import type { Solution } from "../define.ts";
import { demonstrate, LiveEpisode, type WorldInstance } from "../episode/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { type Agreement, agreementOf, type Judged } from "./agreement.ts";
import { makeEquivalents } from "./equivalents.ts";
import { isFinish, makeMutants, type Variant } from "./mutants.ts";
import { type Call, type Replayed, Replayer } from "./replay.ts";

/** What was proved of one task. Every number is a count. */
export interface TaskReport {
  readonly task: string;
  readonly solutionPass: boolean;
  /** What went wrong with the solution itself. */
  readonly why?: string;
  /** The hasty solution makes other calls than the careful one, and passes nevertheless. */
  readonly hastyPass: boolean;
  readonly noopFail: boolean;
  /** Distinct mutants; those that leave the same data behind as the solution are none. */
  readonly mutants: number;
  readonly survivors: readonly { readonly mutant: string; readonly why: string }[];
  readonly equivalents: number;
  readonly rejected: readonly { readonly equivalent: string; readonly why: string }[];
  /** With the task's own verdict, over the solution, doing nothing, mutants and equivalents; absent when it has none. */
  readonly agreement?: Agreement;
}

/** Throws a `world` error when the task has no solution or its goal fails. */
export async function checkTask(
  world: WorldInstance,
  sandbox: Sandbox,
  taskId: string,
  seed: number,
): Promise<TaskReport> {
  const solve = (style: DemonstrationStyle, solution?: Solution) =>
    runSolution(world, sandbox, taskId, style, seed, solution);
  const careful = await solve("careful");
  const hasty = await solve("hasty");
  const start = world.start(taskId);
  const replayer = new Replayer(world, start);
  const noop = replayer.run([{ app: "me", api: "finishTask", args: {} }]);
  const right = replayer.run(careful.calls);
  const passed = careful.evaluation.passed && right.evaluation.passed;
  const why = careful.evaluation.passed
    ? `its calls alone do not pass: ${failures(right.evaluation)}`
    : failures(careful.evaluation);
  const { judged, ...variants } = passed
    ? tryVariants(replayer, careful.calls, right, seed)
    : NO_VARIANTS;
  const others = (passed && start.task.alternatives) || [];
  const { failed, ends } = await tryAlternatives(others, (solution) => solve("careful", solution));
  const twice = [
    ...judge("the solution", right),
    ...judge("doing nothing", noop),
    ...judged,
    ...ends.flatMap(({ name, calls }) => judge(name, replayer.run(calls))),
  ];
  return {
    task: taskId,
    solutionPass: passed,
    ...(passed ? {} : { why }),
    hastyPass: hasty.evaluation.passed && !sameCalls(hasty.calls, careful.calls),
    noopFail: !noop.evaluation.passed,
    ...variants,
    equivalents: variants.equivalents + others.length,
    rejected: [...variants.rejected, ...failed],
    ...(start.task.verdict ? { agreement: agreementOf(taskId, twice) } : {}),
  };
}

type Variants = Pick<TaskReport, "mutants" | "survivors" | "equivalents" | "rejected"> & {
  readonly judged: readonly Judged[];
};
const NO_VARIANTS: Variants = {
  mutants: 0,
  survivors: [],
  equivalents: 0,
  rejected: [],
  judged: [],
};

/** Empty when the task has no verdict of its own. */
function judge(variant: string, { evaluation, handmade }: Replayed): Judged[] {
  return handmade === undefined ? [] : [{ variant, derived: evaluation.passed, handmade }];
}

/** The task's other right solutions: those that fail or break, and what each that runs through calls. */
async function tryAlternatives(
  alternatives: readonly Solution[],
  run: (solution: Solution) => Promise<{ calls: readonly Call[]; evaluation: Evaluation }>,
): Promise<{ failed: Variants["rejected"]; ends: readonly Variant[] }> {
  const failed: { equivalent: string; why: string }[] = [];
  const ends: Variant[] = [];
  for (const [i, solution] of alternatives.entries()) {
    const name = `alternative ${i + 1}`;
    try {
      const { calls, evaluation } = await run(solution);
      ends.push({ name, calls });
      if (!evaluation.passed) failed.push({ equivalent: name, why: failures(evaluation) });
    } catch (error) {
      failed.push({ equivalent: name, why: messageOf(error) });
    }
  }
  return { failed, ends };
}

async function runSolution(
  world: WorldInstance,
  sandbox: Sandbox,
  taskId: string,
  style: DemonstrationStyle,
  seed: number,
  solution?: Solution,
): Promise<{ calls: readonly Call[]; evaluation: Evaluation }> {
  const episode = LiveEpisode.open(world, sandbox, taskId);
  try {
    const { turns, evaluation } = await demonstrate(episode, style, seed, solution);
    const calls = turns
      .flatMap(({ result }) => result.calls)
      .filter(({ status }) => status === 200);
    return {
      evaluation,
      calls: calls.map(({ app, api, args }) => ({ app, api, args: argsOf(args) })),
    };
  } finally {
    episode.close();
  }
}

function sameCalls(a: readonly Call[], b: readonly Call[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function argsOf(args: unknown): Call["args"] {
  assert(
    args === undefined || args === null || typeof args === "object",
    "a successful call has named arguments",
  );
  return (args ?? {}) as Call["args"];
}

function tryVariants(
  replayer: Replayer,
  calls: readonly Call[],
  right: Replayed,
  seed: number,
): Variants {
  const rng = new Rng(seed).child("mutants").child(replayer.start.info.id);
  const mutants = distinct(replayer, makeMutants(replayer, calls, right, rng), calls, right);
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
      .map(({ name, evaluation }) => ({ equivalent: name, why: failures(evaluation) })),
    judged: [...mutants, ...equivalents].flatMap((variant) => judge(variant.name, variant)),
  };
}

/** One mutant for each final state; not those that end where the solution does, unless by a guess. */
function distinct(
  replayer: Replayer,
  variants: readonly Variant[],
  calls: readonly Call[],
  right: Replayed,
): (Variant & Replayed)[] {
  const seen = new Set([ending(right.key, calls), ending(right.fullKey, calls)]);
  return variants.flatMap((variant) => {
    const replayed = replayer.run(variant.calls);
    const sameClock = variant.calls.length === calls.length;
    const key = ending(sameClock ? replayed.fullKey : replayed.key, variant.calls);
    if (seen.has(key) && !variant.guess) return [];
    seen.add(key);
    return [{ ...variant, ...replayed }];
  });
}

/** The data left behind and what finishTask said. */
function ending(key: string, calls: readonly Call[]): string {
  return `${key} ${JSON.stringify(calls.findLast(isFinish)?.args)}`;
}

function failures({ checks }: Evaluation): string {
  const failed = checks.filter(({ passed }) => !passed);
  return failed.map(({ name, detail }) => `${name} (${detail})`).join("; ");
}
