/**
 * Runs the experiments of the papers' worlds and writes one file of results for each.
 *
 *     npx tsx bench/papers/run.ts lmrl-maze lmrl-wordle --seeds 1..3 --out runs/papers
 *
 * Runs that the file of results contains are skipped, and a run that was stopped continues. Then
 * `npx tsx bench/papers/tables.ts` writes the tables.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EXPERIMENTS, type Experiment, SHARED, WITHOUT_IMITATION } from "./experiments.ts";
import { type PaperRun, readPaperRuns, scoreRun, writePaperRun } from "./results.ts";
import { train } from "./train.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "1..3" },
    out: { type: "string", default: "runs/papers" },
    arms: { type: "string" },
  },
});
const [first = 1, last = first] = values.seeds.split("..").map(Number);

for (const name of positionals.length > 0 ? positionals : Object.keys(EXPERIMENTS)) {
  const experiment = EXPERIMENTS[name];
  if (experiment === undefined) throw new Error(`there is no experiment ${name}`);
  for (let seed = first; seed <= last; seed++) {
    for (const arm of values.arms?.split(",") ?? Object.keys(experiment.arms)) {
      const isThere = (run: PaperRun) => run.arm === arm && run.seed === seed;
      if (!readPaperRuns(name).some(isThere)) runArm(name, experiment, arm, seed);
    }
  }
}

/** Trains one arm with one seed in a process of its own, and adds its scores to the file of results. */
function runArm(name: string, experiment: Experiment, arm: string, seed: number): void {
  const { world, options, imitation } = experiment;
  const out = join(values.out, `${name}-${arm.replaceAll(" ", "-")}-${seed}`);
  const shared = { ...SHARED, world, ...options, seed };
  if (imitation === undefined) train({ ...shared, ...experiment.arms[arm], out });
  else {
    const start = join(values.out, `${name}-imitation-${seed}`);
    const scores = { "evaluation.scores": "[]", "algo.iterations": 0 };
    train({ ...shared, ...imitation, ...scores, out: start });
    train({ ...shared, ...WITHOUT_IMITATION, warm: start, ...experiment.arms[arm], out });
  }
  writePaperRun(name, scoreRun(out, { arm, seed }));
}
