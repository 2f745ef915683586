/** An iteration's rollouts where they are not simply linear, and what is remembered of them for the next one. */
import type { Rollout, TaskInfo } from "../../spec/index.ts";
import type { Collected, Iteration } from "../method.ts";
import { collectBranches } from "./branch.ts";
import { collectChains } from "./chain.ts";
import { type Assignment, collect, type RolloutPlan } from "./collect.ts";
import { collectGroups, groupAssignments, groupPlan } from "./groups.ts";
import { isLinear, type ShapedConfig } from "./linear.ts";
import { afterEpisodes, EMPTY_MEMORY, type MemoryStore } from "./memory/index.ts";
import { restarting, type StoredPrefix, updatedPool, withRestarts } from "./restart.ts";
import { askPolicy, type ShapeOptions, shaperOf } from "./shaper.ts";

/** What shapes remember between iterations. */
export interface ShapeState {
  /** What episodes are remembered by; absent before there is any. */
  memory?: MemoryStore;
  /** Beginnings of rollouts that later ones may start from; absent where none are kept. */
  prefixes?: readonly StoredPrefix[];
}

type Shaped = Iteration<ShapedConfig, ShapeState>;

/** K rollouts of each task, in whatever shape the configuration gives them. */
export async function collectRollouts(
  drawn: readonly TaskInfo[],
  iteration: Shaped,
): Promise<Collected> {
  const { config, state, tasks: all, participants, number } = iteration;
  if (isLinear(config)) return collectGroups(drawn, iteration);
  const options: ShapeOptions = {
    participants,
    mode: "training",
    store: state.memory,
    iteration: number,
  };
  const { tasks, starts } =
    config.collect.kind === "restarts"
      ? withRestarts(drawn, state.prefixes ?? [], all, { ...config, collect: config.collect })
      : { tasks: drawn, starts: new Map<string, StoredPrefix>() };
  const base = shaperOf(config, options);
  const shape = starts.size > 0 ? restarting(({ id }) => starts.get(id), base) : base;
  const plan = { ...groupPlan(iteration), shape };
  const rollouts = await runAll(groupAssignments(tasks, iteration), plan, iteration, options);
  if (config.memory.kind !== "none") {
    const ask = askPolicy(plan, config);
    state.memory = await afterEpisodes(state.memory ?? EMPTY_MEMORY, rollouts, config, ask);
  }
  if (config.collect.kind === "restarts") {
    const restarts = { ...config, collect: config.collect };
    state.prefixes = updatedPool(state.prefixes ?? [], rollouts, number, restarts);
  }
  return { rollouts };
}

async function runAll(
  assignments: readonly Assignment[],
  plan: RolloutPlan,
  { config, tasks }: Shaped,
  options: ShapeOptions,
): Promise<readonly Rollout[]> {
  const { policy } = plan;
  if (config.collect.kind === "chains") {
    return collectChains(assignments, plan, {
      chains: config.collect,
      tasks,
      shape: (sections, note) =>
        shaperOf(config, { ...options, sections: () => sections, note: () => note }),
    });
  }
  if (config.collect.kind === "branches") {
    if (policy.kind !== "tokens") throw new Error("invariant violated: an engine samples tokens");
    return collectBranches(
      assignments,
      { ...plan, policy },
      { ...config, collect: config.collect },
    );
  }
  return collect(assignments, plan);
}
