import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageModuleUrl } from "../../../tests/support/package-module.ts";
import { STUCK } from "../../../tests/support/stuck-worlds.ts";
import { startedThreads } from "../../../tests/support/worker-threads.ts";
import { formatValue } from "../../core/index.ts";
import type { ApiCall, World } from "../../spec/index.ts";
import { LiveEpisode } from "../episode/index.ts";
import { checkWorld, openWorld, WorldInstance } from "../index.ts";
import { createSandbox } from "../sandbox/index.ts";
import { FlightRecorder } from "./flight-recorder.ts";

const toy = packageModuleUrl("worlds/toy/toy.ts");
const office = new URL("../../../tests/support/office-world.ts", import.meta.url).href;
const stuckToy = new URL("../../../tests/support/stuck-toy-world.ts", import.meta.url).href;
const stuckOffice = new URL("../../../tests/support/stuck-office-world.ts", import.meta.url).href;

describe("a stuck worker", () => {
  let world: World;
  let calm: World;

  beforeAll(async () => {
    [world, calm] = await Promise.all([
      openWorld(stuckToy, { seed: 1, wallClockMs: 1000 }),
      openWorld(stuckToy, { seed: 1 }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([world.close(), calm.close()]);
  });

  test("a stuck worker is replaced: the calls of the stuck cell remain, and the other episodes continue unchanged", async () => {
    const [culprit, neighbour, undisturbed] = await Promise.all([
      world.open("train/1/1"),
      world.open("train/2/1"),
      calm.open("train/2/1"),
    ]);
    const prepare =
      "let n = 1; print(Math.random(), apis.shelf.put({ item: 'cup', box: 'red' }).id)";
    await Promise.all([culprit, neighbour, undisturbed].map((episode) => episode.step(prepare)));
    await neighbour.step("while (true) {}");
    await undisturbed.step("while (true) {}");
    const fork = await neighbour.fork();

    const stuck = culprit.step(`n = 2; apis.shelf.put({ item: 'pen', box: 'blue' }); ${STUCK}`);
    const probe = "n += 1; print(n, Math.random(), Date.now(), apis.shelf.list({ box: 'red' }))";
    const waiting = neighbour.step(probe);
    expect(await stuck).toMatchObject({
      status: "limit",
      limit: "wall-clock",
      finished: false,
      calls: [
        { app: "shelf", api: "put", args: { item: "pen", box: "blue" }, status: 200, wrote: true },
        { app: "waiting", api: "forever", status: 504 },
      ],
      text: expect.stringContaining("Limit (wall-clock)"),
    });
    const calmly = await undisturbed.step(probe);
    expect(await waiting).toEqual(calmly);
    expect(await fork.step(probe)).toEqual(calmly);
    expect(await culprit.step("print(n, apis.shelf.list({ box: 'blue' }))")).toMatchObject({
      status: "ok",
      text: expect.stringMatching(/^1 .*pen/),
    });
    expect(await neighbour.evaluate()).toEqual(await undisturbed.evaluate());
  });

  test("a cell that finishes the task and then uses up its fuel leaves the task finished", async () => {
    const episode = await world.open("train/1/1");
    await episode.step("let n = 1");
    const last = await episode.step("apis.me.finishTask(); for (;;) {}");
    expect(last).toMatchObject({ limit: "fuel", finished: true });
    expect(await episode.evaluate()).toMatchObject({ finished: true });
  });

  test("after the world is closed, every call rejects, but episodes can still be closed", async () => {
    const episode = await calm.open("train/0/1");
    const closed = expect(episode.step("1")).rejects.toThrow("the world is closed");
    await calm.close();
    await closed;
    await expect(calm.open("train/0/1")).rejects.toThrow("the world is closed");
    await expect(episode.step("1")).rejects.toThrow("the world is closed");
    await episode.close();
    await calm.close();
  });
});

describe("handlers and goals that never return", () => {
  const faulty = new URL("../../../tests/support/faulty-world.ts", import.meta.url).href;

  test("a handler that never returns ends its cell, is reported as a bug of the world, and is not called again", async () => {
    const world = await openWorld(faulty, { seed: 1, wallClockMs: 1000 });
    const [episode, neighbour] = await Promise.all(
      ["train/0/1", "train/0/2"].map((id) => world.open(id)),
    );
    await neighbour!.step("let n = 3");
    const light = { app: "house", api: "light", args: { room: "hall" } };
    const stuck = await episode!.step("apis.house.light({ room: 'hall' }); apis.house.wait()");
    expect(stuck).toMatchObject({ status: "limit", limit: "wall-clock", finished: false });
    expect(stuck.calls).toEqual([
      { ...light, status: 200, wrote: true },
      {
        ...{ app: "house", api: "wait", args: {}, status: 504, wrote: false },
        fault: { message: "did not return within 1 s" },
      },
    ]);
    expect(await neighbour!.step("print(n)")).toMatchObject({ text: "3" });
    expect(await episode!.step("print(apis.me.finishTask())")).toMatchObject({ finished: true });
    expect(await episode!.evaluate()).toMatchObject({ passed: true });
    await world.close();
  });

  test("a handler that never returns is reported with task and split when a solution or a check calls it", async () => {
    const options = { seed: 1, wallClockMs: 1000 };
    const world = await openWorld(faulty, options);
    const named =
      "of task test-normal/0/1 (split test-normal): the handler of house.wait({}) did not return within 1 s";
    await expect(world.demonstrate("test-normal/0/1", "careful", 1)).rejects.toMatchObject({
      code: "world",
      message: expect.stringContaining(`the solution ${named}`),
    });
    await world.close();
    const check = checkWorld(faulty, { ...options, split: "test-normal" });
    await expect(check).rejects.toThrow(`the check ${named}`);
  });

  test("a goal that never returns is reported", async () => {
    const check = checkWorld(faulty, { seed: 1, wallClockMs: 1000, split: "test-challenge" });
    await expect(check).rejects.toThrow(
      "the check of task test-challenge/0/1 (split test-challenge): the goal of task test-challenge/0/1 did not return",
    );
  });
});

test("when a handler ends its thread, only that step rejects", async () => {
  const url = new URL("../../../tests/contract/crashing-world.ts", import.meta.url).href;
  const world = await openWorld(url, { seed: 1 });
  const [culprit, neighbour] = await Promise.all([
    world.open("train/0/1"),
    world.open("train/0/2"),
  ]);
  await neighbour.step("let n = 3");
  const step = culprit.step("apis.thread.end()");
  const waiting = neighbour.step("print(n)");
  await expect(step).rejects.toThrow(
    "crashing-world.ts ended: exit code 3, in the handler of thread.end({})",
  );
  expect(await waiting).toMatchObject({ text: "3" });
  expect(await culprit.step("print(1)")).toMatchObject({ text: "1" });
  await expect(world.demonstrate("train/0/1", "careful", 1)).rejects.toThrow("has no solution");
  await world.close();
});

describe("a thread that something ends from outside", () => {
  const play = async (world: World, disturb: () => Promise<unknown>) => {
    const [one, other] = [await world.open("train/1/1"), await world.open("train/2/1")];
    await one.step("let n = 1; print(apis.shelf.put({ item: 'cup', box: 'red' }))");
    await disturb();
    const steps = ["n += 1; print(n, Math.random())", "print(n, apis.shelf.list({ box: 'red' }))"];
    const results = [];
    for (const code of steps) results.push(await one.step(code), await other.step(code));
    return [results, await one.evaluate(), await other.evaluate()];
  };

  test.each(["idle", "busy"])("is replaced when it is %s, and no answer changes", async (when) => {
    const [world, calm] = [await openWorld(toy, { seed: 1 }), await openWorld(toy, { seed: 1 })];
    const thread = startedThreads.at(-2)!;
    let waiting: Promise<unknown> | undefined;
    const kill = async () => {
      if (when === "busy") waiting = world.open("train/3/1");
      await thread.terminate();
    };
    expect(await play(world, kill)).toEqual(await play(calm, async () => {}));
    await waiting;
    await Promise.all([world.close(), calm.close()]);
  });

  test("is given up when it ends again and again", async () => {
    const world = await openWorld(toy, { seed: 1 });
    await world.open("train/1/1");
    for (let n = 0; n < 4; n++) {
      await startedThreads.at(-1)!.terminate();
      await world.open("train/1/1").catch(() => {});
    }
    await expect(world.open("train/1/1")).rejects.toThrow("ended: exit code 1");
    await world.close();
  });
});

test("a module that does not export a world is refused with the reason", async () => {
  const open = (path: string) => openWorld(new URL(path, import.meta.url).href, { seed: 1 });
  await expect(open("./protocol.ts")).rejects.toThrow("has no default export");
  await expect(open("../../../vitest.config.ts")).rejects.toThrow(
    "is no world: these fields are missing: name, now",
  );
  await expect(open("./missing.ts")).rejects.toThrow("cannot load the world");
});

/** Opens a world with options that nobody checked, as a caller in JavaScript can. */
const openUnchecked = {
  openWorld: openWorld as (...args: unknown[]) => ReturnType<typeof openWorld>,
  checkWorld: checkWorld as (...args: unknown[]) => Promise<unknown>,
};

test.each<[unknown, string]>([
  [
    undefined,
    "options of openWorld: expected an object with seed, workers, wallClockMs, dials, origin, got nothing",
  ],
  [
    1,
    "options of openWorld: expected an object with seed, workers, wallClockMs, dials, origin, got 1",
  ],
  [{}, "seed: expected a whole number from 0 to 4294967295, got nothing"],
  [{ seed: -1 }, "seed: expected a whole number from 0 to 4294967295, got -1"],
  [{ seed: 1.5 }, "seed: expected a whole number from 0 to 4294967295, got 1.5"],
  [{ seed: "1" }, 'seed: expected a whole number from 0 to 4294967295, got "1"'],
  [{ seed: 1, workers: 0 }, "workers: expected a whole number from 1 to 256, got 0"],
  [
    { seed: 1, worker: 2 },
    'options of openWorld: expected seed, workers, wallClockMs, dials, origin, got "worker" (did you mean workers?)',
  ],
  [
    { seed: 1, wallClockMs: Number.NaN },
    "wallClockMs: expected a whole number from 1 to 2147483647, got NaN",
  ],
  [
    { seed: 1, dials: { docs: "long" } },
    'dials.docs: Invalid option: expected one of "normal"|"terse"|"verbose", got "long"',
  ],
])("openWorld refuses the options %j with the reason", async (options, message) => {
  await expect(openUnchecked.openWorld(toy, options)).rejects.toMatchObject({
    code: "config",
    message,
  });
});

test("openWorld refuses a value that is not the URL of a module", async () => {
  for (const url of ["toy", 3, undefined]) {
    await expect(openUnchecked.openWorld(url, { seed: 1 })).rejects.toMatchObject({
      code: "config",
      message: expect.stringMatching(/^world: expected the URL of a module, .*, got /),
    });
  }
});

test.each<[object, string]>([
  [{ split: "dev" }, "seed: expected a whole number from 0 to 4294967295, got nothing"],
  [{ seed: 1, split: "test-norm" }, "(did you mean test-normal?)"],
  [
    { seed: 1, split: "dev", scenarios: -3 },
    "scenarios: expected a whole number from 1 to 100000 (or nothing: all that the world lists), got -3",
  ],
  [{ seed: 1, split: "all", scenarios: 0 }, "got 0"],
  [{ seed: 1, split: "dev", scenario: 3 }, "(did you mean scenarios?)"],
  [
    { seed: 1, split: "handmade" },
    "split: toy has no handmade tasks, so there is nothing to check; it has train, dev, test-normal, test-challenge",
  ],
])("checkWorld refuses the options %j with the reason", async (options, message) => {
  await expect(openUnchecked.checkWorld(toy, options)).rejects.toMatchObject({
    code: "config",
    message: expect.stringContaining(message),
  });
});

test("a world refuses invalid numbers of scenarios, splits, styles and seeds", async () => {
  const world = await openWorld(toy, { seed: 1 });
  try {
    const tasks = world.tasks.bind(world) as (...args: unknown[]) => unknown;
    for (const scenarios of [
      { scenarios: 3 },
      100_001,
      0,
      -1,
      1.5,
      "3",
      null,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]) {
      expect(() => tasks("dev", scenarios)).toThrow(
        `scenarios: expected a whole number from 1 to 100000 (or nothing: all that the world lists), got ${formatValue(scenarios)}`,
      );
    }
    expect(() => tasks("development", 1)).toThrow(
      /^split: expected train, dev, .*, got "development"$/,
    );
    expect(() => tasks("tain")).toThrow("(did you mean train?)");
    expect(tasks("dev", undefined)).toEqual(tasks("dev"));
    const demonstrate = world.demonstrate.bind(world) as (...args: unknown[]) => Promise<unknown>;
    await expect(demonstrate("dev/0/1", "careful")).rejects.toThrow("seed: expected");
    await expect(demonstrate("dev/0/1", "hast", 1)).rejects.toThrow("(did you mean hasty?)");
    for (const id of ["dev/007/1", "dev/100000/1", "dev/99999999999999999999/1", 7]) {
      await expect(world.open(id as never)).rejects.toThrow(
        `there is no task ${formatValue(id)}; an id is <split>/<scenario from 0 to 99999>/<1, 2 or 3>`,
      );
    }
    const episode = await world.open("dev/0/1");
    for (const code of [undefined, 3, { code: "1" }]) {
      await expect(episode.step(code as never)).rejects.toMatchObject({
        code: "config",
        message: `code: expected a string, got ${formatValue(code)}`,
      });
    }
  } finally {
    await world.close();
  }
});

test("the flight recorder returns its calls when a new one no longer fits", () => {
  const writer = new FlightRecorder(new SharedArrayBuffer(10 * 1024));
  const reader = new FlightRecorder(writer.shared);
  const calls = Array.from(
    { length: 50 },
    (_, i): ApiCall => ({
      app: "a",
      api: "b",
      args: { text: "ä".repeat(i) },
      status: 200,
      wrote: false,
    }),
  );
  writer.beginRequest(7);
  const spilled = calls.map((call) => writer.appendCall(call) ?? "").join("");
  expect(spilled).not.toBe("");
  expect(reader.request).toBe(7);
  expect(reader.readCalls(spilled)).toEqual(calls);
  writer.beginRequest(8);
  expect(reader.readCalls("")).toEqual([]);
});

test("the flight recorder names the running function, but not arguments that are too long", () => {
  const writer = new FlightRecorder();
  const reader = new FlightRecorder(writer.shared);
  expect([reader.isBusy, reader.activity]).toEqual([false, undefined]);
  const beats = reader.progress;
  writer.enterUserCode({ app: "shop", api: "buy", args: { note: "ä\n" } });
  expect(reader.isBusy).toBe(true);
  expect(reader.activity).toEqual({ app: "shop", api: "buy", args: { note: "ä\n" } });
  writer.enterUserCode({ app: "shop", api: "buy", args: { note: "x".repeat(9000) } });
  expect(reader.activity).toEqual({ app: "shop", api: "buy" });
  writer.leaveUserCode();
  expect([reader.isBusy, reader.progress]).toEqual([false, beats + 3]);
});

test("checkWorld proves every split of the toy world", async () => {
  let seen = 0;
  const report = await checkWorld(toy, {
    seed: 1,
    split: "test-normal",
    scenarios: 8,
    onTask: (_, done, tasks) => {
      seen = done;
      expect(tasks).toBe(24);
    },
  });
  expect(seen).toBe(24);
  expect(report).toMatchObject({
    split: "test-normal",
    tasks: 24,
    solutionPass: 24,
    noopFail: 24,
    score: 1,
    acceptance: 1,
    survivors: [],
    rejected: [],
    failures: [],
    hastyPass: 0,
  });
  expect(report.mutants).toBeGreaterThan(24 * 4);
  expect(report.equivalents).toBeGreaterThan(24 * 3);
});

test("checkWorld does not report splits without scenarios", async () => {
  const report = await checkWorld(toy, { seed: 1, split: "all", scenarios: 2 });
  if (!("splits" in report)) throw new Error("a report of all splits has each of them");
  expect(report.splits.map(({ split, tasks }) => [split, tasks])).toEqual([
    ["train", 3],
    ["dev", 3],
  ]);
});

test("checkWorld divides scenarios among all splits and adds up their reports", async () => {
  const seen: string[] = [];
  const report = await checkWorld(office, {
    seed: 1,
    split: "all",
    scenarios: 3,
    dials: { renamedParams: 4 },
    onTask: (_, done, tasks) => void seen.push(`${done}/${tasks}`),
  });
  expect(seen).toHaveLength(9);
  expect(seen.at(-1)).toBe("9/9");
  expect(report).toMatchObject({ split: "all", tasks: 9, solutionPass: 9, survivors: [] });
  if (!("splits" in report)) throw new Error("a report of all splits has each of them");
  expect(report.splits.map(({ split, tasks }) => [split, tasks])).toEqual([
    ["train", 6],
    ["dev", 3],
  ]);
  const mutants = report.splits.map((split) => split.mutants);
  expect(report.mutants).toBe(mutants[0]! + mutants[1]!);
});

describe("dials of a pooled world", () => {
  test("dials apply in every worker, also in one that replaced another, and are recorded", async () => {
    const dials = { apiErrors: 0.5, renamedParams: 3, clockDriftMs: 5000 };
    const world = await openWorld(stuckOffice, { seed: 1, workers: 2, wallClockMs: 1000, dials });
    try {
      expect(world.dials).toMatchObject({ ...dials, logins: true, docs: "normal" });
      const instance = new WorldInstance((await import(stuckOffice)).default, 1, dials);
      const sandbox = await createSandbox();
      const alone = LiveEpisode.open(instance, sandbox, "train/0/1");
      const [first, second] = await Promise.all([1, 2].map(() => world.open("train/0/1")));
      const probe =
        "for (let i = 0; i < 9; i++) try { print(apis.board.pin({ text: 'x' }).id) } catch (e) { print(e.message, Date.now()) }";
      const expected = [await alone.step(probe), await alone.step(probe)];
      expect(await first!.step(probe)).toEqual(expected[0]);
      const stuck = await world.open("train/0/2");
      const third = await world.open("train/0/3");
      await Promise.all([stuck.step(STUCK), third.step(STUCK)]);
      expect([await second!.step(probe), await second!.step(probe)]).toEqual(expected);
      expect(await first!.step(probe)).toEqual(expected[1]);
    } finally {
      await world.close();
    }
  });

  test("wrong dials are refused before any worker starts", async () => {
    const world = openWorld(office, { seed: 1, dials: { clockDriftMs: -1 } });
    await expect(world).rejects.toMatchObject({
      code: "config",
      message: expect.stringContaining("dials.clockDriftMs"),
    });
  });
});
