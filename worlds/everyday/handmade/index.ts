/**
 * The split `handmade`: sixty scenarios written one by one. Their tasks are judged both by checks that follow from
 * goals and by hand-written predicates.
 *
 * Scenario i of the split is the i-th of the list. After the last one the list begins again with other people and
 * values.
 */
import type { ScenarioRequest, Solution, Task } from "bowline/world";
import { groups, members, people } from "../apps/tables.ts";
import { partOfName } from "../population/name-pools.ts";
import type { HandmadeRequest, HandmadeScenario, HandmadeTask } from "./scenario.ts";
import { scenarios1To30 } from "./scenarios-1-to-30/index.ts";
import { scenarios31To60 } from "./scenarios-31-to-60/index.ts";

export const handmadeScenarios: readonly HandmadeScenario[] = [
  ...scenarios1To30,
  ...scenarios31To60,
];

export function makeHandmadeTasks(request: ScenarioRequest): readonly [Task, Task, Task] {
  const scenario = handmadeScenarios[request.index % handmadeScenarios.length]!;
  const [one, two, three] = scenario.tasks(makeHandmadeRequest(request));
  const toTask = (handmadeTask: HandmadeTask): Task => ({
    signature: `handmade.${scenario.name}`,
    difficulty: scenario.difficulty,
    ...handmadeTask,
    ...(request.dials.logins ? {} : removeLogins(handmadeTask)),
  });
  return [toTask(one), toTask(two), toTask(three)];
}

function makeHandmadeRequest({ base, owner, rng, scratch }: ScenarioRequest): HandmadeRequest {
  const everyone = base.all(people).filter(({ blocked }) => !blocked);
  const unblockedPeople = everyone.filter(({ name }) => partOfName(name) === "test-normal");
  const ids = new Set(unblockedPeople.map(({ id }) => id));
  const groupsOfPeople = base.all(groups).filter(({ id }) => {
    const groupMembers = base.where(members, { group: id });
    return groupMembers.length > 0 && groupMembers.every(({ person }) => ids.has(person));
  });
  const circle = everyone.filter(({ name }) => partOfName(name) === "circle");
  return {
    rng,
    base,
    scratch,
    owner,
    people: unblockedPeople,
    circle,
    groups: groupsOfPeople,
  };
}

/** Removes the cells that log in from solutions, for worlds with the dial `logins` off, in which no app has `login`. */
function removeLogins({ solution, alternatives = [] }: HandmadeTask) {
  return {
    solution: removeLoginsFromSolution(solution),
    alternatives: alternatives.map(removeLoginsFromSolution),
  };
}

function removeLoginsFromSolution(solution: Solution): Solution {
  return function* (context) {
    const cells = solution(context);
    for (let cell = cells.next(); !cell.done; ) {
      cell = cells.next(yield cell.value.replace(/\bapis\.\w+\.login\(\{[^{}]*\}\);?/g, ""));
    }
  };
}
