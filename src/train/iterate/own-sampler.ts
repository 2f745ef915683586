/** A sampler that is the user's draws the tasks of an iteration; it is held to what the trainer counts on. */
import type { TaskTable } from "../../algo/index.ts";
import { BowlineError, errorMessage, Rng, randomStreamId } from "../../core/index.ts";
import type { SamplerInput, TaskSampler } from "../../methods/index.ts";
import type { TaskInfo } from "../../spec/index.ts";

/** What it may look at: `tasks`, `count` of which it is to draw, and how often those that were seen were passed. */
export function drawWithOwnSampler(
  sampler: TaskSampler,
  asked: Pick<SamplerInput, "tasks" | "count" | "iteration">,
  table: TaskTable,
  seed: number,
): readonly TaskInfo[] {
  const rng = new Rng(randomStreamId(seed, "task-sampler", asked.iteration));
  const passRate = Object.fromEntries(
    Object.entries(table).map(([id, { success }]) => [id, success]),
  );
  return requireDrawnTasks(() => sampler({ ...asked, rng, passRate }), asked);
}

/** Throws a `config` error when the sampler fails or draws something else. */
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
      ? `${different} different ones`
      : `${list?.[at]?.id ?? String(list?.[at])}, which was not among them`;
  const came = list ? some : "no list";
  throw new BowlineError(
    "config",
    `algo.taskSampling: expected the sampler to draw ${count} different tasks of those it was given, got ${came}`,
  );
}
