/**
 * Rewrites a demonstration for another action space than the one its solution was written in.
 *
 * A program with loops becomes the calls that it made. Values that it kept in variables are written out in the
 * arguments, because an agent without variables has to write them out. A call that only reads gets a message of its
 * own, because the next call may depend on its answer. A loop that changes one thing after another becomes one message
 * with several calls. The cells are run in a fresh episode, so the observations are those that a rollout will see.
 */
import { BowlineError } from "../core/index.ts";
import type {
  ApiCall,
  Demonstration,
  DemonstrationStyle,
  Scaffold,
  StepResult,
  World,
} from "../spec/index.ts";
import { cellForCalls, type FunctionCall } from "./call-cells.ts";

/**
 * Demonstrates a task's solution in the scaffold's action space. The promise rejects when the task has no solution, or
 * when the rewritten cells do not make the same calls with the same results.
 */
export async function demonstrateWithScaffold(
  world: Pick<World, "demonstrate" | "open">,
  scaffold: Pick<Scaffold, "cellsOf">,
  taskId: string,
  style: DemonstrationStyle,
  seed: number,
): Promise<Demonstration> {
  const shown = await world.demonstrate(taskId, style, seed);
  const cells = scaffold.cellsOf?.(shown);
  if (cells === undefined) return shown;
  const episode = await world.open(taskId);
  try {
    const turns: { code: string; result: StepResult }[] = [];
    for (const code of cells) turns.push({ code, result: await episode.step(code) });
    requireSameCalls(shown, turns);
    return { ...shown, turns, evaluation: await episode.evaluate() };
  } finally {
    await episode.close();
  }
}

/** Returns cells of function calls that make the calls of a demonstration, in order. */
export function rewriteAsCallCells({ turns }: Pick<Demonstration, "turns">): string[] {
  return turns.flatMap(({ result }) =>
    groupWrites(result.calls).map((calls) =>
      cellForCalls({ calls: calls.map(functionCallFromApiCall) }),
    ),
  );
}

/**
 * Groups consecutive calls of the same API that changed something. Every other call is a group of its own. The last
 * call of a group may have failed.
 */
function groupWrites(calls: readonly ApiCall[]): ApiCall[][] {
  const groups: ApiCall[][] = [];
  for (const call of calls) {
    const group = groups.at(-1);
    const first = group?.[0];
    const joins =
      first?.wrote === true && call.wrote && first.app === call.app && first.api === call.api;
    if (group && joins) group.push(call);
    else groups.push([call]);
  }
  return groups;
}

function functionCallFromApiCall({ app, api, args }: ApiCall): FunctionCall {
  return { app, api, args: (args ?? {}) as FunctionCall["args"] };
}

/** Throws a `world` error when the calls differ from the solution's. Equal calls lead to the same final state. */
function requireSameCalls(
  { task, turns }: Demonstration,
  replayedTurns: Demonstration["turns"],
): void {
  const listCalls = (turns: Demonstration["turns"]) =>
    turns.flatMap(({ result }) =>
      result.calls.map(({ app, api, args, status }) => [app, api, args ?? {}, status]),
    );
  if (JSON.stringify(listCalls(turns)) === JSON.stringify(listCalls(replayedTurns))) return;
  throw new BowlineError(
    "world",
    `the solution of task ${task.id} cannot be written as single calls: when made one by one, the calls return other results`,
  );
}
