/** Runs small benchmarks with the built command line. Their output is complete, and its numbers make sense. */
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { ROOT, runBowline, runCommand } from "../e2e/support/cli.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

describe.concurrent("bench world", () => {
  test.each(["everyday/starter", join(ROOT, "bench", "world", "many-apis.ts")])(
    "bench world with %s prints JSON with every documented number",
    async (world) => {
      const args = ["bench", "world", "--world", world, "--quick", "--json"];
      const { code, stdout, stderr } = await runBowline(args);
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
        // An empty call is the difference of two times, which noise can make negative.
        const isPlausible = p50 > 0 || (name === "emptyCallUs" && Number.isFinite(p50));
        expect([name, isPlausible, p99 >= p50]).toEqual([name, true, true]);
      }
      expect(result.episodesPerSecond).toBeGreaterThan(5);
      expect(result.live.episodes).toBe(40);
      expect(result.live.rssMb).toBeGreaterThan(30);
      expect(result.populationGrowth).toEqual(expect.any(Array));
    },
  );

  test("bench world --quick prints a table, and a note that its numbers are rough", async () => {
    const { code, stdout } = await runBowline(["bench", "world", "--world", "toy", "--quick"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/first open of a task +[\d.]+ +[\d.]+ +ms +draws the scenario/);
    expect(stdout).toMatch(/whole episodes per second on two worker threads/);
    expect(stdout).toContain("rough numbers");
  });

  test("bench world exits with 2 before any work when the world is unknown", async () => {
    const { code, stdout, stderr } = await runBowline([
      "bench",
      "world",
      "--world",
      "everyday/startre",
    ]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("did you mean everyday/starter?");
  });

  test("the help of bench world shows an example", async () => {
    const { stdout } = await runBowline(["bench", "world", "--help"]);
    expect(stdout).toContain("bowline bench world --world ./my-world.ts --quick --json");
  });
});

describe.concurrent("bench rollout and bench train", () => {
  const bench = async (...args: string[]) => {
    const { code, stdout, stderr } = await runBowline(["bench", ...args]);
    expect([code, stderr.match(/error.*/)?.[0]]).toEqual([0, undefined]);
    return stdout;
  };

  test("bench rollout prints JSON with rates of rollouts, decoding and prefill", async () => {
    const result = JSON.parse(await bench("rollout", "--world", "toy", "--quick", "--json"));
    expect(result).toMatchObject({ world: "toy", threads: 2, quick: true });
    expect(result.machine.cores).toBeGreaterThan(0);
    expect(result.peakGflops).toBeGreaterThan(1);
    expect(result.load).toMatchObject({ tasks: 4, groupSize: 6, episodes: 24 });
    expect(result.load.sampledTokens).toBeGreaterThan(result.load.turns);
    const [rollouts] = result.rollouts;
    expect(rollouts.rollouts).toBe(24);
    expect(rollouts.sampledTokensPerSecond).toBeGreaterThan(rollouts.rolloutsPerSecond);
    expect(rollouts.waitShare).toBeGreaterThanOrEqual(0);
    expect(rollouts.waitShare).toBeLessThan(1);
    expect(result.decode.map(({ batch }: { batch: number }) => batch)).toEqual([1, 16]);
    for (const { tokensPerSecond } of [...result.decode, ...result.prefill]) {
      expect(tokensPerSecond).toBeGreaterThan(10);
    }
  });

  test("bench train prints JSON with the times of all phases, which add up to most of an iteration", async () => {
    const result = JSON.parse(await bench("train", "--world", "toy", "--quick", "--json"));
    const [{ phasesMs, seconds, shareOfPeak, rollouts }] = result.iterations;
    expect(rollouts).toBe(18);
    const names = ["rollouts", "evaluate", "accumulate", "update", "publish", "checkpoint"];
    expect(Object.keys(phasesMs)).toEqual(names);
    const total = Object.values<number>(phasesMs).reduce((a, b) => a + b, 0);
    expect(total / 1000).toBeLessThanOrEqual(seconds + 0.001);
    expect(total / 1000).toBeGreaterThan(seconds / 2);
    expect(shareOfPeak).toBeGreaterThan(0);
  });

  test("bench rollout and bench train print tables without --json", async () => {
    const text = await bench("rollout", "--world", "toy", "--quick");
    expect(text).toMatch(
      /rollouts +width +layers +rollouts\/s +sampled tokens\/s +waiting +memory/,
    );
    expect(text).toContain("rough numbers");
    expect(await bench("train", "--world", "toy", "--quick")).toMatch(
      /iteration +rollouts +evaluate +accumulate +update +publish +checkpoint +seconds/,
    );
  });
});

describe("bench/peers", () => {
  test("the comparison with PyTorch prints an error that says what is missing when there is no Python", async () => {
    const script = join(ROOT, "bench", "peers", "compare.ts");
    const { code, stderr } = await runCommand(process.execPath, [
      "--import",
      "tsx",
      script,
      "--python",
      join(ROOT, "no-python-here"),
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /there is no Python at .*no-python-here.*--python.*torch and transformers/,
    );
  });
});
