/**
 * Checks the paired t test on runs away from the ceiling: how often it finds a difference where there is none, and how
 * often it finds a planted one.
 *
 * npx tsx bench/learning/paired-test-check.ts
 *
 * The runs are LOOP's and another method's on `starter`, which share the warm start of their seed. Their mean
 * difference is taken away, so that the pairs differ by chance alone. Eight of these differences are drawn with
 * replacement and with random signs, as often as `DRAWS` says, and widened by the square root of 8/7, because a mean was
 * taken away. This assumes that chance favours both sides equally.
 */
import { join } from "node:path";
import { Rng } from "../../src/core/index.ts";
import { pairedTest, readResults, sharesBySeed } from "../../src/train/index.ts";
import { formatTable } from "./markdown-table.ts";

const DRAWS = 10_000;
/** The planted difference in TGC. */
const PLANTED = 0.05;
const LEVEL = 0.05;

/** Returns the share of draws in which the test finds a difference, when `planted` is added to every pair. */
export function shareFound(differences: readonly number[], planted: number, draws = DRAWS): number {
  const n = differences.length;
  const mean = differences.reduce((sum, value) => sum + value, 0) / n;
  const chance = differences.map((value) => (value - mean) * Math.sqrt(n / (n - 1)));
  const rng = new Rng(1);
  let found = 0;
  for (let draw = 0; draw < draws; draw++) {
    const drawn = chance.map(() => planted + rng.pick(chance) * (rng.chance(0.5) ? 1 : -1));
    found += Number((pairedTest(drawn).p ?? 1) < LEVEL);
  }
  return found / draws;
}

if (process.argv[1] === import.meta.filename) {
  const { comparisons } = readResults(join(import.meta.dirname, "results/starter.json"));
  const comparison = comparisons[0]!;
  const [loop] = comparison.arms.filter(({ name }) => name === "starter");
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const rows = ["ei", "rloo", "grpo"].flatMap((name) =>
    ["test-normal", "test-normal@T1"].map((on) => {
      const arm = comparison.arms.find((one) => one.name === name)!;
      const own = sharesBySeed(comparison, loop!, on);
      const others = [...sharesBySeed(comparison, arm, on)].filter(([seed]) => own.has(seed));
      const differences = others.map(([seed, share]) => own.get(seed)! - share);
      const [size, power] = [0, PLANTED].map((planted) => shareFound(differences, planted));
      return [`starter, ${name}`, on, String(differences.length), percent(size!), percent(power!)];
    }),
  );
  const heads = ["runs of", "score", "pairs", "found without a difference", "5 points found"];
  console.log(formatTable(heads, rows));
}
