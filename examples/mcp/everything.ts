/**
 * A world around `@modelcontextprotocol/server-everything`, which has no state of interest: the agent has to call the
 * right tool and to answer with what it says.
 *
 *   npm install @modelcontextprotocol/server-everything
 *   bowline play --world ./everything.ts
 */
import { defineForeignWorld, type ForeignTask, mcpApps, type Rng } from "bowline/world";
import { installedServer } from "./servers.ts";

/** What the tool `get-structured-content` always says about the three cities that it knows. */
const HUMIDITY = { "New York": 82, Chicago: 82, "Los Angeles": 48 };

function drawTask(rng: Rng, kind: "sum" | "weather"): ForeignTask {
  if (kind === "sum") {
    const [a, b] = [rng.integer(10, 99), rng.integer(10, 99)];
    return {
      signature: "everything.sum",
      difficulty: 1,
      instruction: `Answer with the sum of ${a} and ${b}.`,
      answer: a + b,
      *solution() {
        yield `const text = await apis.everything.getSum({ a: ${a}, b: ${b} });
print(text);`;
        yield `await apis.me.finishTask({ answer: Number(text.match(/is (\\d+)/)[1]) });`;
      },
    };
  }
  const location = rng.pick(Object.keys(HUMIDITY) as (keyof typeof HUMIDITY)[]);
  return {
    signature: "everything.humidity",
    difficulty: 1,
    instruction: `Answer with the humidity in ${location}.`,
    answer: HUMIDITY[location],
    *solution() {
      yield `const weather = await apis.everything.getStructuredContent({ location: "${location}" });
print(weather);`;
      yield "await apis.me.finishTask({ answer: weather.humidity });";
    },
  };
}

export default defineForeignWorld({
  name: "everything",
  apps: mcpApps({
    everything: {
      ...installedServer("everything"),
      tools: ["get-sum", "get-structured-content", "echo"],
      summary: "Sums, texts and the weather of three cities.",
    },
  }),
  scenarios: { train: 100, dev: 20, "test-normal": 20 },
  tasks: ({ rng }) => {
    const kind = rng.pick(["sum", "weather"] as const);
    return [drawTask(rng, kind), drawTask(rng, kind), drawTask(rng, kind)];
  },
  isolation: "reset",
  probe: { app: "everything", api: "echo", args: { message: "ready" } },
});
