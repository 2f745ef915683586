/**
 * A demonstration in another action space than its solution was written in.
 *
 * A program with loops becomes the calls that it made: values that it kept in variables stand literally in their arguments,
 * as an agent without variables has to write them. What only read is a message by itself, because what comes next may hang
 * on its answer; a loop that changes one thing after the other is one message of several calls. The cells are played
 * in a fresh episode, so observations are those that a rollout will see.
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

/** The task's solution in the scaffold's action space. Rejects when the task has none, or its cells fail in a new way. */
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

/** Cells of function calls that make the calls of a demonstration, in order. */
export function rewriteAsCallCells({ turns }: Pick<Demonstration, "turns">): string[] {
  return turns.flatMap(({ result }) =>
    groupWrites(result.calls).map((calls) =>
      cellForCalls({ calls: calls.map(functionCallFromApiCall) }),
    ),
  );
}

/** Calls of one API that changed something go together; the last of them may have failed. */
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

/** The calls decide the state, so equal ones end in the state that the solution ended in. */
function requireSameCalls({ task, turns }: Demonstration, again: Demonstration["turns"]): void {
  const listCalls = (of: Demonstration["turns"]) =>
    of.flatMap(({ result }) =>
      result.calls.map(({ app, api, args, status }) => [app, api, args ?? {}, status]),
    );
  if (JSON.stringify(listCalls(turns)) === JSON.stringify(listCalls(again))) return;
  throw new BowlineError(
    "world",
    `the solution of task ${task.id} cannot be told as single calls: played one by one, they were answered otherwise`,
  );
}
