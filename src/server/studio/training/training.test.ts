/** Runs that are started, stopped and resumed over HTTP, by a command that only seems to train. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startedSchema, type Trainer, trainerSchema } from "../../../spec/studio/index.ts";
import { type Listening, listen } from "../http.ts";
import { recordsOf } from "../records.ts";
import { apiOf } from "../routes.ts";
import { openRuns, runRoutes, studioRoutes } from "../runs/index.ts";
import { cannotStart, trainers, trainingRoutes } from "./index.ts";

const FAKE = fileURLToPath(new URL("../../../../tests/support/fake-trainer.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "bowline-studio-training-"));
const started = trainers([process.execPath, FAKE]);
let studio: Listening;

async function serve(folder: string, own?: typeof started): Promise<Listening> {
  const runs = openRuns(folder);
  const parts = { runs, records: recordsOf(runs), trainers: own };
  const routes = [
    ...studioRoutes({ root: folder }, runs, () => cannotStart(parts)),
    ...trainingRoutes(parts),
    ...runRoutes(runs),
  ];
  return listen({ api: apiOf(routes), page: () => undefined, port: 0 });
}

beforeAll(async () => {
  studio = await serve(root, started);
});
afterEach(async () => {
  for (const { run } of started.going()) started.stop(run);
  await expect.poll(() => started.going(), { timeout: 10_000 }).toEqual([]);
});
afterAll(async () => {
  await studio.close();
  started[Symbol.dispose]();
  rmSync(root, { recursive: true });
});

type Answer = { readonly status: number; readonly json: Record<string, unknown> };

async function ask(path: string, body?: unknown, to = studio): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${to.port}/api/${path}`, {
    headers: { authorization: `Bearer ${to.token}`, "content-type": "application/json" },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as Answer["json"] };
}

const asked = (name: string, fields = {}) => ({
  ...{ setting: "smoke", method: "loop", seed: 1, name, fields },
});

async function trainer(run: string): Promise<Trainer> {
  return trainerSchema.parse((await ask(`runs/${run}/trainer`)).json);
}

async function ended(run: string): Promise<Trainer> {
  await expect.poll(async () => (await trainer(run)).state, { timeout: 10_000 }).toBe("ended");
  return trainer(run);
}

describe("a run", () => {
  test("is started, seen, stopped and resumed", async () => {
    const { status, json } = await ask("runs", { setting: "smoke", method: "rloo", seed: 7 });
    expect({ status, run: startedSchema.parse(json).run }).toEqual({
      status: 200,
      run: "smoke-rloo-seed7",
    });
    const run = "smoke-rloo-seed7";
    expect((await ask(`runs/${run}`)).json).toMatchObject({ status: "running", method: "rloo" });
    expect(await trainer(run)).toEqual({ state: "running", output: ["it trains"] });
    expect((await ask(`runs/${run}/stop`, {})).json["state"]).toBe("stopping");
    expect(await ended(run)).toEqual({
      ...{ state: "ended", code: 130, output: ["it trains", "stopped"] },
    });
    expect((await ask(`runs/${run}`)).json).toMatchObject({ status: "stopped" });
    expect(await ask(`runs/${run}/resume`, {})).toEqual({ status: 200, json: { run } });
    expect(await trainer(run)).toMatchObject({ state: "running" });
    expect(await ask(`runs/${run}/resume`, {})).toMatchObject({ status: 409 });
  });

  test.each([
    ["2", 400],
    ["1", 409],
    ["3", 500],
  ])("that the command refuses with %s is answered in its words", async (code, status) => {
    const answer = await ask("runs", asked("refused", { "run.fails": code }));
    expect(answer).toEqual({ status, json: { error: `refused with ${code}` } });
    expect(existsSync(join(root, "refused"))).toBe(false);
  });

  test("has a folder of its own: what is there already is refused", async () => {
    mkdirSync(join(root, "there"));
    symlinkSync("/nowhere", join(root, "link"));
    for (const name of ["there", "link"]) {
      const { status, json } = await ask("runs", asked(name));
      expect({ status, error: json["error"] }).toEqual({
        status: 409,
        error: expect.stringContaining(`there is ${name} already`),
      });
    }
    expect(started.going()).toEqual([]);
  });

  test("is one of few at a time", async () => {
    for (const name of ["a", "b", "c"]) {
      expect((await ask("runs", asked(name))).status).toBe(200);
    }
    const { status, json } = await ask("runs", asked("d"));
    expect({ status, error: json["error"] }).toEqual({
      status: 409,
      error: expect.stringMatching(/3 runs .* \(a, b, c\): wait for one, or stop one/),
    });
  });

  test("that was started elsewhere is not stopped from here", async () => {
    mkdirSync(join(root, "elsewhere"));
    writeFileSync(join(root, "elsewhere", "run.json"), '{"config":{}}');
    expect(await trainer("elsewhere")).toEqual({ state: "none", output: [] });
    const { status, json } = await ask("runs/elsewhere/stop", {});
    expect({ status, error: json["error"] }).toEqual({
      status: 409,
      error: expect.stringContaining("stop it where it was started"),
    });
    expect(await ask("runs/nowhere/stop", {})).toMatchObject({ status: 404 });
  });

  test("whose module came with it is not resumed", async () => {
    mkdirSync(join(root, "foreign"));
    const own = join(root, "foreign", "reward.mjs");
    writeFileSync(own, "");
    const config = { setting: "smoke", method: "loop", extensions: { rewards: [own] } };
    writeFileSync(join(root, "foreign", "run.json"), JSON.stringify({ config }));
    const { status, json } = await ask("runs/foreign/resume", {});
    expect({ status, error: json["error"] }).toEqual({
      status: 409,
      error: expect.stringContaining("modules that come with a run are not run from here"),
    });
  });
});

describe("nobody else starts one", () => {
  test("without the token, from another origin, or by a form", async () => {
    const url = `http://127.0.0.1:${studio.port}/api/runs`;
    const body = JSON.stringify(asked("stranger"));
    const bearer = { authorization: `Bearer ${studio.token}` };
    const json = { "content-type": "application/json" };
    const ways: [Record<string, string>, number][] = [
      [json, 401],
      [{ ...json, ...bearer, origin: "https://evil.example" }, 403],
      [{ "content-type": "text/plain", ...bearer }, 400],
    ];
    for (const [headers, status] of ways) {
      expect((await fetch(url, { method: "POST", headers, body })).status).toBe(status);
    }
    expect((await fetch(`${url}/a/stop`, { headers: bearer })).status).toBe(400);
    expect(existsSync(join(root, "stranger"))).toBe(false);
  });

  test.each([{ name: "../up" }, { name: "rollouts" }, { name: "" }, { out: "/etc" }, { seed: -1 }])(
    "with %j",
    async (change) => {
      const { status } = await ask("runs", { ...asked("odd"), ...change });
      expect(status).toBe(400);
    },
  );

  test("in a studio that starts none, or on one run, which say so beforehand", async () => {
    const one = join(root, "one");
    mkdirSync(one);
    writeFileSync(join(one, "run.json"), '{"config":{}}');
    for (const [folder, own, why] of [
      [root, undefined, /starts no runs/],
      [one, started, /opened on one run/],
    ] as const) {
      const other = await serve(folder, own);
      try {
        expect((await ask("studio", undefined, other)).json["cannotStart"]).toMatch(why);
        expect(await ask("runs", asked("x"), other)).toMatchObject({ status: 409 });
      } finally {
        await other.close();
      }
    }
    expect((await ask("studio")).json["cannotStart"]).toBeUndefined();
  });
});
