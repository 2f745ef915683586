/** Draws the tasks of an iteration with a user's own sampler, and checks the tasks that it drew. */
import type { TaskTable } from "../../algo/index.ts";
import { BowlineError, errorMessage, Rng, randomStreamId } from "../../core/index.ts";
import type { SamplerInput, TaskSampler } from "../../methods/index.ts";
import type { TaskInfo } from "../../spec/index.ts";

/**
 * Calls the user's sampler with the tasks, the number of tasks to draw, and the pass rates of tasks that were tried
 * before.
 */
export function drawWithOwnSampler(
  sampler: TaskSampler,
  input: Pick<SamplerInput, "tasks" | "count" | "iteration">,
  table: TaskTable,
  seed: number,
): readonly TaskInfo[] {
  const rng = new Rng(randomStreamId(seed, "task-sampler", input.iteration));
  const passRate = Object.fromEntries(
    Object.entries(table).map(([id, { success }]) => [id, success]),
  );
  return requireDrawnTasks(() => sampler({ ...input, rng, passRate }), input);
}

/**
 * Returns the drawn tasks. Throws a `config` error unless they are `count` different tasks among those that the sampler
 * was given.
 */
function requireDrawnTasks(
  draw: () => readonly TaskInfo[],
  { tasks, count }: Pick<SamplerInput, "tasks" | "count">,
): readonly TaskInfo[] {
  let drawn: readonly TaskInfo[];
  try {
    drawn = draw();
  } catch (cause) {
    const problem = `algo.taskSampling: the sampler failed: ${errorMessage(cause)}`;
    throw new BowlineError("config", problem, { cause });
  }
  const known = new Set(tasks);
  const list: readonly (TaskInfo | undefined)[] | undefined = Array.isArray(drawn)
    ? drawn
    : undefined;
  const at = list?.findIndex((task) => task === undefined || !known.has(task)) ?? -1;
  const different = new Set(list).size;
  if (list && at < 0 && different === count) return drawn;
  const some =
    at < 0
      ? `${different} different tasks`
      : `${list?.[at]?.id ?? String(list?.[at])}, which is not one of them`;
  const came = list ? some : "no list";
  throw new BowlineError(
    "config",
    `algo.taskSampling: expected the sampler to draw ${count} different tasks among those that it was given, got ${came}`,
  );
}
