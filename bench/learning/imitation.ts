/**
 * Collects runs that imitate demonstrations and learn nothing else, as a control for `laptop`.
 *
 * npx bowline train laptop --seed 1 --engine.model MODEL --warm.demonstrations 800 --warm.hasty-share 0 \
 *   --algo.iterations 0 --evaluation.scenarios 30 --evaluation.scores test-normal,test-normal@T1 --out runs/careful-1
 * npx tsx bench/learning/imitation.ts runs/careful-1 ...
 *
 * Adds the runs to results/laptop-imitation.json. A run replaces the line with the same seed and demonstrations. Then the
 * script prints how many points LOOP's runs of results/laptop.json are ahead of the runs with equal seeds.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeMachine, readJson, writeJson } from "../../src/core/index.ts";
import { readResults, sharesBySeed } from "../../src/train/index.ts";
import { groupByDemonstrations, type Imitation, type ImitationLine } from "./imitation-table.ts";
import { formatMeanDifference, pairedDifferences } from "./table-cells.ts";

const FOLDER = join(import.meta.dirname, "results");
const RESULTS = join(FOLDER, "laptop-imitation.json");

interface RunFile {
  readonly config: {
    readonly algo: { readonly iterations: number };
    readonly warm: { readonly demonstrations: number; readonly hastyShare: number };
  };
}

interface SummaryFile {
  readonly seed: number;
  readonly seconds: number;
  readonly after: ImitationLine["scores"];
}

function readLine(run: string): ImitationLine {
  const { algo, warm } = (readJson(join(run, "run.json")) as RunFile).config;
  if (algo.iterations !== 0) throw new Error(`${run} learned after its warm start`);
  const { seed, seconds, after } = readJson(join(run, "summary.json")) as SummaryFile;
  const scores = Object.fromEntries(
    Object.entries(after).map(([on, { tgc, sgc }]) => [on, { tgc, sgc }]),
  );
  const { demonstrations, hastyShare } = warm;
  const { cpu, cores } = describeMachine();
  const machine = `${cores} cores of ${cpu}`;
  return { seed, demonstrations, hastyShare, machine, seconds: Math.round(seconds), scores };
}

const known = existsSync(RESULTS) ? (readJson(RESULTS) as Imitation).lines : [];
const keyOf = ({ demonstrations, hastyShare, seed }: ImitationLine) =>
  [demonstrations, hastyShare, seed].join();
const lines = new Map(
  [...known, ...process.argv.slice(2).map(readLine)].map((line) => [keyOf(line), line]),
);
const results: Imitation = {
  version: 1,
  lines: [...lines.values()].sort(
    (a, b) => a.demonstrations - b.demonstrations || a.hastyShare - b.hastyShare || a.seed - b.seed,
  ),
};
writeJson(RESULTS, results);
console.log(`${results.lines.length} runs in ${RESULTS}`);

const [comparison] = readResults(join(FOLDER, "laptop.json")).comparisons;
const loop = comparison!.arms[0]!;
for (const runs of groupByDemonstrations(results.lines)) {
  for (const on of ["test-normal", "test-normal@T1"]) {
    const own = runs.map(({ seed, scores }) => ({ seed, tgc: scores[on]?.tgc }));
    const theirs = [...sharesBySeed(comparison!, loop, on)].map(([seed, tgc]) => ({ seed, tgc }));
    const differences = pairedDifferences(theirs, own, ({ tgc }) => tgc);
    const points = formatMeanDifference(differences);
    console.log(`LOOP minus ${runs[0]!.demonstrations} demonstrations, ${on}: ${points}`);
  }
}
