import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { ApiError } from "../define.ts";
import { resolveDials } from "../dials/index.ts";
import { type AsyncAppsDefinition, asyncApps } from "./async-apps.ts";
import type {
  ForeignApps,
  ForeignEnd,
  ForeignTask,
  ForeignVerdict,
  ForeignWorldDefinition,
} from "./define.ts";
import { type ForeignWorld, openForeignWorld } from "./foreign-world.ts";

interface Counter {
  count: number;
}

const wait = () => new Promise((resolve) => setTimeout(resolve, 1));

/** Apps with a counter: `add` changes it, `read` shows it. `made` counts the calls that reach the handlers. */
function counterApps(made: string[] = []): ForeignApps {
  const apis: AsyncAppsDefinition<Counter>["apps"][number]["apis"] = {
    add: {
      summary: "Add to the counter.",
      params: z.strictObject({ by: z.number().describe("what to add") }),
      returns: z.object({ count: z.number() }),
      handler: async (state, { by }: { by: number }) => {
        await wait();
        made.push(`add ${by}`);
        if (by < 0) throw new ApiError(422, "by must not be negative");
        state.count += by;
        return { count: state.count };
      },
    },
    read: {
      summary: "Read the counter.",
      params: z.strictObject({}),
      returns: z.object({ count: z.number() }),
      readOnly: true,
      handler: async (state) => {
        await wait();
        made.push("read");
        return { count: state.count };
      },
    },
  };
  return asyncApps<Counter>({
    begin: () => ({ count: 0 }),
    apps: [{ name: "counter", summary: "A counter.", apis }],
  });
}

/** The same apps, which judge every episode themselves. */
function judgedApps(evaluate: () => ForeignVerdict | Promise<ForeignVerdict>): ForeignApps {
  const apps = counterApps();
  return {
    ...apps,
    connect: async (place) => {
      const aborted = new Promise<never>((_, reject) =>
        place.signal.addEventListener("abort", () => reject(new Error("it was ended"))),
      );
      aborted.catch(() => {});
      const connection = await apps.connect(place);
      return { ...connection, evaluate: () => Promise.race([aborted, evaluate()]) };
    },
  };
}

const task: ForeignTask = {
  signature: "counter.to",
  difficulty: 1,
  instruction: "Bring the counter to 5.",
  check: async ({ read }) => {
    const { count } = (await read("counter", "read")) as Counter;
    const detail = `expected 5, got ${count}`;
    return [{ name: "the counter is 5", label: "progress", passed: count === 5, detail }];
  },
  *solution() {
    yield "const { count } = await apis.counter.read({}); await apis.counter.add({ by: 5 - count });";
    yield "await apis.me.finishTask({})";
  },
};

let world: ForeignWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function open(changes: Partial<ForeignWorldDefinition> = {}, seed = 1) {
  const definition: ForeignWorldDefinition = {
    name: "counter",
    apps: counterApps(),
    scenarios: { train: 2 },
    tasks: () => [task, task, task],
    ...changes,
  };
  world = await openForeignWorld(definition, { seed, dials: resolveDials({}) });
  return world;
}

