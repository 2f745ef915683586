/**
 * Defines worlds of errands: goals whose steps depend on each other, in the small language of `everyday/starter`. Each
 * step looks for what the step before it read. A task with more steps is longer but uses the same words.
 */
import {
  defineWorld,
  Rng,
  type ScenarioRequest,
  type Task,
  type WorldDefinition,
} from "bowline/world";
import { apps } from "../apps/index.ts";
import { NOW, peopleOf, populate } from "../population.ts";
import { drawChain, stepsOfSplit } from "./chains.ts";
import { composeErrand } from "./compose-errand.ts";

/**
 * Defines a world of errands. The errands of scenario i have `stepCounts[i % stepCounts.length]` steps. First steps are
 * taken from a shuffled cycle, so that each step comes first equally often.
 */
export function defineErrands(name: string, stepCounts: readonly number[]): WorldDefinition {
  const scenario = (request: ScenarioRequest): readonly [Task, Task, Task] => {
    const { split, index, base, rng } = request;
    const steps = stepsOfSplit(split);
    const round = Math.floor(index / stepCounts.length);
    const order = new Rng(Math.floor(round / steps.length)).child(split).shuffle(steps);
    const first = order[round % steps.length]!;
    const chain = drawChain(
      rng.child("chain"),
      steps,
      first,
      stepCounts[index % stepCounts.length]!,
    );
    const people = peopleOf(base, split);
    const task = (variant: number) =>
      composeErrand(chain, { rng: rng.child(variant), split, base, people });
    return [task(1), task(2), task(3)];
  };
  return defineWorld({
    name,
    now: NOW,
    apps,
    scenarios: { train: 120, dev: 60, "test-normal": 60 },
    populate: (db, rng) => populate(db, rng),
    scenario,
  });
}
