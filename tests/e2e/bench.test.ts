/** The benchmarks over the real command line, small: what they print is complete, and its numbers make sense. */
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { bowline, ROOT } from "./support/cli.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

describe.concurrent("bench world", () => {
  test.each(["toy", "everyday/starter", join(ROOT, "bench", "world", "many-apis.ts")])(
    "%s: the JSON holds every number of the contract",
    async (world) => {
      const args = ["bench", "world", "--world", world, "--quick", "--json"];
      const { code, stdout, stderr } = await bowline(args);
      expect([code, stderr.match(/error.*/)?.[0]]).toEqual([0, undefined]);
      const result = JSON.parse(stdout);
      const machine = { cpu: expect.any(String), cores: expect.any(Number) };
      expect(result.machine).toMatchObject({ ...machine, node: process.version });
      expect(result.machine.memoryMb).toBeGreaterThan(100);
      const times = [
        "openMs",
        "coldOpenMs",
        "forkMs",
        "stepMs",
        "evaluateMs",
        "callUs",
        "emptyCallUs",
      ];
      for (const name of times) {
        const { p50, p99 } = result[name] as Quantiles;
        expect([name, p50 > 0, p99 >= p50]).toEqual([name, true, true]);
      }
      expect(result.episodesPerSecond).toBeGreaterThan(5);
      expect(result.live.episodes).toBe(40);
      expect(result.live.rssMb).toBeGreaterThan(30);
      expect(result.populationGrowth).toEqual(expect.any(Array));
    },
  );

  test("prints a table for people, and says that quick numbers are rough", async () => {
    const { code, stdout } = await bowline(["bench", "world", "--world", "toy", "--quick"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/open, first of a task +[\d.]+ +[\d.]+ +ms +samples the scenario/);
    expect(stdout).toMatch(/whole solution episodes a second/);
    expect(stdout).toContain("rough numbers");
  });

  test("a wrong world is a wrong usage, found before any work", async () => {
    const { code, stdout, stderr } = await bowline([
      "bench",
      "world",
      "--world",
      "everyday/startre",
    ]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("did you mean everyday/starter?");
  });

  test("help shows an example", async () => {
    const { stdout } = await bowline(["bench", "world", "--help"]);
    expect(stdout).toContain("bowline bench world --world ./my-world.ts --quick --json");
  });
});