describe("an episode of a foreign world", () => {
  test("runs code whose calls are answered asynchronously, and makes each call once", async () => {
    const made: string[] = [];
    const episode = await (await open({ apps: counterApps(made) })).open("train/0/1");
    const code = `let sum = 0;
for (const by of [1, 2, 3]) sum += (await apis.counter.add({ by })).count;
print(sum, Math.random() < 1);`;
    const result = await episode.step(code);
    expect(result.text).toBe("10 true");
    expect(made).toEqual(["add 1", "add 2", "add 3"]);
    expect(result.calls.map(({ status, wrote }) => [status, wrote])).toEqual(
      Array.from({ length: 3 }, () => [200, true]),
    );
    const later = await episode.step("print(sum); print((await apis.counter.read({})).count)");
    expect(later.text).toBe("10\n6");
    expect(later.calls[0]).toMatchObject({
      wrote: false,
      reply: { ok: true, value: { count: 6 } },
    });
  });

  test("gives errors of the apps to the agent, and refuses unknown arguments itself", async () => {
    const made: string[] = [];
    const episode = await (await open({ apps: counterApps(made) })).open("train/0/1");
    const refused = await episode.step("await apis.counter.add({ by: -1 })");
    expect(refused.text).toContain("by must not be negative");
    const unknown = await episode.step("await apis.counter.add({ by: 1, too: 2 })");
    expect(unknown.text).toContain(`counter.add has no parameter "too"`);
    expect(made).toEqual(["add -1"]);
  });

  test("documents foreign apps as its own", async () => {
    const episode = await (await open()).open("train/0/1");
    const { text } = await episode.step(
      `print(await apis.docs.showApi({ app: "counter", api: "add" }))`,
    );
    expect(text).toContain("apis.counter.add({ by })");
    expect(text).toContain("what to add");
  });

  test("is judged by its checks and by its end", async () => {
    const opened = await open();
    const { evaluation } = await opened.demonstrate("train/0/1", "careful", 1);
    expect(evaluation).toMatchObject({ passed: true, finished: true });
    const episode = await opened.open("train/0/1");
    expect(await episode.evaluate()).toMatchObject({ passed: false, finished: false });
  });

  test("keeps the calls of a cell that reaches a limit, and undoes its variables", async () => {
    const episode = await (await open()).open("train/0/1");
    await episode.step("let x = 1");
    const result = await episode.step("x = 2; await apis.counter.add({ by: 4 }); for (;;) {}");
    expect(result.limit).toBe("fuel");
    const { text } = await episode.step("print(x, (await apis.counter.read({})).count)");
    expect(text).toBe("1 4");
  });
});

test("a fork makes the calls again, and then both go their own way", async () => {
  const made: string[] = [];
  const opened = await open({ apps: counterApps(made) });
  const episode = await opened.open("train/0/1");
  await episode.step("await apis.counter.add({ by: 2 }); let x = Math.random()");
  const fork = await episode.fork();
  expect(made).toEqual(["add 2"]);
  const code = "print(x, Math.random(), (await apis.counter.add({ by: 1 })).count)";
  const [a, b] = [await episode.step(code), await fork.step(code)];
  expect(a.text).toBe(b.text);
  await fork.step("await apis.counter.add({ by: 10 })");
  const read = "print((await apis.counter.read({})).count)";
  expect([(await episode.step(read)).text, (await fork.step(read)).text]).toEqual(["3", "13"]);
});

test("a recorded episode is replayed without any connection", async () => {
  const opened = await open();
  const { turns } = await opened.demonstrate("train/0/1", "careful", 1);
  const apps: ForeignApps = {
    ...counterApps(),
    connect: () => Promise.reject(new Error("no server")),
  };
  await opened.close();
  const later = await open({ apps });
  const calls = turns.flatMap(({ result }) => result.calls);
  const recorded = calls.flatMap(({ app, api, args, reply }) =>
    reply ? [{ app, api, args: args as Record<string, unknown>, reply }] : [],
  );
  expect(recorded).toHaveLength(2);
  const episode = await later.openRecorded("train/0/1", recorded);
  for (const { code, result } of turns) expect(await episode.step(code)).toEqual(result);
});

test("a call that the apps do not answer fails the episode instead of giving a reward", async () => {
  const broken: ForeignApps = {
    ...counterApps(),
    connect: () => Promise.reject(new Error("no server")),
  };
  const episode = await (await open({ apps: broken })).open("train/0/1");
  await expect(episode.step("await apis.counter.read({})")).rejects.toThrow(/no server/);
  await expect(episode.evaluate()).rejects.toThrow(/no server/);
});

