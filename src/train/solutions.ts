/** The tasks' own careful solutions as rollouts with tokens: what supervised fine-tuning on ground truth imitates. */
import { demonstrationRow } from "../agent/index.ts";
import { mapPool } from "../core/index.ts";
import type { Rollout, TaskInfo, World } from "../spec/index.ts";
import { type Agent, streamOf } from "./agent.ts";
import type { Config } from "./config.ts";
import { demonstrationRollout } from "./demonstrations.ts";
import { requireTrainable } from "./require-trainable.ts";

/** One for each task. Those that no rollout of this scaffold could repeat are left out. */
export async function collectSolutions(
  tasks: readonly TaskInfo[],
  iteration: number,
  {
    world,
    agent,
    config,
    signal,
  }: {
    readonly world: Pick<World, "demonstrate">;
    readonly agent: Agent;
    readonly config: Config;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Rollout[]> {
  requireTrainable(tasks);
  const { scaffold, renderer } = agent;
  const all = await mapPool(tasks, config.world.workers * 8, async (task, position) => {
    signal?.throwIfAborted();
    const stream = streamOf(config.run.seed, "solution", iteration, task.id);
    const demonstration = await world.demonstrate(task.id, "careful", stream);
    const { ids, mask, fits } = demonstrationRow(demonstration, scaffold, renderer);
    if (!fits) return [];
    const rollout = demonstrationRollout(demonstration, {
      id: `${iteration}/${position}/0`,
      scaffold,
    });
    const spans = spansOf(mask);
    const turns = rollout.turns.map((turn, i) => (spans[i] ? { ...turn, span: spans[i] } : turn));
    const tokens = { ids: [...ids], mask: [...mask], logprobs: ids.map(() => 0) };
    return [{ ...rollout, turns, tokens }];
  });
  return all.flat();
}

/** Half-open ranges of ones. */
function spansOf(mask: readonly (0 | 1)[]): [number, number][] {
  const starts = mask.flatMap((m, i) => (m === 1 && mask[i - 1] !== 1 ? [i] : []));
  return starts.map((start) => {
    const length = mask.slice(start).indexOf(0);
    return [start, length < 0 ? mask.length : start + length];
  });
}
