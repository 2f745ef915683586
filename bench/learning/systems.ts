/**
 * Writes the tables of `docs/algorithms/systems.md` from the rows in `src/bench/systems` and the results of
 * `bowline systems check --results bench/learning/results/systems.json`.
 *
 *   npx tsx bench/learning/systems.ts            writes the page
 *   npx tsx bench/learning/systems.ts --check    exit code 1 when the page is another one
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemsPage, verdictsSchema } from "../../src/bench/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const file = join(ROOT, "docs/algorithms/systems.md");
const results = join(ROOT, "bench/learning/results/systems.json");

const page = readFileSync(file, "utf8");
const now = systemsPage(page, verdictsSchema.parse(JSON.parse(readFileSync(results, "utf8"))));
if (now === page) console.log(`${file} is up to date`);
else if (process.argv.includes("--check")) {
  console.error(
    `${file} is not what its rows and results say; run npx tsx bench/learning/systems.ts`,
  );
  process.exitCode = 1;
} else writeFileSync(file, now);