describe("a judgement", () => {
  const verdicts = [
    [{ reward: 2 }, "reward: expected a number from 0 to 1, got 2"],
    [{ reward: -1 }, "reward: expected a number from 0 to 1, got -1"],
    [{ reward: Number.NaN }, "reward: expected a number from 0 to 1, got NaN"],
    [{ reward: Number.POSITIVE_INFINITY }, "reward: expected a number from 0 to 1, got Infinity"],
    [{ reward: "1" }, 'reward: expected a number from 0 to 1, got "1"'],
    [{ reward: null }, "reward: expected a number from 0 to 1, got null"],
    [{ metrics: { steps: Number.NaN } }, "metrics.steps: expected a finite number, got NaN"],
    [{ checks: 3 }, "expected a list of checks, got 3"],
    [{ checks: [{ name: "x" }] }, "expected { name, label:"],
  ] as const;

  test.each(verdicts)(
    "of the apps with %o is refused once, and gives no reward",
    async (part, why) => {
      let judged = 0;
      const apps = judgedApps(() => {
        judged += 1;
        return { checks: [], ...part } as ForeignVerdict;
      });
      const { check: _, ...unchecked } = task;
      const opened = await open({ apps, tasks: () => [unchecked, unchecked, unchecked] });
      const episode = await opened.open("train/0/1");
      await expect(episode.evaluate()).rejects.toThrow(`the apps' verdict on train/0/1: ${why}`);
      expect(judged).toBe(1);
    },
  );

  test.each(verdicts)("of a check with %o is refused", async (part, why) => {
    const wrong = { ...task, check: () => ({ checks: [], ...part }) as ForeignVerdict };
    const opened = await open({ tasks: () => [wrong, wrong, wrong] });
    const episode = await opened.open("train/0/1");
    await expect(episode.evaluate()).rejects.toThrow(`the check of train/0/1: ${why}`);
  });

  test("of the apps in another range may be converted by the check", async () => {
    const converted = {
      ...task,
      check: ({ verdict }: ForeignEnd) => ({ checks: [], reward: verdict!.reward! / 100 }),
    };
    const apps = judgedApps(() => ({ checks: [], reward: 50 }));
    const opened = await open({ apps, tasks: () => [converted, converted, converted] });
    expect((await (await opened.open("train/0/1")).evaluate()).reward).toBe(0.5);
  });

  test("that never comes fails the episode, which leaves no connection behind when it is closed", async () => {
    const opened = await open({
      ...{ apps: judgedApps(() => new Promise<never>(() => {})), connections: 1 },
      ...{ startTimeoutMs: 50, tasks: () => [task, task, task] },
    });
    for (let i = 0; i < 3; i++) {
      const episode = await opened.open("train/0/1");
      await episode.step("await apis.counter.add({ by: 1 })");
      await expect(episode.evaluate()).rejects.toThrow("did not end within 0.05 s");
      await episode.close();
    }
  });
});

test("an episode that is closed during a call gives its connection to no other one, and opens none", async () => {
  let connected = 0;
  const apps = counterApps();
  const hanging: ForeignApps = {
    ...apps,
    connect: async (place) => {
      connected += 1;
      const connection = await apps.connect(place);
      const call: typeof connection.call = async (one) => {
        if (one.args["by"] !== 3) return connection.call(one);
        return new Promise((_, reject) =>
          place.signal.addEventListener("abort", () => reject(new Error("it was ended"))),
        );
      };
      return { ...connection, call };
    },
  };
  const opened = await open({ apps: hanging, isolation: "reset", connections: 1 });
  const episode = await opened.open("train/0/1");
  const abort = new AbortController();
  const step = episode.step("await apis.counter.add({ by: 3 })", abort.signal);
  await vi.waitFor(() => expect(connected).toBe(1));
  abort.abort();
  await expect(step).rejects.toThrow();
  await episode.close();
  const next = await opened.open("train/0/2");
  expect((await next.step("print((await apis.counter.add({ by: 1 })).count)")).text).toBe("1");
  await next.close();
  expect(connected).toBe(2);
});

