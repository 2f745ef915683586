/** Runs a task's own solution in a fresh episode, cell by cell, as an agent would under the world's dials. */
import { BowlineError, messageOf, Rng } from "../../core/index.ts";
import type { Demonstration, DemonstrationStyle, StepResult } from "../../spec/index.ts";
import type { Solution } from "../define.ts";
import type { LiveEpisode } from "./live-episode.ts";

/** A solution that is not done by then does not end. */
const MOST_TURNS = 100;

/** The episode stays open; `solution` is another one than the task's own. Throws a `world` error when the task has no solution or its generator fails. */
export async function demonstrate(
  episode: LiveEpisode,
  style: DemonstrationStyle,
  seed: number,
  solution: Solution | undefined = episode.start.task.solution,
): Promise<Demonstration> {
  const { info, state } = episode.start;
  if (!solution) throw new BowlineError("world", `task ${info.id} has no solution to demonstrate`);
  const rng = new Rng(seed).child(info.id).child(style);
  const cells = solution({ style, rng, start: state });
  const turns: { code: string; result: StepResult }[] = [];
  for (let cell = advance(info.id, () => cells.next()); !cell.done; ) {
    const yielded = cell.value;
    const code = advance(info.id, () => episode.world.adapt(yielded, turns.length === 0));
    const result = await episode.step(code);
    turns.push({ code, result });
    if (result.finished) break;
    if (turns.length === MOST_TURNS)
      throw failed(info.id, `it is not done after ${MOST_TURNS} cells`);
    cell = advance(info.id, () => cells.next(result));
  }
  return { task: info, style, turns, evaluation: episode.evaluate() };
}

function advance<T>(taskId: string, next: () => T): T {
  try {
    return next();
  } catch (cause) {
    throw failed(taskId, messageOf(cause), cause);
  }
}

function failed(taskId: string, why: string, cause?: unknown): BowlineError {
  return new BowlineError("world", `the solution of task ${taskId} failed: ${why}`, { cause });
}
