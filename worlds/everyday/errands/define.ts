/**
 * Errands: goals whose steps depend on each other, in the small language of `everyday/starter`, with the number of
 * steps as a dial. What one step reads is what the next one looks for, so the horizon grows and the words stay the same.
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
import { drawChain, stepsOf } from "./chains.ts";
import { composeErrand } from "./compose.ts";

/** Scenario i has `lengths[i modulo their number]` steps. First steps come from a shuffled cycle, so equally often. */
export function defineErrands(name: string, lengths: readonly number[]): WorldDefinition {
  const scenario = (request: ScenarioRequest): readonly [Task, Task, Task] => {
    const { split, index, base, rng } = request;
    const steps = stepsOf(split);
    const round = Math.floor(index / lengths.length);
    const order = new Rng(Math.floor(round / steps.length)).child(split).shuffle(steps);
    const first = order[round % steps.length]!;
    const chain = drawChain(rng.child("chain"), steps, first, lengths[index % lengths.length]!);
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
