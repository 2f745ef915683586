/**
 * A foreign world around a fake program, for runs by command. Environment variables choose how it is reached:
 *
 *   LIST_DOOR   the door, `mcp` without it
 *   LIST_URL    the address of the server that `startListServer` runs, for the other doors
 *   LIST_CLOCK  anything, if the program's answers differ from time to time
 *   LIST_MARK   a text in the command of every program that the door starts
 */
import { defineForeignWorld, type ForeignTask, type Rng } from "bowline/world";
import { createDoor, type DoorName } from "./doors.ts";

const { LIST_DOOR = "mcp", LIST_URL = "", LIST_CLOCK, LIST_MARK = "list-world" } = process.env;
const ITEMS = ["bread", "milk", "salt", "tea"];
const { start, apps, isolation, probe } = createDoor(LIST_DOOR as DoorName, {
  ...{ url: LIST_URL, mark: LIST_MARK, env: LIST_CLOCK ? { CLOCK: "1" } : {} },
});

function drawTask(rng: Rng): ForeignTask {
  const [item, other] = rng.sample(ITEMS, 2) as [string, string];
  return {
    ...{ signature: "list.add", difficulty: 1, instruction: `Add ${item} to the list.` },
    ...start({ items: [other], goal: [other, item] }),
    *solution({ style }) {
      yield `let list = await apis.list.readList();
print(list.items.length);`;
      yield `await apis.list.addItem({ item: "${style === "careful" ? item : other}" });`;
      yield "await apis.me.finishTask();";
    },
  };
}

export default defineForeignWorld({
  ...{ name: "list", apps, isolation, deterministic: !LIST_CLOCK },
  scenarios: { train: 50, dev: 5, "test-normal": 5 },
  tasks: ({ rng }) => [drawTask(rng), drawTask(rng), drawTask(rng)],
  ...(probe && !LIST_CLOCK && { probe }),
});
