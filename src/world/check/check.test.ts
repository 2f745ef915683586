import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import office from "../../../tests/support/office-world.ts";
import { Rng } from "../../core/index.ts";
import { accounts } from "../api/index.ts";
import {
  defineApi,
  defineApp,
  defineTable,
  defineWorld,
  type Table,
  type Task,
} from "../define.ts";
import { WorldInstance } from "../episode/index.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { makeEquivalents } from "./equivalents.ts";
import { checkTask, checkTasks } from "./index.ts";
import { makeMutants } from "./mutants.ts";
import { type Call, Replayer } from "./replay.ts";

type Parcel = {
  readonly id: number;
  readonly to: string;
  readonly grams: number;
  readonly fragile: boolean;
  readonly place: number;
};
type Options = Partial<Pick<Table<Parcel>, "classes" | "loose">>;
/** Names the table of parcels in goals. */
const PARCELS = defineTable<Parcel>("post.parcels");

/**
 * Makes a post office with one task, which is to send two parcels. The column `place` numbers the parcels. Tests break
 * parts of it.
 */
function createPostOffice(
  task: Partial<Task>,
  options: Options = { classes: { place: "derived" } },
): WorldInstance {
  const parcels = defineTable<Parcel>(PARCELS.name, options);
  const app = defineApp({
    name: "post",
    summary: "Parcels.",
    tables: [parcels],
    apis: {
      send: defineApi({
        summary: "Send a parcel.",
        params: z.strictObject({
          to: z.string(),
          grams: z.int(),
          fragile: z.boolean().default(false),
        }),
        returns: z.object({ id: z.int() }),
        handler: ({ db }, args) => db.insert(parcels, { ...args, place: db.all(parcels).length }),
      }),
      count: defineApi({
        summary: "Count the parcels.",
        params: z.strictObject({}),
        returns: z.int(),
        handler: ({ db }) => db.all(parcels).length,
      }),
    },
  });
  const right: Task = {
    signature: "send.two",
    difficulty: 1,
    instruction: "send 500 fragile grams to Bo and 250 to Al",
    goal(db) {
      db.insert(parcels, { to: "Bo", grams: 500, fragile: true, place: 4 });
      db.insert(parcels, { to: "Al", grams: 250, fragile: false, place: 5 });
    },
    *solution({ style }) {
      yield "print(apis.post.count()); apis.post.send({ to: 'Bo', grams: 500, fragile: true })";
      if (style === "careful") yield "apis.post.send({ to: 'Al', grams: 250 })";
      yield "apis.me.finishTask()";
    },
    ...task,
  };
  const definition = defineWorld({
    name: "post",
    now: "2026-01-05T09:00:00Z",
    apps: [app],
    scenarios: { train: 1 },
    populate(db) {
      for (const to of ["Al", "Bo", "Cy", "Di"])
        db.insert(parcels, { to, grams: 1, fragile: false, place: 0 });
      return { name: "Ida", email: "ida@x.example", phone: "1" };
    },
    scenario: () => [right, right, right],
  });
  return new WorldInstance(definition, 1);
}

