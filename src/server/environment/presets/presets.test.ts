/**
 * Tests the presets against programs that behave as the real ones do (`tests/all/real-harnesses.test.ts` has those):
 * the model is asked by the episode's own key, the reward is read, and a failure is never a reward of 0.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scriptedSession } from "../../../testing/index.ts";
import type { AgentContext, RunAgent } from "../../agent/index.ts";
import { type Gateway, openGateway } from "../../gateway/index.ts";
import { harbor, harborPreset } from "./harbor.ts";
import { nemoGym } from "./nemo-gym.ts";
import { tau2, tau2Preset } from "./tau2.ts";
import { verifiers, verifiersPreset } from "./verifiers.ts";

const FAKE = fileURLToPath(
  new URL("../../../../tests/support/harnesses/fake-harness.mjs", import.meta.url),
);
let folder: string;
let program: string;
let gateway: Gateway;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bowline-presets-test-"));
  program = join(folder, "harness");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${FAKE}" "$@"\n`);
  chmodSync(program, 0o755);
  gateway = await openGateway();
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

let episodes = 0;
/** Opens an episode whose model says `answer`, plays the task, and returns the result and the number of answers. */
async function play<T>(agent: RunAgent<T>, task: T, answer = "yes") {
  const session = { ...scriptedSession(() => answer), id: `e${episodes++}` };
  let asked = 0;
  const episode = gateway.open({
    ...session,
    respond: (request, options) => {
      asked++;
      return session.respond(request, options);
    },
  });
  const context: AgentContext = {
    ...{ session, signal: new AbortController().signal, model: undefined as never },
    ...{ apiKey: episode.key, baseURL: episode.openaiBaseURL },
    ...{ anthropicBaseURL: episode.anthropicBaseURL, googleBaseURL: episode.googleBaseURL },
  };
  try {
    return { result: await agent(task, context), asked };
  } finally {
    episode.close();
  }
}

const options = (name: string, fault = "") => ({
  program,
  env: { FAKE: name, FAULT: fault, USER_KEY: "user" },
});
const userModel = { userModel: "openai/u", userKeyFrom: "USER_KEY" };
const PRESETS: Readonly<Record<string, (fault?: string) => () => Promise<unknown>>> = {
  verifiers: (fault) => () =>
    play(verifiers({ ...options("verifiers", fault), taskset: "t" }), { idx: 3 }),
  harbor: (fault) => () =>
    play(harbor({ ...options("harbor", fault), agent: "a" }), { path: "tasks/one" }),
  tau2: (fault) => () =>
    play(tau2({ ...options("tau2", fault), ...userModel, domain: "d", data: folder }), { id: "7" }),
};

describe.each(Object.keys(PRESETS))("the preset for %s", (name) => {
  it("asks the model of its episode and reads the reward", async () => {
    const reward = name === "verifiers" ? 0.5 : 1;
    expect(await PRESETS[name]!()()).toMatchObject({ result: { reward }, asked: 1 });
  });
});

it.each([
  ["verifiers", "exits", /exited with the code 3/],
  ["verifiers", "dies", /was ended by SIGKILL/],
  ["harbor", "silent", /exit code 0, but wrote no /],
])("fails without a reward when the program of %s %s", async (name, fault, message) => {
  await expect(PRESETS[name]!(fault)()).rejects.toMatchObject({
    name: "exit-code",
    message: expect.stringMatching(message),
  });
});

const line = (episode: object) => `${JSON.stringify({ ok: true, traces: [], ...episode })}\n`;
const failed = { ok: false, traces: [{ errors: [{ message: "502" }] }] };
const exception = { exception_type: "AgentTimeoutError", exception_message: "600 s" };
const trial = (more: object) =>
  JSON.stringify({ verifier_result: { rewards: { a: 1, b: 0 } }, ...more });
const simulation = (more: object) => JSON.stringify({ simulations: [more] });

