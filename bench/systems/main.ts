/**
 * Checks the systems of `docs/algorithms/systems.md`: it trains by each of them for three iterations on
 * everyday/starter, from warm starts that are made once and shared.
 *
 * npx tsx bench/systems/main.ts all 62 systems, in about two hours on two cores npx tsx bench/systems/main.ts LINVIT
 * "Sub-goal Distillation" npx tsx bench/systems/main.ts --results bench/learning/results/systems.json writes the
 * results to a file
 *
 * For each system it prints how many iterations updated the weights, what share of the rollouts ended at a limit, and
 * on what share of the occasions its mechanisms acted. A system works when every iteration updates, at most a fifth of
 * the rollouts end at a limit, and each mechanism acts on more than half of its occasions. The exit code is 1 when a
 * system that the page lists as working does not work. A system that was checked before is read from --out and not run
 * again.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requireParentFolder, writeJson } from "../../src/core/index.ts";
import { checkSystems, type SystemsEvent } from "./check.ts";
import { SYSTEMS } from "./rows/index.ts";
import { type Verdict, verdictsSchema } from "./verdict.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: join("runs", "systems") },
    results: { type: "string" },
  },
});

function printEvent(event: SystemsEvent): void {
  if (event.type === "run") console.log(`${event.number}/${event.of} ${event.name}`);
  if (event.type === "verdict") console.log(`  ${describeVerdict(event.verdict)}`);
}

function describeVerdict({ works, updates, atLimit, fires, mechanisms, problem }: Verdict): string {
  if (problem !== undefined) return `could not be run: ${problem}`;
  const percent = (share: number) => `${Math.round(100 * share)}%`;
  const silent = Object.entries(mechanisms)
    .filter(([, share]) => share === null || share <= 0.5)
    .map(([name, share]) =>
      share === null ? `${name} (no occasion)` : `${name} ${percent(share)}`,
    );
  const numbers = `updates ${updates} of 3, at a limit ${percent(atLimit)}, fires ${percent(fires)}`;
  const quiet = silent.length > 0 ? `; does not fire: ${silent.join(", ")}` : "";
  return `${works ? "works" : "does not work"}: ${numbers}${quiet}`;
}

/**
 * Returns the earlier results of a file together with new ones, which replace earlier results of the same system, in
 * the order of the page.
 */
function mergeResults(file: string, verdicts: readonly Verdict[]): Verdict[] {
  const earlier = existsSync(file)
    ? verdictsSchema.parse(JSON.parse(readFileSync(file, "utf8")))
    : [];
  const all = new Map([...earlier, ...verdicts].map((verdict) => [verdict.system, verdict]));
  return SYSTEMS.flatMap(({ system }) => all.get(system) ?? []);
}

const isListedAsFailing = (name: string) =>
  SYSTEMS.find(({ system }) => system === name)?.cannot !== undefined;

if (values.results !== undefined) requireParentFolder(values.results);
const verdicts = await checkSystems({ names: positionals, out: values.out, onEvent: printEvent });
if (values.results !== undefined) {
  writeJson(values.results, mergeResults(values.results, verdicts));
}
console.log(`${verdicts.filter(({ works }) => works).length} of ${verdicts.length} work`);
if (!verdicts.every(({ works, system }) => works || isListedAsFailing(system)))
  process.exitCode = 1;
