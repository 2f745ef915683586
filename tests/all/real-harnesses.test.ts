/**
 * Runs the presets against the harnesses themselves, where they are installed: BOWLINE_VERIFIERS, BOWLINE_HARBOR and
 * BOWLINE_NEMO_GYM name the folders of Python environments that have verifiers 0.4, Harbor 0.26 and NeMo Gym 0.4.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type AgentContext,
  type Gateway,
  harbor,
  nemoGym,
  openGateway,
  type RunAgent,
  verifiers,
} from "../../src/server/index.ts";
import { type SessionScript, scriptedSession } from "../../src/testing/index.ts";
import { ROOT } from "../e2e/support/cli.ts";

const {
  BOWLINE_VERIFIERS: verifiersFolder,
  BOWLINE_HARBOR: harborFolder,
  BOWLINE_NEMO_GYM: gymFolder,
} = process.env;
const PARTS = join(ROOT, "tests/support/harnesses");
const PYTHON = { PYTHONDONTWRITEBYTECODE: "1", HARBOR_TELEMETRY: "0" };
const MINUTES = 300_000;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway.close());

let episodes = 0;
async function play<T>(agent: RunAgent<T>, task: T, script: SessionScript) {
  const session = { ...scriptedSession(script), id: `e${episodes++}` };
  const episode = gateway.open(session);
  const context: AgentContext = {
    ...{ session, signal: new AbortController().signal, model: undefined as never },
    ...{ apiKey: episode.key, baseURL: episode.openaiBaseURL },
    ...{ anthropicBaseURL: episode.anthropicBaseURL, googleBaseURL: episode.googleBaseURL },
  };
  return agent(task, context);
}

const withPath = (folder: string, modules: string) => ({
  ...PYTHON,
  PYTHONPATH: modules,
  PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
});

test.skipIf(!verifiersFolder).each(["last_word", "null"])(
  "verifiers scores an answer through its harness %s, and a failed episode has no reward",
  async (harness) => {
    const agent = verifiers({
      ...{ taskset: "last_word", harness, program: join(verifiersFolder!, "bin/vf-eval") },
      env: withPath(verifiersFolder!, join(ROOT, "examples/verifiers")),
    });
    const last: SessionScript = ({ messages }) => {
      const [said] = messages.at(-1)!.parts;
      return said?.type === "text" ? said.text.split(" ").at(-1)! : "";
    };
    expect(await play(agent, { idx: 3 }, last)).toMatchObject({ reward: 1 });
    expect(await play(agent, { idx: 3 }, () => "no")).toMatchObject({ reward: 0 });
    const broken = () => Promise.reject(new Error("the engine broke"));
    await expect(play(agent, { idx: 3 }, broken)).rejects.toThrow(/the episode failed: /);
  },
  MINUTES,
);

test.skipIf(!harborFolder)(
  "Harbor runs a trial in a sandbox of ours and its verifier's reward arrives",
  async () => {
    const agent = harbor({
      ...{ agent: "harbor_parts:OneCallAgent", sandbox: "harbor_parts:FolderSandbox" },
      ...{ program: join(harborFolder!, "bin/harbor"), env: withPath(harborFolder!, PARTS) },
    });
    const task = { path: join(PARTS, "harbor-task") };
    expect(await play(agent, task, () => "three")).toMatchObject({ reward: 1 });
    expect(await play(agent, task, () => "two")).toMatchObject({ reward: 0 });
    const broken = () => Promise.reject(new Error("the engine broke"));
    await expect(play(agent, task, broken)).rejects.toThrow(/the trial failed|exited with/);
  },
  MINUTES,
);

test.skipIf(!gymFolder)(
  "a gym of NeMo plays episodes at the same time, each with its own model",
  async () => {
    const modelPort = 8611;
    const gym = spawn(join(gymFolder!, "bin/python"), ["serve_gym.py", String(modelPort)], {
      cwd: PARTS,
      env: { ...process.env, ...PYTHON },
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const [address] = (await once(createInterface({ input: gym.stdout }), "line")) as [string];
      const agent = nemoGym({ agent: address, modelPort, timeoutSeconds: 120 });
      const parameters = {
        ...{ type: "object", properties: { city: { type: "string", description: "" } } },
        ...{ required: ["city"], additionalProperties: false },
      };
      const tool = { name: "get_weather", parameters, strict: true, type: "function" };
      const responses_create_params = { input: "the weather in sf?", tools: [tool] };
      const turns = [0, 0];
      const results = turns.map((_, i) =>
        play(agent, { responses_create_params }, () =>
          turns[i]!++ === 0
            ? { calls: [{ name: "get_weather", arguments: '{"city":"sf"}' }] }
            : "It is cold.",
        ),
      );
      expect(await Promise.all(results)).toMatchObject([{ reward: 1 }, { reward: 1 }]);
      expect(turns).toEqual([2, 2]);
      await agent.settled!();
    } finally {
      gym.kill();
    }
  },
  MINUTES,
);
