/**
 * Plays worlds of environments behind OpenEnv's socket: our own server of a world, and a fake that dies, hangs and
 * answers garbage.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { startOpenEnvServer } from "../../../server/index.ts";
import { resolveWorld } from "../../../train/index.ts";
import { resolveDials } from "../../dials/index.ts";
import { openWorld } from "../../pool/index.ts";
import type { ForeignTask, ForeignWorldDefinition } from "../define.ts";
import { type ForeignWorld, openForeignWorld } from "../foreign-world.ts";
import { type OpenEnvSource, openenvApps } from "./openenv-apps.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function openEnvironment(
  source: OpenEnvSource,
  others: Partial<ForeignWorldDefinition> = {},
): Promise<ForeignWorld> {
  const createTask = (index: number): ForeignTask => ({
    ...{
      signature: "env",
      difficulty: 1,
      instruction: "Read env.observation and do what it asks.",
    },
    data: { split: "train", index },
  });
  const world = await openForeignWorld(
    {
      name: "env",
      apps: openenvApps(source),
      scenarios: { train: 3 },
      tasks: ({ index }) => [
        createTask(3 * index),
        createTask(3 * index + 1),
        createTask(3 * index + 2),
      ],
      ...others,
    },
    { seed: 1, dials: resolveDials() },
  );
  closers.push(() => world.close());
  return world;
}

describe("a world that this package serves", () => {
  async function serveToy() {
    const served = await openWorld(resolveWorld("toy").url, { seed: 1 });
    const server = await startOpenEnvServer({ world: served });
    closers.push(() => served.close());
    closers.push(() => server.close());
    const tasks = served.tasks("train");
    return { url: `http://127.0.0.1:${server.port}`, served, tasks };
  }

  test("its tools are APIs, its tasks are reset by their place, and its reward is the reward", async () => {
    const { url, served, tasks } = await serveToy();
    const world = await openEnvironment({ url });
    const index = tasks.findIndex(({ signature }) => signature === "put.wrapped");
    const { turns } = await served.demonstrate(tasks[index]!.id, "careful", 1);
    const episode = await world.open(`train/${Math.floor(index / 3)}/${(index % 3) + 1}`);
    const shown = await episode.step("print(apis.env.observation({}).instruction)");
    expect(shown.stdout.trim()).toBe(tasks[index]!.instruction);
    const [, args] = /apis\.shelf\.put\((\{.*?\})\)/.exec(turns[0]!.code)!;
    await episode.step(`apis.env.shelfPut(${args}); apis.env.meFinishTask({})`);
    expect((await episode.step(`apis.env.shelfPut(${args})`)).text).toContain(
      "the episode is over",
    );
    expect(await episode.evaluate()).toMatchObject({ passed: false, reward: 1 });
    await episode.step("apis.me.finishTask({})");
    expect(await episode.evaluate()).toMatchObject({ passed: true, finished: true, reward: 1 });
    await episode.close();
  });

  test("a tool's error is an error that the agent's code may catch", async () => {
    const { url } = await serveToy();
    const world = await openEnvironment({ url });
    const episode = await world.open("train/0/1");
    const caught = await episode.step(
      'try { apis.env.shelfMove({item: "cup", from: "red", to: "blue"}) } catch (e) { print(e.status) }',
    );
    expect(caught.stdout).toBe("422\n");
    await episode.close();
  });
});

type Answer = (
  message: { type: string; data: Record<string, unknown> },
  socket: WebSocket,
) => unknown;

/** An environment without tools that counts: the action `{by}` adds, and the reward of each step is `by` / 10. */
async function startCounter(spoil: Answer = () => undefined): Promise<string> {
  const http = createServer((_, response) => {
    const action = { type: "object", properties: { by: { type: "integer" } }, required: ["by"] };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ action }));
  });
  const sockets = new WebSocketServer({ server: http, path: "/ws" });
  sockets.on("connection", (socket) => {
    let count = 0;
    socket.on("message", (text) => {
      const message = JSON.parse(String(text));
      const spoiled = spoil(message, socket);
      if (spoiled === "nothing") return;
      if (spoiled !== undefined) return void socket.send(String(spoiled));
      const send = (type: string, data: unknown) => socket.send(JSON.stringify({ type, data }));
      const { by, type } = message.data ?? {};
      if (message.type === "reset") count = 0;
      else if (type === "list_tools")
        return send("error", { message: "unknown", code: "VALIDATION_ERROR" });
      else if (by === 0)
        return send("error", { message: "by must not be 0", code: "VALIDATION_ERROR" });
      else count += by;
      const reward = message.type === "reset" ? null : by / 10;
      send("observation", { observation: { count }, reward, done: count >= 10 });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

test("an environment without tools has one API with the fields of its action, and its rewards add up", async () => {
  const world = await openEnvironment({ url: await startCounter() });
  const episode = await world.open("train/0/1");
  expect((await episode.step("print(apis.env.step({by: 4}).observation.count)")).stdout).toBe(
    "4\n",
  );
  expect((await episode.step("apis.env.step({by: 0})")).text).toContain("by must not be 0");
  await episode.step("apis.env.step({by: 6}); apis.me.finishTask({})");
  const { passed, reward } = await episode.evaluate();
  expect({ passed, reward }).toEqual({ passed: true, reward: 1 });
  await episode.close();
});

test("a sum of rewards above 1 is refused with what to do, instead of being cut", async () => {
  const world = await openEnvironment({ url: await startCounter() });
  const episode = await world.open("train/0/1");
  await episode.step("apis.env.step({by: 20}); apis.me.finishTask({})");
  await expect(episode.evaluate()).rejects.toThrow(
    "expected a reward from 0 to 1, got 2; map the rewards",
  );
  await episode.close();
});

const isStep = ({ data }: { data?: Record<string, unknown> }) => typeof data?.["by"] === "number";
const FAULTS: Readonly<Record<string, Answer>> = {
  "closes the socket": (message, socket) => {
    if (!isStep(message)) return undefined;
    socket.terminate();
    return "nothing";
  },
  "answers garbage": (message) => (isStep(message) ? "<html>" : undefined),
  "answers something else": (message) =>
    isStep(message) ? '{"type":"observation","data":{}}' : undefined,
  "never answers": (message) => (isStep(message) ? "nothing" : undefined),
};

describe.each(Object.entries(FAULTS))("an environment that %s", (_, spoil) => {
  test("once: the steps are made again on another socket, and count once", async () => {
    let faults = 1;
    let steps = 0;
    const url = await startCounter((message, socket) => {
      if (!isStep(message)) return undefined;
      return ++steps === 2 && faults-- > 0 ? spoil(message, socket) : undefined;
    });
    const world = await openEnvironment({ url }, { callTimeoutMs: 300 });
    const episode = await world.open("train/0/1");
    await episode.step("apis.env.step({by: 4})");
    expect((await episode.step("print(apis.env.step({by: 6}).observation.count)")).stdout).toBe(
      "10\n",
    );
    await episode.step("apis.me.finishTask({})");
    expect((await episode.evaluate()).reward).toBe(1);
    await episode.close();
  });

  test("always: the episode fails and has no reward", async () => {
    const url = await startCounter(spoil);
    const world = await openEnvironment({ url }, { callTimeoutMs: 300 });
    const episode = await world.open("train/0/1");
    await expect(episode.step("apis.env.step({by: 4})")).rejects.toThrow("the apps did not answer");
    await episode.close();
  });
});
