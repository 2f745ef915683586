/**
 * Proves what can be proved about a task of a foreign world: its solution passes, also a second time, and doing nothing
 * fails. There are no mutants and equivalents, because nothing is known about the apps' state.
 */
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { Demonstration, Evaluation, World } from "../../spec/index.ts";
import type { TaskReport } from "../check/index.ts";

/** What a check needs from a foreign world. */
type CheckableWorld = Pick<World, "seed" | "open" | "demonstrate"> & {
  readonly isDeterministic: boolean;
};

/** Proves one task. Failures of the apps are reported like failures of the solution. */
export async function checkForeignTask(world: CheckableWorld, taskId: string): Promise<TaskReport> {
  const careful = await tryDemonstration(world, taskId, "careful");
  const again = await tryDemonstration(world, taskId, "careful");
  const hasty = await tryDemonstration(world, taskId, "hasty");
  const noop = await evaluateNoop(world, taskId);
  const why = explainFailure(careful);
  const unsteady = compareRuns(careful, again);
  return {
    task: taskId,
    solutionPass: why === undefined,
    ...(why !== undefined && { why }),
    hastyPass:
      explainFailure(hasty) === undefined && describeCalls(hasty) !== describeCalls(careful),
    noopFail: !noop.passed,
    ...{ mutants: 0, survivors: [], equivalents: 0, rejected: [], exceptions: [] },
    ...(world.isDeterministic && unsteady !== undefined && { unsteady }),
  };
}

type Attempt = Demonstration | { readonly why: string };

/** Runs the solution, or returns why it could not be run to its end. */
async function tryDemonstration(
  world: CheckableWorld,
  taskId: string,
  style: Demonstration["style"],
): Promise<Attempt> {
  try {
    return await world.demonstrate(taskId, style, world.seed);
  } catch (error) {
    if (!BowlineError.is(error) || error.code !== "world") throw error;
    return { why: errorMessage(error) };
  }
}

async function evaluateNoop(world: CheckableWorld, taskId: string): Promise<Evaluation> {
  const episode = await world.open(taskId);
  try {
    await episode.step("await apis.me.finishTask({})");
    return await episode.evaluate();
  } finally {
    await episode.close();
  }
}

function explainFailure(attempt: Attempt): string | undefined {
  if ("why" in attempt) return attempt.why;
  const failed = attempt.evaluation.checks.filter(({ passed }) => !passed);
  if (failed.length === 0) return undefined;
  return failed.map(({ name, detail }) => (detail ? `${name}: ${detail}` : name)).join("; ");
}

function describeCalls(attempt: Attempt): string {
  if ("why" in attempt) return "";
  const calls = attempt.turns.flatMap(({ result }) => result.calls);
  return JSON.stringify(calls.map(({ app, api, args }) => [app, api, args]));
}

function compareRuns(a: Attempt, b: Attempt): string | undefined {
  if ("why" in a || "why" in b) return undefined;
  const read = ({ turns, evaluation }: Demonstration) => [
    ...turns.map(({ result }) => result.text),
    JSON.stringify(evaluation),
  ];
  const [one, other] = [read(a), read(b)];
  const at = one.findIndex((text, i) => text !== other[i]);
  if (at < 0 && one.length === other.length) return undefined;
  return `the solution sees something else when it runs a second time: ${JSON.stringify(one[at]?.slice(0, 150))}, then ${JSON.stringify(other[at]?.slice(0, 150))}; write deterministic: false into the world`;
}
