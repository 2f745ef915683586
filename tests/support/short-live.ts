/**
 * `everyday/live` with demonstrations of three short cells, which a tiny model can imitate. They wait, so that people
 * act and events happen in rollouts, but they solve nothing.
 */
import type { ScenarioRequest, Solution, Task } from "bowline/world";
import { defineWorld } from "bowline/world";
import live from "../../worlds/everyday/live.ts";

const wait: Solution = function* () {
  yield "print(apis.me.wait({minutes:900}).notices)";
  yield "print(apis.todo.add({title:'wait'}).id)";
  yield "apis.me.wait({minutes:90}); apis.me.finishTask({})";
};
const shorten = (task: Task): Task => ({ ...task, instruction: "Wait.", solution: wait });

export default defineWorld({
  ...live,
  name: "everyday/short-live",
  scenario: (request: ScenarioRequest) => {
    const [one, two, three] = live.scenario(request);
    return [shorten(one), shorten(two), shorten(three)];
  },
});
