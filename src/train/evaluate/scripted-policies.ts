/**
 * Policies without weights, for comparison: `noop` finishes at once, `random` makes random calls and then finishes.
 * Their messages depend only on the task and the seed.
 */
import { Rng, randomStreamId } from "../../core/index.ts";
import type { Message, Policy, TaskInfo } from "../../spec/index.ts";

const FINISH = "await apis.me.finishTask({});";

export function createNoopPolicy(): Policy {
  return { kind: "messages", complete: async () => FINISH };
}

const RANDOM_CALLS = 3;

export function createRandomPolicy(seed: number): Policy {
  return {
    kind: "messages",
    async complete(messages: readonly Message[], task: TaskInfo) {
      const turn = messages.filter(({ role }) => role === "assistant").length;
      if (turn >= RANDOM_CALLS) return FINISH;
      return writeRandomCall(new Rng(randomStreamId(seed, "random", task.id, turn)));
    },
  };
}

/**
 * Writes code that picks an app, an API and a value for each parameter from the world's documentation, and calls the
 * API.
 */
function writeRandomCall(rng: Rng): string {
  const draws = Array.from({ length: 12 }, () => Number(rng.uniform().toFixed(6)));
  return `const draws = ${JSON.stringify(draws)};
const draw = () => draws.shift() ?? 0.5;
const pick = (items) => items[Math.floor(draw() * items.length)];
const apps = (await apis.docs.listApps({})).items.filter((app) => !["docs", "me"].includes(app.name));
const app = pick(apps).name;
const api = pick((await apis.docs.listApis({ app })).items).name;
const value = (type) => {
  const options = type.match(/"[^"]*"/g);
  if (options) return JSON.parse(pick(options));
  if (/number|integer/.test(type)) return 1 + Math.floor(draw() * 20);
  return /boolean/.test(type) ? draw() < 0.5 : "text";
};
const { params } = await apis.docs.showApi({ app, api });
const args = Object.fromEntries(params.filter((p) => p.required).map((p) => [p.name, value(p.type)]));
print(app, api, JSON.stringify(args));
print(await apis[app][api](args));`;
}
