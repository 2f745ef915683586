/**
 * Compares the speed of two builds of Bowline in one run, in turns, so that other work on the machine affects both.
 *
 * npx tsx bench/world/compare-builds.ts ../before . --rounds 5 --world everyday/starter
 *
 * Both arguments are checkouts with a built `dist/`. The path of a world is relative to each checkout. The script
 * prints the medians of each number for both builds, and the median of the second build divided by that of the first.
 */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    world: { type: "string", default: "everyday/starter" },
    quick: { type: "boolean", default: false },
  },
});
const [first, second] = positionals;
if (!first || !second) {
  console.error("error: expected two checkouts: npx tsx bench/world/compare-builds.ts ../before .");
  process.exit(2);
}

/** Lists every number of a benchmark's JSON result with its path, such as `openMs.p50`. */
function listNumbers(value: unknown, path = ""): [string, number][] {
  if (typeof value === "number") return [[path.slice(1), value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => listNumbers(part, `${path}.${key}`));
}

function runBenchmark(root: string): Map<string, number> {
  const args = [
    join("dist", "cli", "main.js"),
    "bench",
    "world",
    "--world",
    values.world,
    "--json",
  ];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    values.quick ? [...args, "--quick"] : args,
    { cwd: resolve(root), encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`the benchmark of ${root} failed: ${stderr}`);
  return new Map(listNumbers(JSON.parse(stdout)));
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

const results: [Map<string, number>[], Map<string, number>[]] = [[], []];
for (let round = 0; round < Number(values.rounds); round++) {
  results[0].push(runBenchmark(first));
  results[1].push(runBenchmark(second));
}
const isMeasure = /(Ms|Us)\.|PerSecond|rssMb|RssMb/;
for (const name of results[0][0]?.keys() ?? []) {
  if (!isMeasure.test(name)) continue;
  const [a, b] = results.map((all) => median(all.map((one) => one.get(name) ?? Number.NaN)));
  const ratio = b! / a!;
  console.log(
    `${name.padEnd(24)} ${a!.toFixed(3).padStart(10)} ${b!.toFixed(3).padStart(10)}  x${ratio.toFixed(2)}`,
  );
}
