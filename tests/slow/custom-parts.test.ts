/**
 * Uses the custom parts of `examples/` as a user does: as modules with the built command line, and as values in the
 * library. Checks what runs record about custom parts, and that a stopped run continues with them.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type algo,
  evaluate,
  type RewardFunction,
  Rng,
  type RolloutFilter,
  resolveConfig,
  type SamplerInput,
  type TrainOptions,
  train,
} from "bowline";
import { fakeRollout, fakeTask, tableEngine } from "bowline/testing";
import { afterAll, describe, expect, test, vi } from "vitest";
import { run as runLibrary } from "../../examples/library.ts";
import { recordCalls } from "../../examples/my-engine.ts";
import unique from "../../examples/my-filter.ts";
import elite from "../../examples/my-method.ts";
import cost from "../../examples/my-reward.ts";
import drawTasks from "../../examples/my-sampler.ts";
import makeScaffold from "../../examples/my-scaffold.ts";
import { type CliOptions, createTemporaryFolder, ROOT, runBowline } from "../e2e/support/cli.ts";
import {
  createTrainOnFakes,
  describeError,
  FAKE_FIELDS,
  fakeOptions,
} from "../e2e/support/fake-runs.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folder = createTemporaryFolder();
afterAll(folder.remove);
const pathTo = (...names: string[]) => join(folder.path, ...names);
const trainOnFakes = createTrainOnFakes(folder.path);

/** Examples of worlds, which may be longer than the examples of other parts and have tests elsewhere. */
const WORLDS: readonly string[] = [
  "my-world.ts",
  "garden.ts",
  "declarations.ts",
  "borrowing.ts",
  "presents.ts",
  "foreign-world.ts",
];
const EXAMPLES = readdirSync(join(ROOT, "examples")).filter(
  (name) => name.endsWith(".ts") && !WORLDS.includes(name),
);
const readExample = (name: string) => readFileSync(join(ROOT, "examples", name), "utf8");
const readJsonLines = (path: string): Record<string, unknown>[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const readLoopMetrics = (directory: string) =>
  readJsonLines(join(directory, "metrics.jsonl")).filter(({ phase }) => phase === "loop");

describe("the examples of custom parts", () => {
  test.each(EXAMPLES)(
    "%s is short, shows a command that uses it, and imports only entry points of the package",
    (name) => {
      const text = readExample(name);
      expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(90);
      expect(text).toMatch(/^\/\*\*\n[\s\S]*? {5}(bowline|npx tsx) [\s\S]*?\*\//);
      const imports = [...text.matchAll(/from "([^"]+)"/g)].map(([, from]) => from!);
      expect(
        imports.filter((from) => !/^(bowline|node:[\w/]+|\.\/my-[\w-]+\.ts)$/.test(from)),
      ).toEqual([]);
    },
  );

  test("docs/how-to/extend.md shows the examples unchanged", () => {
    const page = readFileSync(join(ROOT, "docs", "how-to", "extend.md"), "utf8");
    const blocks = [...page.matchAll(/^```ts examples\/(\S+)\n([\s\S]*?)^```$/gm)];
    const shown = blocks.map(([, name, code]) => {
      const pieces = code!.split(/^ *\/\/ \.\.\.\n/m);
      expect(pieces.filter((piece) => !readExample(name!).includes(piece))).toEqual([]);
      return name;
    });
    expect(shown.sort()).toEqual(
      EXAMPLES.filter((name) => name.startsWith("my-") || name === "library.ts").sort(),
    );
  });
});

/** Options for a run of some seconds, whose policy calls APIs but seldom solves a task. */
const TINY_OPTIONS = [
  ["--warm.demonstrations", "400"],
  ["--algo.iterations", "2"],
  ["--algo.tasks-per-iteration", "4"],
  ["--algo.group-size", "4"],
  ["--evaluation.scenarios", "1"],
].flat();
const CUSTOM_PARTS = [
  ["--method", "./examples/my-method.ts", "--elite.share", "0.75"],
  ["--scaffold", "./examples/my-scaffold.ts"],
  ["--reward", "./examples/my-reward.ts"],
  ["--filter", "./examples/my-filter.ts"],
  ["--sampler", "./examples/my-sampler.ts"],
  ["--engine", "./examples/my-engine.ts", "--engine.options", '{"threads":1}'],
].flat();
const trainWithCustomParts = (directory: string, options: CliOptions = {}) =>
  runBowline(
    ["train", "smoke", "--json", "--out", directory, ...TINY_OPTIONS, ...CUSTOM_PARTS],
    options,
  );

describe("custom modules on the command line", () => {
  const whole = pathTo("whole");

  test("a run with six custom modules records each in its configuration, metrics or files", async () => {
    const { code, stdout, stderr } = await trainWithCustomParts(whole);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ method: "./examples/my-method.ts" });
    const { config, given } = JSON.parse(readFileSync(join(whole, "run.json"), "utf8"));
    expect(config).toMatchObject({
      method: "./examples/my-method.ts",
      elite: { share: 0.75 },
      scaffold: { name: "./examples/my-scaffold.ts" },
      engine: { name: "./examples/my-engine.ts", options: { threads: 1 } },
      extensions: { rewards: ["./examples/my-reward.ts"], filters: ["./examples/my-filter.ts"] },
      algo: { taskSampling: "./examples/my-sampler.ts", epochs: 1, minibatch: 0 },
    });
    expect(given).toBeUndefined();
    const [first, second] = readLoopMetrics(whole);
    expect(first!["reward/term/my-reward"]).toBeLessThan(0);
    expect(first!["elite/baseline"]).toBeCloseTo(first!["reward/mean"] as number, 12);
    expect(first!["filter/my-filter"]).toBeGreaterThanOrEqual(0);
    expect(second!["train/updates"]).toBe(1);
    const [rollout] = readJsonLines(join(whole, "rollouts", "train-0001.jsonl"));
    const [turn] = rollout!["turns"] as { observation: string }[];
    expect(turn!.observation).toMatch(/\n\[3 left\]$/);
    const calls = readJsonLines(join(whole, "engine", "calls.jsonl")).map(({ call }) => call);
    for (const call of ["sample", "accumulate", "update", "publish", "save"])
      expect(calls).toContain(call);
  });

  test("when a run with custom modules was stopped, the same command continues it to the same end", async () => {
    const stopped = pathTo("stopped");
    const first = await trainWithCustomParts(stopped, {
      onStart: (child) => {
        const watch = setInterval(() => {
          if (!existsSync(join(stopped, "rollouts", "train-0001.jsonl"))) return;
          clearInterval(watch);
          child.kill("SIGKILL");
        }, 5);
        child.once("close", () => clearInterval(watch));
      },
    });
    expect(first.code).toBeNull();
    expect(existsSync(join(stopped, "summary.json"))).toBe(false);
    const { code, stderr } = await trainWithCustomParts(stopped);
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    const readContents = (directory: string) =>
      ["metrics.jsonl", ...["0001", "0002"].map((n) => `rollouts/train-${n}.jsonl`)].map((name) =>
        readFileSync(join(directory, name), "utf8"),
      );
    expect(readContents(stopped)).toEqual(readContents(whole));
  });

  test("a run with custom modules can be scored and reported", async () => {
    const args = ["eval", whole, "--split", "dev", "--scenarios", "1", "--json"];
    const { code, stdout } = await runBowline(args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ tasks: 3 });
    expect((await runBowline(["report", whole])).code).toBe(0);
  });

  test("bowline config explains the fields of a custom method", async () => {
    const { code, stdout } = await runBowline(["config", "elite", "--method", CUSTOM_PARTS[1]!]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/elite\.share +0\.5 +Of the rollouts, best first/);
  });

  test("another method is refused in the folder of a run with a custom method", async () => {
    const { code, stderr } = await runBowline(["train", "smoke", "--out", whole, ...TINY_OPTIONS]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /another configuration: .*method \(there "\.\/examples\/my-method\.ts", now "loop"\)/,
    );
  });
});

