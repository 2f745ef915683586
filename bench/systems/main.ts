/**
 * Checks that the systems of `docs/algorithms/systems.md` earn their names: it trains by each of them for three
 * iterations on everyday/starter, from warm starts that are made once and shared, and compares each mechanism with the
 * same mechanism off, and on but dead (a zero head, shuffled marks, random forks, a constant judge).
 *
 *   npx tsx bench/systems/main.ts                              all 62 systems, in about half an hour on one thread
 *   npx tsx bench/systems/main.ts LINVIT "Sub-goal Distillation"
 *   npx tsx bench/systems/main.ts --results bench/learning/results/systems.json
 *
 * The last command writes the results to this file, and as text beside it.
 *
 * A mechanism is alive when on and dead differ by at least 1%, and by ten times what a repeated run differs. A system
 * works when all of its mechanisms are alive. The exit code is 1 when a system that the page lists as working does not
 * work.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requireParentFolder, writeJson } from "../../src/core/index.ts";
import { checkSystems, type SystemsEvent } from "./check.ts";
import { describeVerdict, formatVerdicts } from "./results-text.ts";
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
  if (event.type === "verdict") {
    console.log(describeVerdict(event.verdict));
    if (values.results !== undefined) storeResults(values.results, event.verdict);
  }
}

/** Writes a result into the files, in the place of an earlier result of the same system. */
function storeResults(file: string, verdict: Verdict): void {
  const earlier = existsSync(file)
    ? verdictsSchema.parse(JSON.parse(readFileSync(file, "utf8")))
    : [];
  const all = new Map([...earlier, verdict].map((one) => [one.system, one]));
  const ordered = SYSTEMS.flatMap(({ system }) => all.get(system) ?? []);
  writeJson(file, ordered);
  writeFileSync(file.replace(/\.json$/, ".txt"), formatVerdicts(ordered));
}

const isListedAsFailing = (name: string) =>
  SYSTEMS.find(({ system }) => system === name)?.cannot !== undefined;

if (values.results !== undefined) requireParentFolder(values.results);
const verdicts = await checkSystems({ names: positionals, out: values.out, onEvent: printEvent });
console.log(`${verdicts.filter(({ works }) => works).length} of ${verdicts.length} work`);
if (!verdicts.every(({ works, system }) => works || isListedAsFailing(system)))
  process.exitCode = 1;
