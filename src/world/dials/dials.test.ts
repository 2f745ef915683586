import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import office, { letters, members } from "../../../tests/support/office-world.ts";
import { Rng } from "../../core/index.ts";
import type { Dials } from "../../spec/index.ts";
import { accounts, cloneSession, type EpisodeSession } from "../api/index.ts";
import { checkTask } from "../check/index.ts";
import { demonstrate, LiveEpisode, WorldInstance } from "../episode/index.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { renameParameters, resolveDials } from "./index.ts";
import { findSynonyms } from "./synonyms.ts";

const TASK = "train/0/1";
const createWorld = (dials: Partial<Dials>, seed = 1) => new WorldInstance(office, seed, dials);
const startSession = (world: WorldInstance, task = TASK) =>
  world.startSession(world.prepareTask(task));

function callStatuses(world: WorldInstance, session: EpisodeSession, calls: number): number[] {
  const call = () => world.dispatcher.call(session, world.owner, "board", "pin", { text: "x" });
  return Array.from({ length: calls }, () => call().status);
}

describe("the dial apiErrors", () => {
  const world = createWorld({ apiErrors: 0.3 });

  test("the dial apiErrors refuses its share of calls but never two in a row, and refused calls change nothing", () => {
    const session = startSession(world);
    const seen = callStatuses(world, session, 2000);
    const refused = seen.filter((status) => status === 503).length;
    expect(refused / 2000).toBeCloseTo(0.3 / 1.3, 1);
    expect(seen.some((status, i) => status === 503 && seen[i + 1] === 503)).toBe(false);
    const pins = world.dispatcher.catalog.table("board.pins");
    expect(session.state.all(pins)).toHaveLength(2000 - refused);
    const all = callStatuses(
      createWorld({ apiErrors: 1 }),
      startSession(createWorld({ apiErrors: 1 })),
      4,
    );
    expect(all).toEqual([503, 200, 503, 200]);
  });

  test("the dial apiErrors explains a refusal, and never refuses calls of docs and me", () => {
    const broken = createWorld({ apiErrors: 1 });
    const session = startSession(broken);
    const call = (app: string, api: string) =>
      broken.dispatcher.call(session, broken.owner, app, api, {});
    expect(call("post", "login")).toMatchObject({
      status: 503,
      message: "post.login is temporarily unavailable, try again",
    });
    expect(call("me", "profile").status).toBe(200);
    expect(call("docs", "listApps").status).toBe(200);
    expect(call("board", "nope").status).toBe(404);
  });

  test("with the dial apiErrors, whether a call is refused depends only on seed, task and number of the call, also in a fork", () => {
    const session = startSession(world);
    const seen = callStatuses(world, session, 40);
    expect(callStatuses(createWorld({ apiErrors: 0.3 }), startSession(world), 40)).toEqual(seen);
    expect(callStatuses(world, startSession(world, "train/1/1"), 40)).not.toEqual(seen);
    const other = createWorld({ apiErrors: 0.3 }, 2);
    expect(callStatuses(other, startSession(other), 40)).not.toEqual(seen);
    const fork = cloneSession(session);
    expect(callStatuses(world, fork, 40)).toEqual(callStatuses(world, session, 40));
  });
});

describe("the dial clockDriftMs", () => {
  test("the dial clockDriftMs moves the clock ahead by up to that many milliseconds at each call, in the world's format", () => {
    const world = createWorld({ clockDriftMs: 3000 });
    const session = startSession(world);
    const seen = Array.from({ length: 200 }, () => {
      const now = world.dispatcher.now(session);
      callStatuses(world, session, 1);
      return now;
    });
    expect(seen[0]).toBe("2026-01-05T09:00:00Z");
    expect(seen.every((now) => /:\d\dZ$/.test(now))).toBe(true);
    expect(seen.toSorted()).toEqual(seen);
    const seconds = (Date.parse(seen[199]!) - Date.parse(seen[0]!)) / 199_000;
    expect(seconds).toBeGreaterThan(2);
    expect(seconds).toBeLessThan(3);
    expect(world.dispatcher.now(cloneSession(session))).toBe(world.dispatcher.now(session));
  });

  test("the dial clockDriftMs lets sessions expire earlier", () => {
    const world = createWorld({ clockDriftMs: 60_000 });
    const session = startSession(world);
    const call = (api: string, args: object) =>
      world.dispatcher.call(session, world.owner, "post", api, args);
    call("login", { password: world.copyPopulation().all(accounts)[0]!.password });
    const lasted = Array.from({ length: 100 }, () => call("members", {}).status).indexOf(401);
    expect(lasted).toBeGreaterThan(18);
    expect(lasted).toBeLessThan(80);
  });
});

