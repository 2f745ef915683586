import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connectOpenEnv, type OpenEnvClient } from "../../../tests/support/openenv-client.ts";
import { resolveWorld } from "../../train/index.ts";
import { openWorld } from "../../world/index.ts";
import type { OpenEnvServer, OpenEnvServerOptions, ServedWorld } from "./server.ts";
import { startOpenEnvServer } from "./server.ts";

let world: ServedWorld;
let server: OpenEnvServer;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  world = await openWorld(resolveWorld("toy").url, { seed: 1 });
  server = await startOpenEnvServer({ world });
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await waitUntil(() => server.sessions === 0);
  expect(server.openEpisodes).toBe(0);
});
afterAll(async () => {
  await server.close();
  await world.close();
});

async function waitUntil(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !holds(); i++) await sleep(10);
  expect(holds()).toBe(true);
}

async function startOther(options: Partial<OpenEnvServerOptions>): Promise<OpenEnvServer> {
  const other = await startOpenEnvServer({ world, ...options });
  opened.push(other);
  return other;
}

async function connect(path = "/ws", to = server): Promise<OpenEnvClient> {
  const client = await connectOpenEnv(`ws://127.0.0.1:${to.port}${path}`);
  opened.unshift(client);
  return client;
}

const reset = (data: object = {}) => ({ type: "reset", data });
const run = (code: string) => ({ type: "step", data: { code } });
const FINISH = run("apis.me.finishTask({})");

describe("an episode over /ws", () => {
  test("opens the task that the reset names, and pays its reward with the last step", async () => {
    const client = await connect();
    const first = await client.ask(reset({ split: "dev", index: 3 }));
    expect(first).toMatchObject({ type: "observation", data: { reward: null, done: false } });
    const { task, text } = first.data.observation as { task: { id: string }; text: string };
    expect(task).toMatchObject({ id: world.tasks("dev")[3]!.id, index: 3 });
    expect(text).toBe(world.tasks("dev")[3]!.instruction);
    const { turns } = await world.demonstrate(task.id, "careful", 1);
    const rewards = [];
    for (const { code } of turns) rewards.push((await client.ask(run(code))).data);
    expect(rewards.map(({ reward }) => reward)).toEqual([...turns.slice(1).map(() => 0), 1]);
    expect(rewards.at(-1)).toMatchObject({ done: true, metadata: { passed: true } });
    expect(await client.ask({ type: "state" })).toMatchObject({
      data: { task_id: task.id, step_count: turns.length, done: true, reward: 1 },
    });
  });

  test("keeps the names of checks to itself until the episode is over", async () => {
    const client = await connect();
    await client.ask(reset({ index: 0 }));
    expect(JSON.stringify(await client.ask(run("print(1)")))).not.toContain("check");
  });

  test("the same seed opens the same task, and no choice goes through the split", async () => {
    const client = await connect();
    const taskOf = async (data: object) =>
      ((await client.ask(reset(data))).data.observation!["task"] as { id: string }).id;
    const count = world.tasks("train").length;
    expect(await taskOf({ seed: 5 })).toBe(world.tasks("train")[5]!.id);
    expect(await taskOf({ seed: 5 + count })).toBe(world.tasks("train")[5]!.id);
    const one = world.tasks("train").findIndex(({ id }) => id === world.tasks("train")[0]!.id);
    const ids = [await taskOf({}), await taskOf({})];
    expect(one).toBe(0);
    expect(new Set(ids).size).toBe(2);
  });

  test("an episode is over after the last step that it may have", async () => {
    const client = await connect("/ws", await startOther({ maxSteps: 2 }));
    await client.ask(reset());
    expect((await client.ask(run("print(1)"))).data).toMatchObject({ reward: 0, done: false });
    expect((await client.ask(run("print(1)"))).data).toMatchObject({ reward: 0, done: true });
  });

  test("a second reset closes the first episode", async () => {
    const client = await connect();
    await client.ask(reset());
    await client.ask(reset());
    expect(server.openEpisodes).toBe(1);
  });

  test("variables do not survive a reset", async () => {
    const client = await connect();
    await client.ask(reset({ index: 0 }));
    await client.ask(run("var kept = 1"));
    await client.ask(reset({ index: 0 }));
    expect((await client.ask(run("print(typeof kept)"))).data.observation!["text"]).toBe(
      "undefined",
    );
  });

  test("messages that are sent at once are answered in order", async () => {
    const client = await connect();
    client.socket.send(JSON.stringify(reset({ index: 0 })));
    for (let i = 0; i < 100; i++) client.socket.send(JSON.stringify(run(`print(${i})`)));
    await client.next();
    const texts = [];
    for (let i = 0; i < 99; i++) texts.push((await client.next()).data.observation!["text"]);
    expect(texts).toEqual(texts.map((_, i) => `${i}`));
  });
});

