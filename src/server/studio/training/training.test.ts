/** Tests starting, stopping and resuming runs over HTTP, with a fake command in place of `bowline train`. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startedRunSchema, type Trainer, trainerSchema } from "../../../spec/studio/index.ts";
import { type StudioServer, startServer } from "../http.ts";
import { createApi } from "../routes.ts";
import { openRunRecords } from "../run-records.ts";
import { openRuns, runRoutes, studioRoutes } from "../runs/index.ts";
import { createTrainers, explainCannotStart, trainingRoutes } from "./index.ts";

const FAKE = fileURLToPath(new URL("../../../../tests/support/fake-trainer.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "bowline-studio-training-"));
const ownTrainers = createTrainers([process.execPath, FAKE]);
let studio: StudioServer;

async function serveStudio(folder: string, own?: typeof ownTrainers): Promise<StudioServer> {
  const runs = openRuns(folder);
  const parts = { runs, records: openRunRecords(runs), trainers: own };
  const routes = [
    ...studioRoutes({ root: folder }, runs, () => explainCannotStart(parts)),
    ...trainingRoutes(parts),
    ...runRoutes(runs),
  ];
  return startServer({ api: createApi(routes), page: () => undefined, port: 0 });
}

beforeAll(async () => {
  studio = await serveStudio(root, ownTrainers);
});
afterEach(async () => {
  for (const { run } of ownTrainers.listActive()) ownTrainers.stop(run);
  await expect.poll(() => ownTrainers.listActive(), { timeout: 10_000 }).toEqual([]);
});
afterAll(async () => {
  await studio.close();
  ownTrainers[Symbol.dispose]();
  rmSync(root, { recursive: true });
});

type Answer = { readonly status: number; readonly json: Record<string, unknown> };

async function request(path: string, body?: unknown, to = studio): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${to.port}/api/${path}`, {
    headers: { authorization: `Bearer ${to.token}`, "content-type": "application/json" },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as Answer["json"] };
}

const startRequest = (name: string, fields = {}) => ({
  ...{ setting: "smoke", method: "loop", seed: 1, name, fields },
});

async function fetchTrainer(run: string): Promise<Trainer> {
  return trainerSchema.parse((await request(`runs/${run}/trainer`)).json);
}

async function waitUntilEnded(run: string): Promise<Trainer> {
  await expect.poll(async () => (await fetchTrainer(run)).state, { timeout: 10_000 }).toBe("ended");
  return fetchTrainer(run);
}

describe("a run that is started from the studio", () => {
  test("can be viewed, stopped and resumed", async () => {
    const { status, json } = await request("runs", { setting: "smoke", method: "rloo", seed: 7 });
    expect({ status, run: startedRunSchema.parse(json).run }).toEqual({
      status: 200,
      run: "smoke-rloo-seed7",
    });
    const run = "smoke-rloo-seed7";
    expect((await request(`runs/${run}`)).json).toMatchObject({
      status: "running",
      method: "rloo",
    });
    expect(await fetchTrainer(run)).toEqual({ state: "running", output: ["it trains"] });
    expect((await request(`runs/${run}/stop`, {})).json["state"]).toBe("stopping");
    expect(await waitUntilEnded(run)).toEqual({
      ...{ state: "ended", code: 130, output: ["it trains", "stopped"] },
    });
    expect((await request(`runs/${run}`)).json).toMatchObject({ status: "stopped" });
    expect(await request(`runs/${run}/resume`, {})).toEqual({ status: 200, json: { run } });
    expect(await fetchTrainer(run)).toMatchObject({ state: "running" });
    expect(await request(`runs/${run}/resume`, {})).toMatchObject({ status: 409 });
  });

  test.each([
    ["2", 400],
    ["1", 409],
    ["3", 500],
  ])(
    "is refused with the command's error text if the command exits with %s",
    async (code, status) => {
      const answer = await request("runs", startRequest("refused", { "run.fails": code }));
      expect(answer).toEqual({ status, json: { error: `refused with ${code}` } });
      expect(existsSync(join(root, "refused"))).toBe(false);
    },
  );

  test("is refused if its folder exists already", async () => {
    mkdirSync(join(root, "there"));
    symlinkSync("/nowhere", join(root, "link"));
    for (const name of ["there", "link"]) {
      const { status, json } = await request("runs", startRequest(name));
      expect({ status, error: json["error"] }).toEqual({
        status: 409,
        error: expect.stringContaining(`${name} exists already`),
      });
    }
    expect(ownTrainers.listActive()).toEqual([]);
  });

  test("is refused while three others are training", async () => {
    for (const name of ["a", "b", "c"]) {
      expect((await request("runs", startRequest(name))).status).toBe(200);
    }
    const { status, json } = await request("runs", startRequest("d"));
    expect({ status, error: json["error"] }).toEqual({
      status: 409,
      error: expect.stringMatching(/3 runs .* \(a, b, c\): wait for one to end, or stop one/),
    });
  });

  test("can only be stopped by the studio that started it", async () => {
    mkdirSync(join(root, "elsewhere"));
    writeFileSync(join(root, "elsewhere", "run.json"), '{"config":{}}');
    expect(await fetchTrainer("elsewhere")).toEqual({ state: "none", output: [] });
    const { status, json } = await request("runs/elsewhere/stop", {});
    expect({ status, error: json["error"] }).toEqual({
      status: 409,
      error: expect.stringContaining("stop it where it was started"),
    });
    expect(await request("runs/nowhere/stop", {})).toMatchObject({ status: 404 });
  });

  test("cannot be resumed if it names a module that is not trusted", async () => {
    mkdirSync(join(root, "foreign"));
    const own = join(root, "foreign", "reward.mjs");
    writeFileSync(own, "");
    const config = { setting: "smoke", method: "loop", extensions: { rewards: [own] } };
    writeFileSync(join(root, "foreign", "run.json"), JSON.stringify({ config }));
    const { status, json } = await request("runs/foreign/resume", {});
    expect({ status, error: json["error"] }).toEqual({
      status: 403,
      error: expect.stringMatching(/extensions\.rewards: .* bowline trust /),
    });
  });
});

describe("starting a run is refused", () => {
  test("without the token, from another origin, or with a form's content type", async () => {
    const url = `http://127.0.0.1:${studio.port}/api/runs`;
    const body = JSON.stringify(startRequest("stranger"));
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
    "for a request with %j",
    async (change) => {
      const { status } = await request("runs", { ...startRequest("odd"), ...change });
      expect(status).toBe(400);
    },
  );

  test("by a studio without a command or opened on one run, which also say so in advance", async () => {
    const one = join(root, "one");
    mkdirSync(one);
    writeFileSync(join(one, "run.json"), '{"config":{}}');
    for (const [folder, own, why] of [
      [root, undefined, /cannot start runs/],
      [one, ownTrainers, /opened on one run/],
    ] as const) {
      const other = await serveStudio(folder, own);
      try {
        expect((await request("studio", undefined, other)).json["cannotStart"]).toMatch(why);
        expect(await request("runs", startRequest("x"), other)).toMatchObject({ status: 409 });
      } finally {
        await other.close();
      }
    }
    expect((await request("studio")).json["cannotStart"]).toBeUndefined();
  });
});
