/** Checks the errors for wrong custom parts, given as modules to the built command line or as values to the library. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  defineMethod,
  defineVariant,
  EVERY_METHOD,
  loop,
  resolveConfig,
  type SamplerInput,
  section,
  type TrainOptions,
  train,
  z,
} from "bowline";
import { fakeTask } from "bowline/testing";
import { afterAll, describe, expect, test, vi } from "vitest";
import unique from "../../examples/my-filter.ts";
import elite from "../../examples/my-method.ts";
import cost from "../../examples/my-reward.ts";
import { createTemporaryFolder, ROOT, runBowline } from "../e2e/support/cli.ts";
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

describe("wrong modules", () => {
  const entryPoint = pathToFileURL(join(ROOT, "dist", "index.js")).href;
  const modules: Record<string, string> = {
    "no-default.ts": "export const share = 1;",
    "number.ts": "export default 5;",
    "syntax.ts": "export default {",
    "throws.ts": 'throw new Error("no price list");\nexport default 1;',
    "no-iterations.mjs": `import { defineMethod, section } from "${entryPoint}";
      const nothing = async () => ({ rollouts: [], graded: [], metrics: {}, kept: 0, ratios: [] });
      export default defineMethod({ name: "none", summary: "", sections: { algo: section({}) }, collect: nothing, grade: nothing, learn: nothing });`,
  };
  mkdirSync(pathTo("wrong"));
  for (const [name, text] of Object.entries(modules)) writeFileSync(pathTo("wrong", name), text);

  test.each([
    ["method", "no-default.ts", /^error: method: \S+no-default\.ts has no default export$/],
    [
      "method",
      "number.ts",
      /^error: method: expected .*number\.ts to be a method, as defineMethod/,
    ],
    ["method", "syntax.ts", /^error: method: \S+syntax\.ts cannot be loaded: .*1:\d+: ERROR/],
    [
      "method",
      "throws.ts",
      /^error: method: \S+ cannot be loaded: no price list at \S+throws\.ts:1:7$/,
    ],
    ["method", "nowhere.ts", /^error: method: there is no file \S+nowhere\.ts$/],
    ["method", "no-iterations.mjs", /no field algo\.iterations; put EVERY_METHOD into/],
    ["scaffold", "number.ts", /^error: scaffold\.name: expected .* to export a function/],
    ["reward", "no-default.ts", /^error: extensions\.rewards: \S+ has no default export$/],
    ["filter", "number.ts", /^error: extensions\.filters: expected .* to export a function/],
    ["sampler", "nowhere.ts", /^error: algo\.taskSampling: there is no file/],
    ["engine", "number.ts", /^error: engine\.name: expected .* to export a function \(request\)/],
  ])("--%s %s is refused with one line", async (option, name, message) => {
    const out = pathTo("wrong", `${option}-${basename(name)}`);
    const args = ["train", "smoke", "--out", out, `--${option}`, `./wrong/${name}`];
    const { code, stdout, stderr } = await runBowline(args, { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(existsSync(out)).toBe(false);
  });

  test.each([
    ["engine.name", "onx", /expected onnx, tinker or the path of a module.*did you mean onnx/],
    [
      "scaffold.name",
      "compakt",
      /expected compact, compact-tools, fenced, react, tools, agent or the path.*did you mean compact/,
    ],
    ["algo.taskSampling", "near-haf", /expected uniform, .* or the path of a module/],
  ])("the field %s refuses the unknown name %s", (field, name, message) => {
    expect(() => resolveConfig({ overrides: { [field]: name } })).toThrow(message);
  });
});

describe("wrong values", () => {
  const step = async () => ({ rollouts: [], graded: [], metrics: {}, kept: 0, ratios: [] });
  const parts = { summary: "none", collect: step, grade: step, learn: step };
  const algo = (fields: object = {}) => ({ algo: section({ ...EVERY_METHOD, ...fields }) });

  test.each<[string, () => unknown, RegExp]>([
    [
      "a method with the name of a built-in method",
      () => resolveConfig({ method: defineMethod({ name: "loop", sections: algo(), ...parts }) }),
      /method: loop is the name of a method of the package; give your method another name/,
    ],
    [
      "a variant with the name of its built-in method",
      () => resolveConfig({ method: defineVariant(loop, { name: "loop", summary: "mine" }) }),
      /method: loop is the name of a method of the package/,
    ],
    [
      "a method with a section that every run has",
      () => {
        const sections = { ...algo(), world: section({ size: z.number().default(1) }) };
        return resolveConfig({ method: defineMethod({ name: "mine", sections, ...parts }) });
      },
      /method: the given method has a section world, which every run already has/,
    ],
    [
      "a preset that sets an unknown field",
      () => {
        const preset = { algo: { epoch: 1 } };
        const method = defineMethod({ name: "mine", sections: algo(), preset, ...parts });
        return resolveConfig({ method });
      },
      /method: the preset of the given method sets algo\.epoch, a field that it does not have/,
    ],
  ])("%s is refused", (_, use, message) => {
    expect(use).toThrow(message);
  });

  const refusal = (over: string) => new RegExp(`^config: ${over}`);
  const drawTwoTasks = ({ tasks }: SamplerInput) => tasks.slice(0, 2);
  test.each<[string, Partial<TrainOptions>, RegExp]>([
    [
      "a reward term that returns NaN",
      { rewards: { cost: () => Number.NaN } },
      refusal("the reward term cost returned NaN for rollout 1/0/0: expected a finite number"),
    ],
    [
      "a reward term that throws",
      { rewards: { cost: async () => Promise.reject(new Error("no list")) } },
      refusal("the reward term cost failed on rollout 1/0/0: no list"),
    ],
    [
      "a filter that returns a promise",
      { filters: { slow: (async () => true) as never } },
      refusal("the filter slow returned a promise for rollout 1/0/0: expected true or false"),
    ],
    [
      "a filter that throws",
      { filters: { bad: () => JSON.parse("{") } },
      refusal("the filter bad failed on rollout 1/0/0: "),
    ],
    [
      "a sampler that draws too few",
      { sampler: drawTwoTasks },
      refusal(
        "algo.taskSampling: expected the sampler to draw 6 different tasks among those that it was given, got 2 different tasks",
      ),
    ],
    [
      "a sampler that draws a task twice",
      { sampler: ({ tasks, count }) => Array(count).fill(tasks[0]) },
      refusal(".*got 1 different tasks"),
    ],
    [
      "a sampler that returns undefined tasks",
      { sampler: (input) => [...drawTwoTasks(input), ...new Array(4)] },
      refusal(".*got undefined, which is not one of them"),
    ],
    [
      "a sampler that draws unknown tasks",
      {
        sampler: ({ count }) => Array.from({ length: count }, (_, i) => fakeTask({ id: `x/${i}` })),
      },
      refusal(".*got x/0, which is not one of them"),
    ],
    [
      "a sampler that returns a promise",
      { sampler: (async () => []) as never },
      refusal(".*got no list"),
    ],
    [
      "a sampler that throws",
      {
        sampler: () => {
          throw new Error("lost");
        },
      },
      refusal("algo.taskSampling: the sampler failed: lost"),
    ],
    [
      "a scaffold without some of its functions",
      { scaffold: (() => ({ name: "half", start: () => [] })) as never },
      refusal(
        "scaffold: expected a scaffold with start, observe and extractCode, but it has no observe, extractCode",
      ),
    ],
    [
      "an engine without some of its functions",
      { engine: (() => ({ info: {} })) as never },
      refusal("engine: expected an engine, but it has no info.capabilities, sample, "),
    ],
    [
      "a method with the configuration of another method",
      { method: elite as never },
      refusal("train\\(\\) got the method elite, but a configuration for the method loop"),
    ],
  ])("%s is refused", async (name, own, message) => {
    expect(await describeError(trainOnFakes(`wrong ${name}`, own))).toMatch(message);
  });

  test.each([
    ["sft-gt", { rewards: { cost } }, /the method sft-gt does not use the reward term cost/],
    ["sft-gt", { filters: { unique } }, /the method sft-gt does not use the filter unique/],
    [
      "ei",
      { rewards: { cost } },
      /reward term cost has no effect, because passed rollouts are imitated with equal weights: set imitation\.temp/,
    ],
  ] as const)(
    "the method %s refuses a custom part that it does not use",
    async (method, own, message) => {
      const { "algo.groupSize": _, ...fields } = FAKE_FIELDS;
      const made = resolveConfig({
        recipe: "smoke",
        method,
        overrides: { ...fields, "algo.iterations": 1 },
      });
      const run = train(made, {
        ...fakeOptions(pathTo(`unread ${method} ${Object.keys(own)}`)),
        ...own,
      });
      expect(await describeError(run)).toMatch(message);
    },
  );

  test("two reward terms of the same name are refused", async () => {
    const fields = { "extensions.rewards": [join(ROOT, "examples", "my-reward.ts")] };
    const run = trainOnFakes("twice", { rewards: { "my-reward": cost } }, fields);
    expect(await describeError(run)).toMatch(
      /extensions\.rewards: two functions have the name my-reward/,
    );
  });
});