describe("what a client must not do over /ws", () => {
  const WRONG: readonly [string, object | string, string, string][] = [
    ["text that is no JSON", "{", "INVALID_JSON", "JSON"],
    ["brackets that are nested too deep", "[".repeat(5000), "INVALID_JSON", "nested too deep"],
    ["a list", [], "VALIDATION_ERROR", "expected an object"],
    ["null", "null", "VALIDATION_ERROR", "expected an object"],
    [
      "an unknown type",
      { type: "jump" },
      "UNKNOWN_TYPE",
      "expected reset, step, state, mcp or close",
    ],
    ["no type", {}, "UNKNOWN_TYPE", "got nothing"],
    ["a step before a reset", run("1"), "EXECUTION_ERROR", "no episode is open; send reset"],
    [
      "a tool before a reset",
      { type: "step", data: { type: "call_tool", tool_name: "shelf_list" } },
      "EXECUTION_ERROR",
      "send reset",
    ],
    ["a step without data", { type: "step" }, "VALIDATION_ERROR", "data"],
    ["a step without code", { type: "step", data: {} }, "VALIDATION_ERROR", "code"],
    ["code that is a number", { type: "step", data: { code: 1 } }, "VALIDATION_ERROR", "code"],
    [
      "an unknown field of a step",
      { type: "step", data: { code: "", speed: 1 } },
      "VALIDATION_ERROR",
      "speed: this field is unknown",
    ],
    [
      "an unknown field of a reset",
      reset({ difficulty: 3 }),
      "VALIDATION_ERROR",
      "difficulty: this field is unknown",
    ],
    ["an unknown field of a message", { type: "state", extra: 1 }, "VALIDATION_ERROR", "extra"],
    [
      "a split that is not served",
      reset({ split: "test-normal" }),
      "VALIDATION_ERROR",
      "split: expected train, dev",
    ],
    ["a split that does not exist", reset({ split: "tests" }), "VALIDATION_ERROR", "split"],
    [
      "a place outside the split",
      reset({ index: 1e6 }),
      "VALIDATION_ERROR",
      "index: expected 0 to",
    ],
    [
      "a task of a split that is not served",
      reset({ task_id: "test-normal/0/1" }),
      "VALIDATION_ERROR",
      "task_id: expected a task of train, dev",
    ],
    ["a negative seed", reset({ seed: -1 }), "VALIDATION_ERROR", "seed"],
  ];
  test.each(WRONG)("%s: an error, and the socket lives", async (_, message, code, text) => {
    const client = await connect();
    const answer = await client.ask(message);
    expect(answer).toMatchObject({ type: "error", data: { code } });
    expect(answer.data.message).toContain(text);
    expect(await client.ask(reset())).toMatchObject({ type: "observation" });
  });

  test("a step after the end: an error, and a reset opens the next episode", async () => {
    const client = await connect();
    await client.ask(reset());
    await client.ask(FINISH);
    expect(server.openEpisodes).toBe(0);
    expect(await client.ask(FINISH)).toMatchObject({
      data: {
        code: "EXECUTION_ERROR",
        message: "the episode is over; send reset before the next step",
      },
    });
    expect(await client.ask(reset())).toMatchObject({ type: "observation" });
  });

  test("a wrong reset leaves the open episode as it is", async () => {
    const client = await connect();
    await client.ask(reset({ index: 0 }));
    await client.ask(run("var kept = 1"));
    await client.ask(reset({ index: -1 }));
    expect((await client.ask(run("print(kept)"))).data.observation!["text"]).toBe("1");
  });

  test("bytes end the socket with 1003, a message that is too large with 1009", async () => {
    const other = await startOther({ messageBytes: 1000 });
    const bytes = await connect("/ws", other);
    bytes.socket.send(Buffer.from("{}"));
    expect((await once(bytes.socket, "close"))[0]).toBe(1003);
    const large = await connect("/ws", other);
    large.socket.send("x".repeat(1001));
    expect((await once(large.socket, "close"))[0]).toBe(1009);
    await waitUntil(() => other.sessions === 0);
  });
});

