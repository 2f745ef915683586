/**
 * The starter of the Everyday world: seven apps, one owner, and goals made of a selector and one or two actions.
 *
 * It is small enough that a model of under a million parameters, trained from nothing on two cores, learns to work in
 * it. The habits of a hasty agent (taking the first match, the first page, half of the request or an assumed price)
 * fail on many tasks but not on all.
 */
import { defineWorld, Rng, type ScenarioRequest, type Task } from "bowline/world";
import { apps, people as peopleTable } from "./apps/index.ts";
import { composeTask } from "./goals/compose.ts";
import { signaturesOf } from "./goals/signatures.ts";
import { peopleOf, populate } from "./population.ts";

/**
 * Makes scenario i of a split from the i-th signature of a shuffled cycle, so that each signature occurs equally often.
 */
function makeScenario({ split, index, base, rng }: ScenarioRequest): readonly [Task, Task, Task] {
  const cycle = signaturesOf(split);
  const order = new Rng(Math.floor(index / cycle.length)).child(split).shuffle(cycle);
  const signature = order[index % cycle.length]!;
  const people = peopleOf(base, split);
  const task = (variant: number) =>
    composeTask(signature, { rng: rng.child(variant), split, base, people });
  return [task(1), task(2), task(3)];
}

export default defineWorld({
  name: "everyday/starter",
  now: "2026-03-12T09:00:00Z",
  apps,
  scenarios: { train: 120, dev: 60, "test-normal": 60, "test-challenge": 60 },
  populate: (db, rng) => {
    const owner = populate(db, rng);
    // Some tasks send something to a whole group or city, so nobody may be blocked at the start. A task may block
    // people itself.
    for (const person of db.where(peopleTable, { blocked: true })) {
      db.update(peopleTable, person.id, { blocked: false });
    }
    return owner;
  },
  scenario: makeScenario,
});
