/** Collects an iteration's rollouts in the configured shape, and updates what the method remembers about them. */
import type { Rollout, TaskInfo } from "../../spec/index.ts";
import type { Collected, Iteration } from "../method.ts";
import { collectBranchedGroups } from "./branched-groups.ts";
import { collectChains } from "./chains.ts";
import { collectGroups, groupAssignments, groupPlan } from "./groups.ts";
import { EMPTY_MEMORY, type MemoryStore, updateMemory } from "./memory/index.ts";
import {
  chooseRestarts,
  createRestartingShaper,
  type StoredPrefix,
  updatePrefixPool,
} from "./restarts.ts";
import { createPolicyAsker, createRolloutShaper, type ShapeOptions } from "./rollout-shaper.ts";
import { type Assignment, type RolloutPlan, runAssignments } from "./run-assignments.ts";
import { hasLinearRollouts, type ShapedConfig } from "./shape-config.ts";

/** What rollout shapes remember between iterations. */
export interface ShapeState {
  /** The memory of earlier episodes; absent before anything is remembered. */
  memory?: MemoryStore;
  /** Stored beginnings of rollouts, from which later rollouts may continue; absent when none are stored. */
  prefixes?: readonly StoredPrefix[];
}

type ShapedIteration = Iteration<ShapedConfig, ShapeState>;

/** Runs K rollouts of each task, in the configured shape. */
export async function collectRollouts(
  drawn: readonly TaskInfo[],
  iteration: ShapedIteration,
): Promise<Collected> {
  const { config, state, tasks: all, participants, number } = iteration;
  if (hasLinearRollouts(config)) return collectGroups(drawn, iteration);
  const options: ShapeOptions = {
    participants,
    mode: "training",
    store: state.memory,
    iteration: number,
  };
  const { tasks, starts } =
    config.collect.kind === "restarts"
      ? chooseRestarts(drawn, state.prefixes ?? [], all, { ...config, collect: config.collect })
      : { tasks: drawn, starts: new Map<string, StoredPrefix>() };
  const base = createRolloutShaper(config, options);
  const shape = starts.size > 0 ? createRestartingShaper(({ id }) => starts.get(id), base) : base;
  const plan = { ...groupPlan(iteration), shape };
  const rollouts = await runShapedAssignments(
    groupAssignments(tasks, iteration),
    plan,
    iteration,
    options,
  );
  if (config.memory.kind !== "none") {
    const ask = createPolicyAsker(plan, config);
    state.memory = await updateMemory(state.memory ?? EMPTY_MEMORY, rollouts, config, ask);
  }
  if (config.collect.kind === "restarts") {
    const restarts = { ...config, collect: config.collect };
    state.prefixes = updatePrefixPool(state.prefixes ?? [], rollouts, number, restarts);
  }
  return { rollouts };
}

async function runShapedAssignments(
  assignments: readonly Assignment[],
  plan: RolloutPlan,
  { config, tasks }: ShapedIteration,
  options: ShapeOptions,
): Promise<readonly Rollout[]> {
  const { policy } = plan;
  if (config.collect.kind === "chains") {
    return collectChains(assignments, plan, {
      chains: config.collect,
      tasks,
      shape: (sections, note) =>
        createRolloutShaper(config, { ...options, sections: () => sections, note: () => note }),
    });
  }
  if (config.collect.kind === "branches") {
    if (policy.kind !== "tokens") throw new Error("invariant violated: an engine samples tokens");
    return collectBranchedGroups(
      assignments,
      { ...plan, policy },
      { ...config, collect: config.collect },
    );
  }
  return runAssignments(assignments, plan);
}