describe("limits", () => {
  test("one client too many is told so, and has a place when another leaves", async () => {
    const other = await startOther({ maxEpisodes: 1 });
    const first = await connect("/ws", other);
    const second = await connect("/ws", other);
    expect(await second.next()).toMatchObject({
      type: "error",
      data: { code: "CAPACITY_REACHED", active_sessions: 1, max_sessions: 1 },
    });
    await once(second.socket, "close");
    await first.close();
    await waitUntil(() => other.sessions === 0);
    const third = await connect("/ws", other);
    expect(await third.ask(reset())).toMatchObject({ type: "observation" });
  });

  test("a silent client loses its episode, a client that speaks does not", async () => {
    const other = await startOther({ idleMs: 400 });
    const silent = await connect("/ws", other);
    const busy = await connect("/ws", other);
    await silent.ask(reset());
    const [ended] = [once(silent.socket, "close")];
    for (let i = 0; i < 8; i++) {
      await busy.ask({ type: "state" });
      await sleep(100);
    }
    expect((await ended)[0]).toBe(1001);
    expect(await busy.ask(reset())).toMatchObject({ type: "observation" });
    await waitUntil(() => other.openEpisodes === 1);
  });

  test("a session of HTTP that is silent is closed", async () => {
    const other = await startOther({ idleMs: 200 });
    await postRpc(other, { jsonrpc: "2.0", id: 1, method: "openenv/session/create" });
    expect(other.sessions).toBe(1);
    await waitUntil(() => other.sessions === 0);
  });

  test("closing the server closes every socket and episode", async () => {
    const other = await startOther({});
    const client = await connect("/ws", other);
    await client.ask(reset());
    const ended = once(client.socket, "close");
    await other.close();
    expect((await ended)[0]).toBe(1001);
    expect([other.sessions, other.openEpisodes]).toEqual([0, 0]);
  });

  test("a server with a key refuses sockets and requests without it", async () => {
    const other = await startOther({ key: "secret" });
    const url = `127.0.0.1:${other.port}`;
    await expect(connectOpenEnv(`ws://${url}/ws`)).rejects.toThrow("401");
    expect((await fetch(`http://${url}/metadata`)).status).toBe(401);
    expect((await fetch(`http://${url}/health`)).status).toBe(200);
    const headers = { authorization: "Bearer secret" };
    const client = await connectOpenEnv(`ws://${url}/ws`, headers);
    opened.unshift(client);
    expect(await client.ask(reset())).toMatchObject({ type: "observation" });
  });
});

