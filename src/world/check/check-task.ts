/** Proves one task: its solution passes, doing nothing fails, mutants fail, equivalents pass. */
import { assert, Rng } from "../../core/index.ts";
import type { DemonstrationStyle, Evaluation } from "../../spec/index.ts";
import { demonstrate, LiveEpisode, type WorldInstance } from "../episode/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { makeEquivalents } from "./equivalents.ts";
import { isFinish, makeMutants, type Variant } from "./mutants.ts";
import { type Call, type Replayed, Replayer } from "./replay.ts";

export interface TaskReport {
  readonly task: string;
  readonly solutionPass: boolean;
  /** What went wrong with the solution itself. */
  readonly why?: string;
  readonly hastyPass: boolean;
  readonly noopFail: boolean;
  /** Distinct mutants; those that leave the same data behind as the solution are none. */
  readonly mutants: number;
  readonly survivors: readonly { readonly mutant: string; readonly why: string }[];
  readonly equivalents: number;
  readonly rejected: readonly { readonly equivalent: string; readonly why: string }[];
}

/** Throws a `world` error when the task has no solution or its goal fails. */
export async function checkTask(
  world: WorldInstance,
  sandbox: Sandbox,
  taskId: string,
  seed: number,
): Promise<TaskReport> {
  const solve = (style: DemonstrationStyle) => runSolution(world, sandbox, taskId, style, seed);
  const careful = await solve("careful");
  const hasty = await solve("hasty");
  const replayer = new Replayer(world, world.start(taskId));
  const noop = replayer.run([{ app: "me", api: "finishTask", args: {} }]);
  const right = replayer.run(careful.calls);
  const passed = careful.evaluation.passed && right.evaluation.passed;
  const why = careful.evaluation.passed
    ? `its calls alone do not pass: ${failures(right.evaluation)}`
    : failures(careful.evaluation);
  return {
    task: taskId,
    solutionPass: passed,
    ...(passed ? {} : { why }),
    hastyPass: hasty.evaluation.passed,
    noopFail: !noop.evaluation.passed,
    ...(passed ? tryVariants(replayer, careful.calls, right, seed) : NO_VARIANTS),
  };
}

const NO_VARIANTS = { mutants: 0, survivors: [], equivalents: 0, rejected: [] };

async function runSolution(
  world: WorldInstance,
  sandbox: Sandbox,
  taskId: string,
  style: DemonstrationStyle,
  seed: number,
): Promise<{ calls: readonly Call[]; evaluation: Evaluation }> {
  const episode = LiveEpisode.open(world, sandbox, taskId);
  try {
    const { turns, evaluation } = await demonstrate(episode, style, seed);
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

function argsOf(args: unknown): Call["args"] {
  assert(
    args === undefined || args === null || typeof args === "object",
    "a successful call has named arguments",
  );
  return (args ?? {}) as Call["args"];
}

function tryVariants(replayer: Replayer, calls: readonly Call[], right: Replayed, seed: number) {
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
