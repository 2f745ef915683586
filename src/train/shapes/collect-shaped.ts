/** An iteration's rollouts where they are not simply linear, and what is remembered of them for the next one. */
import type { Rollout } from "../../spec/index.ts";
import { collect, type RolloutPlan, trainingAssignments } from "../collect.ts";
import type { Config } from "../config.ts";
import { configAt } from "../mechanisms/stages.ts";
import type { Method } from "../method.ts";
import { collectBranches } from "./branch.ts";
import { collectChains } from "./chain.ts";
import { afterEpisodes, EMPTY_MEMORY } from "./memory/index.ts";
import { restarting, updatedPool, withRestarts } from "./restart.ts";
import { askPolicy, type ShapeOptions, shaperOf } from "./shaper.ts";

export const collectShaped: Method["collect"] = async (drawn, iteration, training) => {
  const config = configAt(training.config, iteration);
  const { state, tasks: all, parts } = training;
  const options: ShapeOptions = {
    company: parts.company,
    mode: "training",
    store: state.memory,
    iteration,
  };
  const { tasks, starts } = withRestarts(drawn, state.prefixes ?? [], all, config);
  const base = shaperOf(config, options);
  const plan = {
    ...training.rolloutPlan(iteration),
    shape: starts.size > 0 ? restarting(starts, base) : base,
  };
  const assignments = trainingAssignments(tasks, iteration, config, state.taskTable);
  const rollouts = await collected(assignments, plan, { config, options, tasks: all });
  if (config.memory.kind !== "none") {
    const ask = askPolicy(plan, config);
    state.memory = await afterEpisodes(state.memory ?? EMPTY_MEMORY, rollouts, config, ask);
  }
  if (config.shapes.restartShare > 0) {
    state.prefixes = updatedPool(state.prefixes ?? [], rollouts, iteration, config);
  }
  return { rollouts };
};

type Assignments = Parameters<typeof collect>[0];

async function collected(
  assignments: Assignments,
  plan: RolloutPlan,
  {
    config,
    options,
    tasks,
  }: {
    readonly config: Config;
    readonly options: ShapeOptions;
    readonly tasks: Parameters<typeof withRestarts>[2];
  },
): Promise<readonly Rollout[]> {
  const { policy } = plan;
  if (config.shapes.chainLength > 1) {
    return collectChains(assignments, plan, {
      config,
      tasks,
      shape: (sections, note) =>
        shaperOf(config, { ...options, sections: () => sections, note: () => note }),
    });
  }
  if (config.shapes.branches > 0) {
    if (policy.kind !== "tokens") throw new Error("invariant violated: an engine samples tokens");
    return collectBranches(assignments, { ...plan, policy }, config);
  }
  return collect(assignments, plan);
}
