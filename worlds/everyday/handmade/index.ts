/**
 * The split `handmade`: sixty scenarios written one by one, judged by derived checks and by predicates written by hand.
 *
 * Scenario i of the split is the i-th of the list; past the end the list begins again with other people and values.
 */
import type { ScenarioRequest, Solution, Task } from "bowline/world";
import { groups, members, people } from "../apps/tables.ts";
import { OWNER } from "../life/life.ts";
import { partOfName } from "../population/name-pools.ts";
import { first } from "./first/index.ts";
import type { HandmadeRequest, HandmadeScenario, HandmadeTask } from "./scenario.ts";
import { second } from "./second/index.ts";

export const handmade: readonly HandmadeScenario[] = [...first, ...second];

export function handmadeScenario(request: ScenarioRequest): readonly [Task, Task, Task] {
  const scenario = handmade[request.index % handmade.length]!;
  const [one, two, three] = scenario.tasks(handmadeRequest(request));
  const task = (made: HandmadeTask): Task => ({
    signature: `handmade.${scenario.name}`,
    difficulty: scenario.difficulty,
    ...made,
    ...(request.dials.logins ? {} : withoutLogins(made)),
  });
  return [task(one), task(two), task(three)];
}

function handmadeRequest({ base, rng, scratch }: ScenarioRequest): HandmadeRequest {
  const everyone = base.all(people).filter(({ blocked }) => !blocked);
  const part = everyone.filter(({ name }) => partOfName(name) === "test-normal");
  const ids = new Set(part.map(({ id }) => id));
  const own = base.all(groups).filter(({ id }) => {
    const inside = base.where(members, { group: id });
    return inside.length > 0 && inside.every(({ person }) => ids.has(person));
  });
  const circle = everyone.filter(({ name }) => partOfName(name) === "circle");
  return { rng, base, scratch, owner: OWNER, people: part, circle, groups: own };
}

/** Where the dial takes logins away there is no `login` to call. */
function withoutLogins({ solution, alternatives = [] }: HandmadeTask) {
  return { solution: loginFree(solution), alternatives: alternatives.map(loginFree) };
}

function loginFree(solution: Solution): Solution {
  return function* (context) {
    const cells = solution(context);
    for (let cell = cells.next(); !cell.done; ) {
      cell = cells.next(yield cell.value.replace(/\bapis\.\w+\.login\(\{[^{}]*\}\);?/g, ""));
    }
  };
}