describe("the dial renamedParams", () => {
  const world = createWorld({ renamedParams: 2, logins: false });
  const names = (api: string) => world.dispatcher.parameterNames("post", api)!;
  const [to, text] = [names("send").toShown("to"), names("send").toShown("text")];
  const send = (args: object) =>
    world.dispatcher.call(startSession(world), world.owner, "post", "send", args);

  test("with the dial renamedParams, validation and messages use only the new names", () => {
    expect([to, text]).not.toEqual(expect.arrayContaining(["to"]));
    expect(send({ [to]: "m1", [text]: "x" })).toMatchObject({ status: 200 });
    expect(send({ to: "m1", [text]: "x" })).toMatchObject({
      status: 422,
      message: expect.stringMatching(
        `^post.send needs parameter "${to}": .*; post.send has no parameter "to"; .*the parameters are ${to}, ${text}$`,
      ),
    });
    expect(send({ [to]: "m1", [text]: "" })).toMatchObject({
      message: `parameter "${text}" of post.send: expected string >= 1 characters (what to say; not that of \`${to}\`), got ""`,
    });
    expect(send({ [to]: "nobody", [text]: "x" })).toMatchObject({
      status: 404,
      message: `${to}: there is no member "nobody"; \`${text}\` was not sent`,
    });
    expect(send([])).toMatchObject({ message: expect.stringContaining(`{ ${to}, ${text} }`) });
  });

  test("with the dial renamedParams, the documentation uses only the new names", () => {
    const shown = world.dispatcher.call(startSession(world), world.owner, "docs", "showApi", {
      app: "post",
      api: "send",
    });
    expect(shown).toMatchObject({
      value: {
        call: `apis.post.send({ ${to}, ${text} })`,
        params: [{ name: to }, { name: text, description: `what to say; not that of \`${to}\`` }],
        example: `apis.post.send({"${to}":"m0","${text}":"hello"})`,
      },
    });
  });

  test("the dial renamedParams gives other names with another seed, and the same parameter has one name within an app", () => {
    const seen = [1, 2, 3, 4, 5, 6].map(
      (seed) => createWorld({ renamedParams: seed }).dispatcher.parameterNames("post", "send")!,
    );
    expect(new Set(seen.map((some) => some.toShown("to"))).size).toBeGreaterThan(1);
    expect(names("show").toShown("id")).not.toBe("id");
    expect(names("show").toShown("to")).toBe("to");
  });

  test("the dial renamedParams gives names that differ from each other and from all old names, and are valid in code", () => {
    const word = fc.constantFrom(
      "to",
      "from",
      "id",
      "page",
      "text",
      "kind",
      "dueBefore",
      "zebra",
      "zebraValue",
      "label",
      "tag",
      "recipient",
    );
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1 }), fc.integer(), (own, seed) => {
        const shape = Object.fromEntries(own.map((name) => [name, 0]));
        const app = { ...office.apps[0]!, apis: { all: { params: { shape } } as never } };
        const map = renameParameters(app, seed).get("all")!;
        const shown = own.map((name) => map.toShown(name));
        expect(new Set([...shown, ...own]).size).toBe(2 * own.length);
        for (const name of shown) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
        const args = Object.fromEntries(own.map((name, i) => [name, i]));
        expect(map.toHandlerNames(map.renameKeys(args))).toEqual({ known: args, unknown: [] });
      }),
    );
    expect(findSynonyms("dueBefore")).toContain("deadlineBefore");
    expect(findSynonyms("startDay")).toContain("beginDay");
  });
});

describe("dials that the world itself follows", () => {
  test("the dial distractors changes the population, and the dial paraphrase changes the instructions", () => {
    expect(createWorld({ distractors: 2 }).copyPopulation().all(members)).toHaveLength(10);
    expect(createWorld({}).findTask(TASK).info.instruction).toBe(
      'write to all members "hi 0 from 4" and pin it',
    );
    expect(createWorld({ paraphrase: 9 }).findTask(TASK).info.instruction).toMatch(/^tell/);
  });

  test("a scenario that writes to its copy does not change the population", () => {
    const world = createWorld({});
    world.tasks("train");
    expect(world.copyPopulation().all(members)).toHaveLength(5);
    const copy = world.copyPopulation();
    copy.insert(letters, { to: "m1", text: "x", at: "" });
    expect(world.copyPopulation().all(letters)).toHaveLength(1);
  });
});

describe("solutions of tasks when dials are on", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox();
  });

  const dials: Partial<Dials>[] = [
    {},
    { logins: false },
    { apiErrors: 0.5 },
    { renamedParams: 7 },
    { clockDriftMs: 60_000, distractors: 10 },
    {
      apiErrors: 0.3,
      renamedParams: 3,
      clockDriftMs: 60_000,
      docs: "verbose",
      distractors: 10,
      paraphrase: 1,
    },
  ];
  test.each(dials)(
    "solutions pass with %j, while mutants fail and equivalents pass",
    async (dials) => {
      const report = await checkTask(createWorld(dials), sandbox, TASK, 1);
      expect(report).toMatchObject({ solutionPass: true, hastyPass: false, noopFail: true });
      expect(report).toMatchObject({ survivors: [], rejected: [] });
    },
  );

  test("solutions are recorded as they were written", async () => {
    const world = createWorld({ renamedParams: 7, apiErrors: 0.5 });
    const episode = LiveEpisode.open(world, sandbox, TASK);
    const { turns } = await demonstrate(episode, "careful", 1);
    const calls = turns.flatMap(({ result }) => result.calls);
    const shown = world.dispatcher.parameterNames("post", "send")!.toShown("to");
    expect(calls.find(({ api }) => api === "send")!.args).toHaveProperty(shown);
    expect(calls.some(({ status }) => status === 503)).toBe(true);
    expect(turns[0]!.code).toMatch(/^const retrying=/);
  });

  test("solutions run unchanged when no dial is on", async () => {
    const run = async (world: WorldInstance) =>
      demonstrate(LiveEpisode.open(world, sandbox, TASK), "careful", 1);
    const off = resolveDials();
    expect(off).toEqual({
      logins: true,
      paraphrase: 0,
      distractors: 1,
      apiErrors: 0,
      renamedParams: 0,
      docs: "normal",
      clockDriftMs: 0,
    });
    const plain = await run(new WorldInstance(office, 1));
    expect(await run(createWorld(off))).toEqual(plain);
    const world = createWorld({});
    const start = world.copyPopulation();
    const solution = world.prepareTask(TASK).task.solution!;
    const cells = solution({ style: "careful", rng: new Rng(1), start });
    expect(plain.turns[0]!.code).toBe(cells.next().value);
  });
});