it.each<[string, string, RegExp]>([
  ["verifiers", line(failed), /the episode failed: 502/],
  ["verifiers", line({ ok: false }), /verifiers gives no reason/],
  ["verifiers", line({}) + line({}), /expected one episode, got 2/],
  ["verifiers", "{nonsense\n", /is no JSON/],
  ["verifiers", line({ ok: "yes" }), /traces.jsonl: ok: /],
  ["harbor", trial({ exception_info: exception }), /failed: AgentTimeoutError: 600 s/],
  ["harbor", trial({}), /expected the reward reward, got a, b/],
  ["harbor", trial({ verifier_result: null }), /expected the reward reward, got none/],
  ["harbor", "", /is no JSON/],
  ["tau2", simulation({ termination_reason: "too_many_errors" }), /ended with too_many_errors/],
  ["tau2", simulation({ reward_info: null }), /ended with no reason and has no reward/],
  ["tau2", JSON.stringify({ simulations: [] }), /expected one simulation, got 0/],
  ["tau2", simulation({ reward_info: { reward: "1" } }), /reward_info.reward: /],
])("takes no reward from the result of %s %s", (name, text, message) => {
  const place = mkdtempSync(join(folder, "result-"));
  const variables = { OPENAI_API_KEY: "key" };
  const episode = { task: undefined, folder: place, variables };
  const [path, read] = {
    verifiers: ["episode/traces.jsonl", () => verifiersPreset.readResult({} as never, episode)],
    harbor: ["episode/result.json", () => harborPreset.readResult({} as never, episode)],
    tau2: [
      "simulations/bowline-key.json",
      () => tau2Preset.readResult({ data: place } as never, episode),
    ],
  }[name] as [string, () => unknown];
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
  expect(read).toThrow(message);
});

it("names the tasks that a preset takes", async () => {
  const wrong = { task: 1 } as never;
  await expect(play(verifiers({ ...options("verifiers"), taskset: "t" }), wrong)).rejects.toThrow(
    /the task: expected a task such as \{"idx": 0\}/,
  );
});

it("reads results of tau2-bench in a folder too, and leaves none behind", async () => {
  expect(await PRESETS["tau2"]!("folder")()).toMatchObject({ result: { reward: 1 } });
  expect(existsSync(join(folder, "simulations"))).toBe(true);
  expect(readdirSync(join(folder, "simulations"))).toEqual([]);
});

it("ends a harness that hangs, and its runner", async () => {
  const agent = verifiers({
    ...options("verifiers", "hangs"),
    ...{ taskset: "t", timeoutSeconds: 1, graceSeconds: 0.2 },
  });
  await expect(play(agent, { idx: 0 })).rejects.toMatchObject({ name: "time" });
  await agent.settled!();
});

it.each([
  [() => verifiers({ taskset: "" }), /the options of verifiers\(\): taskset/],
  [() => harbor({ agent: "a", sandbx: "docker" } as never), /sandbx/],
  [() => nemoGym({ agent: "nowhere", modelPort: 1 }), /agent: expected an address/],
  [() => nemoGym({ agent: "http://a", modelPort: 0 }), /modelPort: expected a port/],
])("refuses wrong options %#", (make, message) => {
  expect(make).toThrow(message);
});

/** Serves an agent of a gym, which asks the model at `port` as its own model server would. */
async function startGym(port: () => number, passesMetadata = true) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { responses_create_params: params, expected } = JSON.parse(text);
    const { metadata, ...rest } = params;
    const answer = await fetch(`http://127.0.0.1:${port()}/v1/responses`, {
      method: "POST",
      headers: { authorization: "Bearer any", "content-type": "application/json" },
      body: JSON.stringify({ ...rest, ...(passesMetadata && { metadata }), model: "any" }),
    });
    const body = (await answer.json()) as { output?: { content: { text: string }[] }[] };
    const said = body.output?.[0]?.content[0]?.text;
    response.statusCode = answer.ok ? 200 : 500;
    response.end(JSON.stringify(answer.ok ? { reward: said === expected ? 1 : 0 } : body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Finds a port that is free now. */
async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

describe("the preset for NeMo Gym", () => {
  const row = (expected: string) => ({ expected, responses_create_params: { input: "?" } });

  it("plays episodes at the same time, each with its own model, and frees its port at the end", async () => {
    const modelPort = await findFreePort();
    const { server, url } = await startGym(() => modelPort);
    const agent = nemoGym({ agent: url, modelPort, timeoutSeconds: 20 });
    const plays = ["a", "b", "c"].map((word) => play(agent, row("a"), word));
    expect((await Promise.all(plays)).map(({ result }) => result)).toEqual([
      { reward: 1 },
      { reward: 0 },
      { reward: 0 },
    ]);
    await agent.settled!();
    expect((await play(agent, row("b"), "b")).result).toEqual({ reward: 1 });
    await agent.settled!();
    await expect(fetch(`http://127.0.0.1:${modelPort}/`)).rejects.toThrow();
    server.close();
  });

  it("fails when the agent does not pass the metadata on, and when the gym is not there", async () => {
    const modelPort = await findFreePort();
    const { server, url } = await startGym(() => modelPort, false);
    const agent = nemoGym({ agent: url, modelPort });
    await expect(play(agent, row("a"))).rejects.toMatchObject({
      name: "server",
      message: expect.stringMatching(/metadata.bowline: expected the key of the episode/),
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(play(agent, row("a"))).rejects.toMatchObject({ name: "server" });
    await expect(play(agent, { input: "?" } as never)).rejects.toThrow(/responses_create_params/);
    await agent.settled!();
  });
});
