/** Turns the tasks' solutions into rollouts with tokens, for supervised fine-tuning on them. */
import {
  demonstrateWithScaffold,
  encodeDemonstration,
  type ImitationRow,
  splitIntoSessions,
  taskAfterStep,
} from "../../agent/index.ts";
import { mapConcurrently, randomStreamId } from "../../core/index.ts";
import type { Demonstration, Rollout, Scaffold, TaskInfo } from "../../spec/index.ts";
import type { Iteration } from "../method.ts";
import { requireTrainable } from "./groups.ts";

/** Returns one solution for each task as a rollout. Solutions that do not fit into the context are left out. */
export async function collectSolutions(
  tasks: readonly TaskInfo[],
  { number, world, agent, config, signal }: Iteration,
): Promise<Rollout[]> {
  requireTrainable(tasks);
  const { scaffold, renderer } = agent;
  const all = await mapConcurrently(tasks, config.world.workers * 8, async (task, position) => {
    signal?.throwIfAborted();
    const stream = randomStreamId(config.run.seed, "solution", number, task.id);
    const demonstration = await demonstrateWithScaffold(
      world,
      scaffold,
      task.id,
      "careful",
      stream,
    );
    const rows = splitIntoSessions(demonstration).map((session) =>
      encodeDemonstration(session, scaffold, renderer),
    );
    if (rows.some(({ fits }) => !fits)) return [];
    const id = `${number}/${position}/0`;
    return [addRows(rolloutOfDemonstration(demonstration, { id, scaffold }), rows)];
  });
  return all.flat();
}

/** Adds the tokens of a demonstration to its rollout: one row for each session. */
function addRows(rollout: Rollout, rows: readonly ImitationRow[]): Rollout {
  const places = rows.flatMap(({ mask }, segment) =>
    findActionSpans(mask).map((span) => ({ span, ...(segment > 0 && { segment }) })),
  );
  const [tokens, ...segments] = rows.map(({ ids, mask }) => ({
    ...{ ids: [...ids], mask: [...mask], logprobs: ids.map(() => 0) },
  }));
  return {
    ...rollout,
    turns: rollout.turns.map((turn, i) => ({ ...turn, ...places[i] })),
    tokens,
    ...(segments.length > 0 && { version: 2, segments }),
  };
}

/** Returns the ranges of action tokens, where the mask is 1. The end of a range is exclusive. */
function findActionSpans(mask: readonly (0 | 1)[]): [number, number][] {
  const starts = mask.flatMap((m, i) => (m === 1 && mask[i - 1] !== 1 ? [i] : []));
  return starts.map((start) => {
    const length = mask.slice(start).indexOf(0);
    return [start, length < 0 ? mask.length : start + length];
  });
}

/** Converts a demonstration to a rollout without tokens, for people to read and for scoring solutions. */
export function rolloutOfDemonstration(
  { task, turns, evaluation }: Demonstration,
  { id, scaffold }: { readonly id: string; readonly scaffold: Scaffold },
): Rollout {
  const { maxTurns } = scaffold.limits;
  let shownTask = task;
  return {
    version: 1,
    id,
    task,
    index: 0,
    stream: 0,
    temperature: 0,
    policyVersion: -1,
    turns: turns.map(({ code, result }, i) => {
      const { content } = scaffold.observe(shownTask, result, { turn: i + 1, maxTurns });
      shownTask = taskAfterStep(shownTask, result);
      return {
        message: scaffold.messageOf?.(code) ?? code,
        code,
        observation: content,
        status: result.status,
        ...(result.limit && { limit: result.limit }),
        calls: [...result.calls],
      };
    }),
    outcome: evaluation.finished ? "finished" : "turn-limit",
    evaluation: { ...evaluation, checks: [...evaluation.checks] },
  };
}