async function postRpc(to: OpenEnvServer, body: object, headers = {}, query = "") {
  const response = await fetch(`${to.url}/mcp${query}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
  return (await response.json()) as {
    readonly result?: Record<string, unknown>;
    readonly error?: { readonly code: number; readonly message: string };
  };
}

const rpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

describe("the APIs as tools", () => {
  test("a step calls a tool by its name", async () => {
    const client = await connect();
    await client.ask(reset({ index: 0 }));
    const call = (tool_name: string, args: object) =>
      client.ask({ type: "step", data: { type: "call_tool", tool_name, arguments: args } });
    expect((await call("shelf_list", { box: "red" })).data.observation).toMatchObject({
      tool_name: "shelf_list",
      result: expect.any(Array),
      error: null,
    });
    expect((await call("shelf_list", { box: "black" })).data.observation).toMatchObject({
      result: null,
      error: { error_type: "execution_error", message: expect.stringContaining("box") },
    });
    expect((await call("shelf_lst", {})).data.observation).toMatchObject({
      error: { error_type: "tool_not_found", message: expect.stringContaining("shelf_list") },
    });
    expect((await call("me_finishTask", {})).data).toMatchObject({ done: true });
  });

  test("tools are listed with schemas of their arguments, before any reset", async () => {
    const client = await connect();
    const { data } = await client.ask({ type: "step", data: { type: "list_tools" } });
    const tools = data.observation!["tools"] as { name: string; input_schema: object }[];
    expect(tools.find(({ name }) => name === "shelf_list")).toMatchObject({
      input_schema: { type: "object", required: ["box"], additionalProperties: false },
    });
  });

  test("JSON-RPC in a message of /ws acts on the episode of the socket", async () => {
    const client = await connect();
    await client.ask(reset({ index: 0 }));
    await client.ask(run("var kept = 7"));
    const data = rpc("tools/call", { name: "run_code", arguments: { code: "print(kept)" } });
    expect(await client.ask({ type: "mcp", data })).toMatchObject({
      data: { result: { content: [{ type: "text", text: "7" }], isError: false } },
    });
  });

  test("a socket at /mcp opens the task of its URL with the first call", async () => {
    const client = await connect("/mcp?split=dev&index=2");
    expect(server.openEpisodes).toBe(0);
    const call = rpc("tools/call", { name: "run_code", arguments: { code: "print(1)" } });
    expect(await client.ask(call)).toMatchObject({ result: { isError: false } });
    expect(server.openEpisodes).toBe(1);
    expect(await client.ask("{")).toMatchObject({ error: { code: -32700 } });
    expect(await client.ask({})).toMatchObject({ error: { code: -32600 } });
    expect(await client.ask(rpc("jump"))).toMatchObject({ error: { code: -32601 } });
  });

  test("a session of HTTP is shared by its socket, and ends when it is closed", async () => {
    const { result } = await postRpc(server, rpc("openenv/session/create"));
    const id = result!["session_id"] as string;
    const client = await connect(`/ws?session_id=${id}`);
    await client.ask(reset({ index: 0 }));
    await client.ask(run("var kept = 3"));
    const code = { code: "print(kept)" };
    const call = rpc("tools/call", { name: "run_code", arguments: code, session_id: id });
    expect((await postRpc(server, call)).result).toMatchObject({ content: [{ text: "3" }] });
    const second = await connect(`/ws?session_id=${id}`);
    expect(await second.next()).toMatchObject({ data: { code: "SESSION_ERROR" } });
    const closing = rpc("openenv/session/close", { session_id: id });
    expect((await postRpc(server, closing)).result).toMatchObject({ closed: true });
    expect((await postRpc(server, closing)).error).toMatchObject({ code: -32602 });
  });
});

describe("HTTP", () => {
  const ask = async (method: string, path: string, body?: unknown) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await fetch(`${server.url}${path}`, init);
    return [response.status, await response.json()] as const;
  };

  test.each([
    ["GET", "/health", undefined, { status: "healthy" }],
    ["GET", "/metadata", undefined, { name: "toy", description: expect.stringContaining("train") }],
    ["GET", "/schema", undefined, { action: { title: "CodeAction", required: ["code"] } }],
    ["GET", "/openapi.json", undefined, { info: { version: "1.0.0" } }],
    ["GET", "/state", undefined, { episode_id: null, step_count: 0 }],
    ["GET", "/list_environments", undefined, ["toy"]],
    [
      "GET",
      "/toy/splits",
      undefined,
      [
        { name: "train", type: "train" },
        { name: "dev", type: "validation" },
      ],
    ],
    ["POST", "/toy/task", { split: "dev", index: 1 }, { task: { id: "dev/0/2", index: 1 } }],
    [
      "POST",
      "/toy/task_range",
      { split: "dev", start: 1, stop: 2 },
      { tasks: [{ id: "dev/0/2" }] },
    ],
    [
      "POST",
      "/reset",
      { split: "dev", index: 1 },
      { reward: null, observation: { task: { id: "dev/0/2" } } },
    ],
    [
      "POST",
      "/step",
      { action: { code: "print(2)" } },
      { observation: { text: "2" }, done: false },
    ],
    ["POST", "/mcp", {}, { jsonrpc: "2.0", error: { code: -32600 } }],
  ])("%s %s %j", async (method, path, body, expected) => {
    const [status, json] = await ask(method, path, body);
    expect(status).toBe(200);
    expect(json).toMatchObject(expected);
  });

  test("the number of tasks is that of the world", async () => {
    const [, json] = await ask("POST", "/toy/num_tasks", { split: "train" });
    expect(json).toEqual({ num_tasks: world.tasks("train").length });
  });

  test.each([
    ["GET", "/nothing", undefined, 404],
    ["GET", "/other/splits", undefined, 404],
    ["GET", "/reset", undefined, 404],
    ["POST", "/toy/task", { split: "dev" }, 400],
    ["POST", "/toy/tasks", { split: "nothing" }, 422],
    ["POST", "/toy/tasks", { split: "dev", more: 1 }, 422],
    ["POST", "/step", { action: {} }, 422],
    ["POST", "/step", {}, 422],
    ["POST", "/reset", [], 422],
    ["PUT", "/mcp", {}, 405],
    ["DELETE", "/mcp", undefined, 405],
  ])("%s %s %j is refused with %i", async (method, path, body, status) => {
    const [got, json] = await ask(method, path, body);
    expect(got).toBe(status);
    expect(json).toMatchObject(path === "/mcp" ? { error: {} } : { detail: expect.any(String) });
  });

  test("a socket elsewhere, another protocol and a page of another origin are refused", async () => {
    const url = `ws://127.0.0.1:${server.port}`;
    await expect(connectOpenEnv(`${url}/other`)).rejects.toThrow("404");
    const origin = { origin: "https://evil.example" };
    await expect(connectOpenEnv(`${url}/ws`, origin)).rejects.toThrow("403");
    await expect(connectOpenEnv(`${url}/ws`, { host: "evil.example" })).rejects.toThrow("421");
  });
});
