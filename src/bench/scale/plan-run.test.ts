import { describe, expect, test } from "vitest";
import { usageOfRollout } from "../../train/run/budget/usage.ts";
import { MEASURED_COSTS } from "./measured-costs.ts";
import { countRolloutTokens, planRunCosts, type RunSizes } from "./plan-run.ts";
import { PUBLISHED_PRICES } from "./published-prices.ts";

const SIZES: RunSizes = {
  ...{ rollouts: 10, atOnce: 5, iterations: 2, turns: 4, contextTokens: 900, promptTokens: 400 },
  ...{ sampledTokensPerTurn: 50, latencySeconds: 1, epochs: 2, keptShare: 0.5 },
  evaluatesRows: true,
};
const PRICES = {
  ...{ prefillPrice: 1, cachedPrice: 0.5, samplePrice: 2, trainPrice: 3 },
  ...{ currency: "USD", source: "this test" },
};
const valuesOf = (sizes: RunSizes, prices = PRICES) =>
  Object.fromEntries(planRunCosts(sizes, prices).lines.map(({ name, value }) => [name, value]));

describe("a plan of a run", () => {
  test("has the numbers that were computed by hand", () => {
    // Three observations of (900 - 400 - 4 x 50) / 3 = 100 tokens. Requests of 400, 550, 700 and 850 tokens.
    expect(countRolloutTokens(SIZES)).toEqual({
      sent: 2500,
      prefill: 400 + 3 * 100 + 900,
      cached: 450 + 600 + 750,
      sampled: 200,
      trained: 2 * 0.5 * 900,
    });
    const turnSeconds = 1 + MEASURED_COSTS.hostMsPerTurn.value / 1000;
    const id = 7;
    const perSecond = 5 / turnSeconds;
    const values = valuesOf(SIZES);
    for (const [name, value] of Object.entries({
      "tokens.prefill": 16_000,
      "tokens.cached": 18_000,
      "tokens.sampled": 2000,
      "tokens.trained": 9000,
      "requests.samples": 40,
      "requests.perSecond": perSecond,
      "time.collect": 8 * turnSeconds,
      "controller.cores": (perSecond * MEASURED_COSTS.remoteControllerMsPerTurn.value) / 1000,
      "controller.memory": 5 * MEASURED_COSTS.remoteControllerMbPerRollout.value,
      "world.cores": (perSecond * MEASURED_COSTS.hostMsPerTurn.value) / 1000,
      "world.memory": 5 * MEASURED_COSTS.worldMbPerEpisode.value,
      "network.out": 10 * (2500 * id + 900 * (id + 20) + 900 * id),
      "network.in": 2000 * (id + 20),
      "network.peak": perSecond * 625 * id,
      "storage.run": 2 * 10 * (900 * 11 + 200 * 20 + 500 * 4),
      "money.prefill": 0.016,
      "money.cached": 0.009,
      "money.sampled": 0.004,
      "money.trained": 0.027,
      "money.iteration": 0.056,
      "money.run": 0.112,
    })) {
      expect([name, values[name]]).toEqual([name, expect.closeTo(value, 8)]);
    }
    expect(Object.keys(values)).toHaveLength(21);
  });

  test("counts tokens as the meter of a run does", () => {
    const turns = [400, 550, 700, 850].map((start) => ({ span: [start, start + 50] as const }));
    const tokens = { ids: [], mask: [], logprobs: [] };
    const metered = usageOfRollout({ tokens, turns } as unknown as Parameters<
      typeof usageOfRollout
    >[0]);
    const { prefill, cached, sampled } = countRolloutTokens({ ...SIZES, evaluatesRows: false });
    expect({ prefill, cached, sampled, trained: 0 }).toEqual(metered);
  });

  test("takes the price of prefill for cached tokens when there is none of their own", () => {
    const { cachedPrice: _, ...others } = PRICES;
    const plan = planRunCosts(SIZES, { ...others, cachedPrice: null });
    expect(plan.lines.find(({ name }) => name === "money.cached")!.value).toBeCloseTo(0.018, 9);
  });

  test("has no money without prices, and one turn without observations", () => {
    const names = planRunCosts(SIZES, null).lines.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("money"))).toEqual([]);
    const one = countRolloutTokens({ ...SIZES, turns: 1 });
    expect([one.sent, one.cached, one.prefill]).toEqual([400, 0, 1300]);
  });

  test.each([
    [{ rollouts: 0 }, "rollouts: expected a whole number of at least 1, got 0"],
    [{ turns: 2.5 }, "turns: expected a whole number of at least 1, got 2.5"],
    [{ latencySeconds: 0 }, "latencySeconds: expected a number above 0, got 0"],
    [{ keptShare: 2 }, "keptShare: expected a share from 0 to 1, got 2"],
    [{ contextTokens: 500 }, "are 100 tokens more than the context of 500"],
  ])("refuses %j", (wrong, message) => {
    expect(() => planRunCosts({ ...SIZES, ...wrong }, PRICES)).toThrow(message);
  });

  test("every measured number has a command and a day, and every price a source", () => {
    for (const { command, measured, what } of Object.values(MEASURED_COSTS)) {
      expect([what, command]).toEqual([what, expect.stringMatching(/^(bowline|npx tsx) /)]);
      expect(measured).toMatch(/\d{1,2} \w+ 20\d\d/);
    }
    for (const { source } of Object.values(PUBLISHED_PRICES))
      expect(source).toMatch(/https:.*20\d\d/);
  });
});
