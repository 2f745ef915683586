/**
 * A foreign world around `fake-mcp-server.mjs`, for runs that are killed. Environment variables choose how its server
 * behaves: LIST_CLOCK makes its answers differ from time to time, and LIST_MARK stands in the command of every server.
 */
import { fileURLToPath } from "node:url";
import { defineForeignWorld, type ForeignTask, mcpApps, type Rng } from "bowline/world";

const { LIST_CLOCK, LIST_MARK = "list-world" } = process.env;
const SCRIPT = fileURLToPath(new URL("./fake-mcp-server.mjs", import.meta.url));
const ITEMS = ["bread", "milk", "salt", "tea"];

function drawTask(rng: Rng): ForeignTask {
  const [item, other] = rng.sample(ITEMS, 2);
  return {
    signature: "list.add",
    difficulty: 1,
    instruction: `Add ${item} to the list.`,
    files: { "list.json": JSON.stringify([other]) },
    check: async ({ read }) => {
      const { items } = (await read("list", "readList")) as { items: string[] };
      return [{ name: "the list", label: "progress", passed: items[1] === item }];
    },
    *solution({ style }) {
      yield `let list = await apis.list.readList();
print(list.items.length);`;
      yield `await apis.list.addItem({ item: "${style === "careful" ? item : other}" });`;
      yield "await apis.me.finishTask();";
    },
  };
}

export default defineForeignWorld({
  name: "list",
  apps: mcpApps({
    list: {
      command: process.execPath,
      args: [SCRIPT, LIST_MARK],
      ...(LIST_CLOCK && { env: { CLOCK: "1" } }),
    },
  }),
  scenarios: { train: 50, dev: 5, "test-normal": 5 },
  tasks: ({ rng }) => [drawTask(rng), drawTask(rng), drawTask(rng)],
  deterministic: !LIST_CLOCK,
  isolation: "reset",
  ...(!LIST_CLOCK && { probe: { app: "list", api: "readList", args: {} } }),
});