test("a recorded episode is judged as recorded, until it goes on", async () => {
  const opened = await open();
  const { turns } = await opened.demonstrate("train/0/1", "careful", 1);
  const recorded = turns.flatMap(({ result }) =>
    result.calls.flatMap(({ app, api, args, reply }) =>
      reply ? [{ app, api, args: args as Record<string, unknown>, reply }] : [],
    ),
  );
  const evaluation = { passed: false, finished: false, checks: [], reward: 0.25 };
  const episode = await opened.openRecorded("train/0/1", recorded, evaluation);
  await episode.step(turns[0]!.code);
  expect(await episode.evaluate()).toEqual(evaluation);
  await episode.step("await apis.counter.add({ by: 1 })");
  expect((await episode.evaluate()).checks[0]).toMatchObject({ detail: "expected 5, got 6" });
});

describe("when all connections are in use", () => {
  const read = "print((await apis.counter.read({})).count)";
  const add = "await apis.counter.add({ by: 2 })";

  test("a deterministic world takes one from an episode that rests, which makes its calls again", async () => {
    const opened = await open({ connections: 1 });
    const [a, b] = [await opened.open("train/0/1"), await opened.open("train/0/2")];
    await a.step(add);
    expect((await b.step(read)).text).toBe("0");
    expect((await a.step(read)).text).toBe("2");
    const fork = await a.fork();
    await fork.step(add);
    expect([(await a.step(read)).text, (await fork.step(read)).text]).toEqual(["2", "4"]);
  });

  test("another world waits until an episode ends", async () => {
    const opened = await open({ connections: 1, deterministic: false });
    const [a, b] = [await opened.open("train/0/1"), await opened.open("train/0/2")];
    await a.step(add);
    const waiting = b.step(read);
    await a.close();
    expect((await waiting).text).toBe("0");
  });
});

test("a world that is not deterministic makes no call twice", async () => {
  let failures = 0;
  const apps = counterApps();
  const failing: ForeignApps = {
    ...apps,
    connect: async (place) => {
      const connection = await apps.connect(place);
      const call: typeof connection.call = async (one) => {
        if (one.args["by"] === 3) {
          failures += 1;
          throw new Error("it died");
        }
        return connection.call(one);
      };
      return { ...connection, call };
    },
  };
  const opened = await open({ apps: failing, deterministic: false });
  const episode = await opened.open("train/0/1");
  await episode.step("await apis.counter.add({ by: 1 })");
  await expect(episode.step("await apis.counter.add({ by: 3 })")).rejects.toThrow(/it died/);
  await expect(episode.evaluate()).rejects.toThrow(/not deterministic/);
  expect(failures).toBe(1);
});

test("a reset that leaves something behind is noticed by the probe", async () => {
  const apps = counterApps();
  const sticky: ForeignApps = {
    ...apps,
    connect: async (place) => {
      const connection = await apps.connect(place);
      let hasBegun = false;
      const begin: typeof connection.begin = async (start) => {
        if (!hasBegun) await connection.begin(start);
        hasBegun = true;
      };
      return { ...connection, begin };
    },
  };
  const probe = { app: "counter", api: "read", args: {} };
  const opened = await open({ apps: sticky, isolation: "reset", probe, connections: 1 });
  const play = async () => {
    const episode = await opened.open("train/0/1");
    try {
      return (await episode.step("print((await apis.counter.add({ by: 1 })).count)")).text;
    } finally {
      await episode.close();
    }
  };
  expect([await play(), await play(), await play()]).toEqual(["1", "1", "1"]);
  await expect(play()).rejects.toThrow(/isolation: "reset" does not work.*"count":1.*"count":0/);
});

test("world check proves solutions and that doing nothing fails", async () => {
  const report = await (await open()).check("train/0/1");
  expect(report).toMatchObject({ solutionPass: true, noopFail: true });
  expect(report.unsteady).toBeUndefined();
});