describe("custom parts as values, on fakes", () => {
  test("the example method learns from the reward", async () => {
    const config = resolveConfig({
      recipe: "smoke",
      method: elite,
      overrides: { ...FAKE_FIELDS, "algo.iterations": 12, "optimizer.learningRate": 0.3 },
    });
    const summary = await train(config, { ...fakeOptions(pathTo("elite")), method: elite });
    expect(summary).toMatchObject({ method: "elite", recipe: "smoke/elite" });
    expect(summary.reward.last).toBeGreaterThan(summary.reward.first + 0.2);
    expect(readLoopMetrics(pathTo("elite"))[0]!["rollout/kept"]).toBeLessThanOrEqual(18);
  });

  test("the example method learns from a share of the rollouts, the best ones, if their return is above the mean", async () => {
    const overrides = { ...FAKE_FIELDS, "elite.share": 0.1 };
    const config = resolveConfig({ recipe: "smoke", method: elite, overrides });
    await train(config, { ...fakeOptions(pathTo("share")), method: elite });
    expect(readLoopMetrics(pathTo("share"))[0]!["rollout/kept"]).toBe(4);
    expect(() => resolveConfig({ method: elite, overrides: { "algo.epochs": 2 } })).toThrow(
      /elite takes one step an iteration/,
    );
    expect(() => resolveConfig({ method: elite, overrides: { "elite.shar": 2 } })).toThrow(
      /unknown .*elite\.shar.*did you mean elite\.share/,
    );
  });

  test("a synchronous or asynchronous reward term is added to the outcome and reported by name", async () => {
    const turnTerm: RewardFunction = ({ turns }) => -0.1 * turns.length;
    const constantTerm: RewardFunction = async () => 0.5;
    const seen: number[] = [];
    const watch: RolloutFilter = ({ reward, rollout }) => {
      const outcome = rollout.evaluation!.finished && rollout.evaluation!.passed ? 1 : 0;
      seen.push(reward - outcome - 0.5 + 0.1 * rollout.turns.length);
      return true;
    };
    await trainOnFakes("terms", {
      rewards: { short: turnTerm, later: constantTerm },
      filters: { watch },
    });
    const [first] = readLoopMetrics(pathTo("terms"));
    expect(first).toMatchObject({ "reward/term/later": 0.5, "filter/watch": 0 });
    expect(first!["reward/term/short"]).toBeLessThan(-0.09);
    expect(Math.max(...seen.map(Math.abs))).toBeLessThan(1e-9);
  });

  test("the example reward charges each call by its standard prices", async () => {
    const call = (wrote: boolean) => ({ app: "a", api: "b", args: {}, status: 200, wrote });
    const rollout = fakeRollout({});
    const turns = [{ ...rollout.turns[0]!, calls: [call(false), call(true), call(false)] }];
    expect(await cost({ ...rollout, turns })).toBeCloseTo(-0.02, 9);
  });

  test("the example filter leaves out equal programs of a task, and counts them", async () => {
    await trainOnFakes("copies", { filters: { unique } });
    const [first] = readLoopMetrics(pathTo("copies"));
    expect(first!["filter/unique"]).toBeGreaterThan(0);
    const rollouts = readJsonLines(pathTo("copies", "rollouts", "train-0001.jsonl"));
    const programs = rollouts.map(({ task, turns }) =>
      JSON.stringify([
        (task as { id: string }).id,
        (turns as { code: string }[]).map(({ code }) => code),
      ]),
    );
    expect(first!["filter/unique"]).toBe(rollouts.length - new Set(programs).size);
  });

  test("the example sampler first takes tasks that pass sometimes, then tasks never tried", async () => {
    const seen: Record<string, number>[] = [];
    const sampler = (input: SamplerInput) => {
      seen.push({ ...input.passRate });
      return drawTasks(input);
    };
    await trainOnFakes("sampler", { sampler }, { "algo.tasksPerIteration": 4 });
    expect(seen.map((rates) => Object.keys(rates).length > 0)).toEqual([false, true, true]);
    const tasks = ["a", "b", "c", "d", "e"].map((id) => fakeTask({ id }));
    const passRate = { a: 1, b: 0.5, c: 0, d: 0.2 };
    const drawn = drawTasks({ tasks, count: 3, iteration: 1, rng: new Rng(1), passRate });
    expect(drawn.map(({ id }) => id).sort()).toEqual(["b", "d", "e"]);
  });

  test("the example scaffold shows how many turns are left", async () => {
    await trainOnFakes("left", { scaffold: makeScaffold }, { "scaffold.maxTurns": 2 });
    const rollouts = readJsonLines(pathTo("left", "rollouts", "train-0001.jsonl"));
    const observations = rollouts.flatMap(({ turns }) =>
      (turns as { observation: string }[]).map(({ observation }, i) => [observation, i] as const),
    );
    for (const [observation, i] of observations)
      expect(observation).toMatch(i === 0 ? /\[1 left\]$/ : /\[0 left\]$/);
    expect(observations.some(([, i]) => i === 1)).toBe(true);
  });

  test("a scaffold may be an instance of a class", async () => {
    const scaffold: TrainOptions["scaffold"] = (limits, tokenizer) => {
      const inner = makeScaffold(limits, tokenizer);
      class Inherited {
        name = "class";
        limits = { maxTurns: 999, maxTurnTokens: 1, maxTokens: 1 };
        start: typeof inner.start = (task) => inner.start(task);
        observe(...args: Parameters<typeof inner.observe>) {
          return inner.observe(...args);
        }
        extractCode(message: string) {
          return inner.extractCode(message);
        }
      }
      return new Inherited();
    };
    await trainOnFakes("class", { scaffold });
    await trainOnFakes("no-class", { scaffold: makeScaffold });
    expect(readLoopMetrics(pathTo("class"))).toEqual(readLoopMetrics(pathTo("no-class")));
  });

  test("the example engine records every call and changes no metric", async () => {
    const calls = new Map<string, number>();
    const engine: TrainOptions["engine"] = ({ model }) =>
      recordCalls(tableEngine(model.vocabularySize), (call) => {
        calls.set(call, (calls.get(call) ?? 0) + 1);
      });
    await trainOnFakes("recorded", { engine });
    await trainOnFakes("plain", {});
    const readMetricsText = (name: string) => readFileSync(pathTo(name, "metrics.jsonl"), "utf8");
    expect(readMetricsText("recorded")).toBe(readMetricsText("plain"));
    const updates = readLoopMetrics(pathTo("plain")).reduce(
      (sum, line) => sum + Number(line["train/updates"]),
      0,
    );
    expect(calls.get("update")).toBe(96 / 8 + updates);
    expect(calls.get("publish")).toBeGreaterThanOrEqual(3);
  });

  test("the library example runs, and a call with other parts does not continue its run", async () => {
    const fields = {
      "warm.demonstrations": 64,
      "algo.iterations": 1,
      "algo.tasksPerIteration": 2,
      "algo.groupSize": 4,
      "evaluation.scenarios": 1,
    };
    const out = pathTo("library");
    const events: string[] = [];
    const summary = await runLibrary(out, fields, ({ type }) => events.push(type));
    expect(summary).toMatchObject({ method: "elite", rollouts: 8 });
    expect(events).toContain("progress");
    expect(Object.keys(readLoopMetrics(out)[0]!)).toEqual(
      expect.arrayContaining(["reward/term/cost", "reward/term/short", "filter/unique"]),
    );
    expect(await runLibrary(out, fields)).toEqual(summary);
    const config = resolveConfig({
      recipe: "smoke",
      method: elite,
      overrides: { "elite.share": 0.25, ...fields },
    });
    expect(
      await describeError(train(config, { out, method: elite, scaffold: makeScaffold })),
    ).toMatch(
      /config: .* other parts were passed: engine, filters\.unique, rewards\.cost, rewards\.short, sampler, scaffold then, scaffold now/,
    );
    expect(await describeError(evaluate({ policy: out, split: "dev", scenarios: 1 }))).toMatch(
      /config: .* was trained with a scaffold of your own, passed to train\(\)/,
    );
  });

  test("a stopped and continued run with custom parts has the same metrics as an uninterrupted run", async () => {
    const customParts = {
      rewards: { cost },
      filters: { unique },
      sampler: drawTasks,
      scaffold: makeScaffold,
    };
    await trainOnFakes("straight", customParts);
    const abort = new AbortController();
    const onEvent: TrainOptions["onEvent"] = (event) => {
      if (event.type === "progress" && event.phase === "loop" && event.step === 2) abort.abort();
    };
    const first = trainOnFakes("bent", { ...customParts, onEvent, signal: abort.signal });
    await expect(first).rejects.toThrow(/abort/);
    await trainOnFakes("bent", customParts);
    const readMetricsText = (name: string) => readFileSync(pathTo(name, "metrics.jsonl"), "utf8");
    expect(readMetricsText("bent")).toBe(readMetricsText("straight"));
  });
});

/** Shows that the public types are enough to write a part. */
const hasPositiveAdvantage: (item: algo.GradedRollout) => boolean = ({ advantage }) =>
  advantage > 0;
test("the type of a graded rollout is exported", () => {
  expect(hasPositiveAdvantage({ rollout: fakeRollout({}), reward: 1, advantage: 1 })).toBe(true);
});
