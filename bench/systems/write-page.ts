/**
 * Writes the tables of `docs/algorithms/systems.md` from the rows in `rows/` and the results that `npx tsx
 * bench/systems/main.ts --results bench/learning/results/systems.json` wrote.
 *
 *   npx tsx bench/systems/write-page.ts            writes the tables of the page
 *   npx tsx bench/systems/write-page.ts --check    exits with 1 when the page is not up to date
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeSystemsTables } from "./page.ts";
import { verdictsSchema } from "./verdict.ts";

const ROOT = join(import.meta.dirname, "../..");
const file = join(ROOT, "docs/algorithms/systems.md");
const results = join(ROOT, "bench/learning/results/systems.json");

const page = readFileSync(file, "utf8");
const now = writeSystemsTables(
  page,
  verdictsSchema.parse(JSON.parse(readFileSync(results, "utf8"))),
);
if (now === page) console.log(`${file} is up to date`);
else if (process.argv.includes("--check")) {
  console.error(
    `${file} differs from its rows and results: run npx tsx bench/systems/write-page.ts`,
  );
  process.exitCode = 1;
} else writeFileSync(file, now);
