/**
 * Runs a task's solution in a fresh episode. Returns its calls, whether it passed, and which code cell failed and why.
 */
import { assert, errorMessage } from "../../core/index.ts";
import type { DemonstrationStyle, Evaluation, StepResult } from "../../spec/index.ts";
import type { Solution } from "../define.ts";
import {
  demonstrate,
  describeFailedCell,
  LiveEpisode,
  type WorldInstance,
} from "../episode/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { suggestCure } from "./cures.ts";
import type { Call, FaultyCall } from "./replay.ts";

/** The task to solve, with its world, a sandbox, and the seed of the solution's choices. */
export interface SolutionTarget {
  readonly world: WorldInstance;
  readonly sandbox: Sandbox;
  readonly taskId: string;
  readonly seed: number;
}

export interface SolutionOutcome {
  /** The calls that succeeded. */
  readonly calls: readonly Call[];
  readonly passed: boolean;
  /**
   * The reason why the solution did not pass: the cell that failed and the checks that failed, or what the solution
   * itself threw.
   */
  readonly why?: string;
  /** The calls that ran into a bug of the world. */
  readonly faulty: readonly FaultyCall[];
}

/** Runs a solution, by default the task's own. Throws a `world` error when there is none, or when the goal fails. */
export async function runSolution(
  { world, sandbox, taskId, seed }: SolutionTarget,
  style: DemonstrationStyle,
  solution?: Solution,
): Promise<SolutionOutcome> {
  const episode = LiveEpisode.open(world, sandbox, taskId);
  const results: StepResult[] = [];
  const keepResult = (result: StepResult) => void results.push(result);
  try {
    const run = solution ?? episode.start.task.solution;
    const { evaluation } = await demonstrate(episode, style, seed, run, keepResult);
    if (evaluation.passed) return { ...collectCalls(results), passed: true };
    const why = [...describeFailedCell(results), formatFailedChecks(evaluation)].join("; ");
    return { ...collectCalls(results), passed: false, why };
  } catch (error) {
    if (episode.start.task.solution === undefined && solution === undefined) throw error;
    return { ...collectCalls(results), passed: false, why: errorMessage(error) };
  } finally {
    episode.close();
  }
}

/** Describes the checks that failed, with the usual cure if there is one. */
export function formatFailedChecks({ checks }: Evaluation): string {
  const failed = checks.filter(({ passed }) => !passed);
  const cure = failed.map(suggestCure).find((text) => text !== undefined);
  const lines = failed.map(({ name, detail }) => `${name} (${detail})`).join("; ");
  return cure === undefined ? lines : `${lines}; ${cure}`;
}

function collectCalls(results: readonly StepResult[]): Pick<SolutionOutcome, "calls" | "faulty"> {
  const calls = results.flatMap((result) => result.calls);
  return {
    calls: calls
      .filter(({ status }) => status === 200)
      .map(({ app, api, args }) => ({ app, api, args: requireArguments(args) })),
    faulty: calls.flatMap(({ app, api, args, fault }) =>
      fault ? [{ app, api, args, fault }] : [],
    ),
  };
}

function requireArguments(args: unknown): Call["args"] {
  assert(
    args === undefined || args === null || typeof args === "object",
    "a successful call has named arguments",
  );
  return (args ?? {}) as Call["args"];
}
