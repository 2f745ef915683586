import { expect, test } from "vitest";
import { runBowlineInProcess } from "../../../tests/support/terminal.ts";

const plan = (...args: string[]) => runBowlineInProcess(["plan", ...args]);
const OWN_PRICES = ["--price-prefill", "1", "--price-sample", "2", "--price-train", "3"];

interface PlanJson {
  readonly setting: string;
  readonly sizes: Readonly<Record<string, number>>;
  readonly prices: { readonly source: string } | null;
  readonly lines: readonly {
    readonly name: string;
    readonly value: number;
    readonly how: string;
  }[];
}

async function readPlan(...args: string[]): Promise<PlanJson> {
  const { stdout } = await plan(...args, "--json");
  return JSON.parse(stdout) as PlanJson;
}

test("plans the paper's sizes by default, and a run with the sizes of the options", async () => {
  const paper = await readPlan();
  expect(paper.setting).toBe("qwen3-32b");
  expect(paper.sizes).toMatchObject({ rollouts: 240, turns: 40, contextTokens: 32_000, epochs: 2 });
  const sizes = ["--rollouts", "10000", "--at-once", "5000", "--turns", "20", "--latency", "10"];
  const large = await readPlan(...sizes, "--context", "24000", "--iterations", "3");
  expect(large.sizes).toMatchObject({ rollouts: 10_000, atOnce: 5000, turns: 20, iterations: 3 });
  const samples = large.lines.find(({ name }) => name === "requests.samples")!;
  expect([samples.value, samples.how]).toEqual([200_000, "10,000 rollouts x 20 turns"]);
  expect((await readPlan("--algo.groupSize", "8")).sizes["rollouts"]).toBe(320);
});

test("prints how each number was computed, the source of the prices and of what was measured", async () => {
  const { stdout } = await plan("--setting", "qwen3-8b", "--rollouts", "96");
  expect(stdout).toContain("96 rollouts x 40 turns");
  const text = stdout.replace(/\s+/g, " ");
  expect(text).toMatch(/Prices of a million tokens: Tinker, https:\S+, prices from 17 July 2026/);
  expect(text).toContain("bowline bench controller --rollouts 1000");
});

test("takes prices of a person with their source, and says when there are none", async () => {
  const own = await readPlan(...OWN_PRICES, "--price-source", "my contract");
  expect(own.prices).toMatchObject({ prefillPrice: 1, cachedPrice: null, source: "my contract" });
  const without = await plan("--setting", "qwen2.5-32b");
  expect(without.stdout).toContain("no prices are known for this model");
  expect((await readPlan("--setting", "qwen2.5-32b")).prices).toBeNull();
});

test.each([
  [["--setting", "qwen3-33b"], "qwen3-32b"],
  [["--rollouts", "0"], "Expected an integer at least 1"],
  [["--context", "8000"], "more than the context of 8000"],
  [["--kept", "2"], "keptShare: expected a share from 0 to 1, got 2"],
  [["--price-prefill", "1"], "--price-sample, --price-train and --price-source together"],
  [OWN_PRICES, "--price-source together"],
  [["--price-model", "Qwen/Qwen3-9B"], "Qwen/Qwen3-8B"],
])("refuses %j", async (args, message) => {
  const { code, stderr } = await plan(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