describe("checkTask proves one task", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox();
  });
  const check = (world: WorldInstance) => checkTask(world, sandbox, "train/0/1", 1);
  const survivorNames = async (world: WorldInstance) =>
    (await check(world)).survivors.map(({ mutant }) => mutant);

  test("checkTask reports for a sound task that every mutant fails and every equivalent passes", async () => {
    const report = await check(createPostOffice({}));
    expect(report).toMatchObject({ solutionPass: true, hastyPass: false, noopFail: true });
    expect(report).toMatchObject({ survivors: [], rejected: [] });
    expect(report.mutants).toBeGreaterThan(15);
    expect(report.equivalents).toBe(5);
  });

  test("checkTask reports mutants that survive because the checks ignore a property", async () => {
    const blind: Options = { classes: { place: "derived", fragile: "bookkeeping" } };
    const survivors = await survivorNames(createPostOffice({}, blind));
    expect(survivors).toEqual([expect.stringMatching(/^omit fragile of post\.send\({"to":"Bo"/)]);
  });

  test("mutants move the point, drop the sign and join the numbers of a text, and the checks fail each", async () => {
    const to = "Bo at -2.5 km, gate 3-1";
    const solution = function* () {
      yield `apis.post.send({ to: ${JSON.stringify(to)}, grams: 5 }); apis.me.finishTask()`;
    };
    const world = createPostOffice(
      {
        goal: (db) => void db.insert(PARCELS, { to, grams: 5, fragile: false, place: 4 }),
        solution,
      },
      { classes: { place: "derived" }, loose: ["to"] },
    );
    expect(await check(world)).toMatchObject({ solutionPass: true, survivors: [] });
    const start = world.prepareTask("train/0/1");
    const calls = [
      { app: "post", api: "send", args: { to, grams: 5 } },
      { app: "me", api: "finishTask", args: {} },
    ];
    const replayer = new Replayer(world, start);
    const names = makeMutants(replayer, calls, replayer.run(calls), new Rng(1)).map(
      ({ name }) => name,
    );
    for (const other of [
      "Bo at -25. km, gate 3-1",
      "Bo at 2.5 km, gate 3-1",
      "Bo at -25 km, gate 3-1",
    ]) {
      expect(
        names.filter((name) => name.startsWith(`to ${JSON.stringify(other)} in`)),
      ).toHaveLength(1);
    }
  });

  test("checkTask reports an answer that a constant guess gets right", async () => {
    const ask = {
      goal: () => ({ answer: 1 }),
      *solution() {
        yield "apis.me.finishTask({ answer: 1 })";
      },
    } satisfies Partial<Task>;
    expect(await survivorNames(createPostOffice(ask))).toEqual(["answer 1"]);
  });

  test("checkTask tries each of the goal's own wrong answers once as a mutant", async () => {
    const askWithGuesses = (guesses: readonly string[]) =>
      createPostOffice({
        goal: () => ({ answer: "Bo", guesses }),
        *solution() {
          yield "apis.me.finishTask({ answer: 'Bo' })";
        },
      });
    const [few, more] = [
      await check(askWithGuesses([])),
      await check(askWithGuesses(["Al", "yes", "Al"])),
    ];
    expect(more.mutants).toBe(few.mutants + 1);
    expect(await survivorNames(askWithGuesses(["Al", "bo."]))).toEqual(['answer "bo."']);
  });

  test("checkTask reports the task's alternative solutions that fail or break", async () => {
    const alternatives: Task["alternatives"] = [
      function* () {
        yield "apis.post.send({ to: 'Al', grams: 250 })";
        yield "apis.post.send({ to: 'Bo', grams: 500, fragile: true }); apis.me.finishTask()";
      },
      function* () {
        yield "apis.me.finishTask()";
      },
      // biome-ignore lint/correctness/useYield: the solution fails before its first cell
      function* () {
        throw new Error("oops");
      },
    ];
    const { equivalents, rejected } = await check(createPostOffice({ alternatives }));
    expect(equivalents).toBe(5 + 3);
    expect(rejected.map(({ equivalent, why }) => `${equivalent}: ${why}`)).toEqual([
      expect.stringMatching(/^alternative 2: post\.parcels: /),
      expect.stringMatching(
        /^alternative 3: the solution of task train\/0\/1 failed: oops( at .*check\.test\.ts:\d+:\d+)?$/,
      ),
    ]);
  });

  test("checkTask does not mutate logins, moves them together with the writes that need them, and makes an equivalent by repeating them", async () => {
    const world = new WorldInstance(office, 1);
    const start = world.prepareTask("train/0/1");
    const replayer = new Replayer(world, start);
    const [{ password } = { password: "" }] = start.state.all(accounts);
    const call = (app: string, api: string, args = {}) => ({ app, api, args });
    const send = (to: string) => call("post", "send", { to, text: "x" });
    const calls = [
      call("board", "pin", { text: "x" }),
      call("post", "login", { password }),
      send("m1"),
      send("m2"),
      call("me", "finishTask"),
    ];
    const right = replayer.run(calls);
    const mutants = makeMutants(replayer, calls, right, new Rng(1));
    expect(mutants.filter(({ name }) => name.includes("login"))).toEqual([]);
    const equivalents = makeEquivalents(replayer, calls, right);
    const apisOfEquivalent = (name: string) =>
      equivalents.find((e) => e.name.startsWith(name))?.calls.map(({ api }) => api);
    expect(apisOfEquivalent("a second login")).toEqual([
      "pin",
      "login",
      "send",
      "login",
      "send",
      "finishTask",
    ]);
    expect(apisOfEquivalent("board.pin and post.send")).toEqual([
      "login",
      "send",
      "pin",
      "send",
      "finishTask",
    ]);
    const allCallsSucceed = (calls: readonly Call[]) =>
      replayer.run(calls).results.every(({ status }) => status === 200);
    const moved = equivalents.filter(({ name }) => /login|swapped/.test(name));
    expect(moved.map(({ calls }) => allCallsSucceed(calls))).toEqual([true, true, true]);
  });

  test("checkTask reports rejected equivalents when checks depend on the order of independent writes", async () => {
    const { rejected } = await check(createPostOffice({}, {}));
    expect(rejected.map(({ equivalent }) => equivalent)).toEqual([
      "post.send and post.send (calls 1 and 2) swapped",
    ]);
  });

  test("checkTask reports a wrong solution and an empty goal as failures", async () => {
    const wrong = {
      *solution() {
        yield "apis.post.send({ to: 'Bo', grams: 501, fragile: true }); apis.me.finishTask()";
      },
    } satisfies Partial<Task>;
    expect(await check(createPostOffice(wrong))).toMatchObject({
      solutionPass: false,
      why: expect.stringContaining("post.parcels: added grams (expected 500; 250, got 501)"),
      mutants: 0,
    });
    const empty = await check(createPostOffice({ goal: () => undefined }));
    expect(empty).toMatchObject({ noopFail: false, solutionPass: false });
  });

  test("checkTask explains why a solution fails when it throws or never ends", async () => {
    const explainFailure = async (solution: NonNullable<Task["solution"]>) => {
      const report = await check(createPostOffice({ solution }));
      expect(report).toMatchObject({ solutionPass: false, hastyPass: false, mutants: 0 });
      return report.why;
    };
    expect(
      // biome-ignore lint/correctness/useYield: it fails before its first cell
      await explainFailure(function* () {
        throw new Error("oops");
      }),
    ).toMatch(/^the solution of task train\/0\/1 failed: oops( at .*check\.test\.ts:\d+:\d+)?$/);
    expect(
      await explainFailure(function* () {
        for (;;) yield "1";
      }),
    ).toContain("it has not ended after 100 cells");
    expect(
      await explainFailure(function* () {
        const { stdout } = yield "print(apis.post.sendd({}))";
        JSON.parse(stdout);
      }),
    ).toMatch(
      /^the solution of task train\/0\/1 failed: .* JSON .*, after its cell 1 of 1 failed with ApiError: 404 app 'post' has no API 'sendd'; did you mean 'send'\?$/,
    );
  });

  test("checkTask explains a failing solution by the error of its code cell and the API's answer", async () => {
    const { why } = await check(
      createPostOffice({
        *solution() {
          yield "apis.post.count()";
          yield "apis.post.send({ to: 'Bo', grams: 'many' })";
        },
      }),
    );
    expect(why).toMatch(
      /^its cell 2 of 2 failed with ApiError: 422 .*grams.* \(post\.send\({"to":"Bo","grams":"many"}\) answered 422\); post\.parcels: /,
    );
  });

  test("checkTask throws for a task without a solution", async () => {
    const world = { name: "post", hasSolutions: false, check: async () => Promise.reject() };
    await expect(checkTasks(world, "train", ["train/0/1"], 1)).rejects.toThrow("has no solutions");
  });

  test("a report about no tasks has the score 0", async () => {
    const world = { name: "post", hasSolutions: true, check: () => check(wrong) };
    const wrong = createPostOffice({ goal: () => undefined });
    const report = await checkTasks(world, "train", ["0"], 1);
    expect(report).toMatchObject({ mutants: 0, score: 0, equivalents: 0, acceptance: 0 });
  });

  test("a report sums up its tasks", async () => {
    const worlds = [
      createPostOffice({}),
      createPostOffice({ goal: () => undefined }),
      createPostOffice({}, {}),
    ];
    const world = {
      name: "post",
      hasSolutions: true,
      check: (id: string) => check(worlds[Number(id)]!),
    };
    const report = await checkTasks(world, "train", ["0", "1", "2"], 2);
    expect(report).toMatchObject({
      tasks: 3,
      solutionPass: 2,
      noopFail: 2,
      score: 1,
      hastyPass: 0,
    });
    expect(report).toMatchObject({ equivalents: 10, accepted: 9, acceptance: 9 / 10 });
    expect(report.failures.map(({ why }) => why)).toEqual([
      expect.stringContaining("the solution fails"),
      "doing nothing passes",
    ]);
  });
});
