/** The part of the engine contract that is about filters of the distribution. */
import { expect, test } from "vitest";
import type { Engine, Sample, SampleRequest } from "../../src/spec/index.ts";
import { expectSameSamples } from "./output-gaps.ts";

/**
 * Tests that an engine obeys filters, or refuses them if it says that it has none. `createRequests` returns requests
 * without a filter. `rounding` is how much a log-prob may depend on the other requests.
 */
export function describeFilters(
  getEngine: () => Engine,
  createRequests: (count: number) => readonly SampleRequest[],
  rounding: number,
): void {
  test("a sampling filter keeps the most likely tokens and renormalises their log-probs, whatever the other requests are", async () => {
    const engine = getEngine();
    const requests = createRequests(12).map((request) => ({ ...request, temperature: 1 }));
    const filtered = requests.map((request) => ({ ...request, filter: { topK: 3 } }));
    if (!engine.info.capabilities.filteredSamples) {
      await expect(engine.sample(filtered)).rejects.toThrow(/filteredSamples is false/);
      return;
    }
    const samples = await engine.sample(filtered);
    for (const [i, { tokens, logprobs }] of samples.entries()) {
      const before = requests[i]!.tokens;
      const rows = Array.from({ length: engine.info.vocabularySize }, (_, id) => ({
        tokens: [...before, id],
        at: [before.length],
      }));
      const all = (await engine.evaluate(rows)).map((output) => output.logprobs[0]!);
      const three = all.toSorted((a, b) => b - a).slice(0, 3);
      const left = Math.log(three.reduce((sum, logprob) => sum + Math.exp(logprob), 0));
      expect(all[tokens[0]!]).toBeGreaterThan(three[2]! - 1e-4);
      expect(logprobs[0]).toBeCloseTo(all[tokens[0]!]! - left, 4);
    }
    const mixed = requests.map((request, i) => (i % 2 === 0 ? request : filtered[i]!));
    const alone = await Promise.all(mixed.map(async (one) => (await engine.sample([one]))[0]!));
    expectSameSamples(await engine.sample(mixed), alone, rounding);
    const isFiltered = (_: unknown, i: number) => i % 2 === 1;
    expectSameSamples(alone.filter(isFiltered), samples.filter(isFiltered), rounding);
    const one = requests.map((request) => ({ ...request, filter: { topP: 0.0001 } }));
    const greedy = requests.map((request) => ({ ...request, temperature: 0 }));
    const listTokens = (list: readonly Sample[]) => list.map(({ tokens }) => tokens);
    expect(listTokens(await engine.sample(one))).toEqual(listTokens(await engine.sample(greedy)));
  });
}
