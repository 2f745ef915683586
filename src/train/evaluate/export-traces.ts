/** Exports the rollouts of a run as training traces of OpenEnv: a file with one trace on each line. */
import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, listNames, nearestWord, requireParentFolder } from "../../core/index.ts";
import { rewardOfConfig } from "../config/stored-reward.ts";
import { readRunRecord } from "../run/run-record.ts";
import { readRollouts } from "../run/run-store.ts";
import { createTrainingTraces } from "./training-trace.ts";

/** The options of `exportTraces()`. */
export interface ExportTracesOptions {
  /** The path of a run directory. */
  readonly run: string;
  /** The path of the file to write, which must not exist. */
  readonly out: string;
  /** `train`, the default, for the rollouts of all iterations; or the name of one file, such as `train-0003`. */
  readonly rollouts?: string | undefined;
}

/** The result of `exportTraces()`. */
export interface ExportTracesResult {
  readonly out: string;
  readonly traces: number;
  readonly turns: number;
  /** Rollouts without tokens or without a reward, such as failed ones. They are not in the file. */
  readonly leftOut: number;
}

/**
 * Writes the traces of a run's rollouts. Throws a `config` error when there is no run, no such rollouts, or when `out`
 * exists, and a `store` error for a damaged file of rollouts.
 */
export function exportTraces(options: ExportTracesOptions): ExportTracesResult {
  const { run, out, rollouts = "train" } = options;
  const names = selectFiles(run, rollouts);
  requireParentFolder(out);
  if (existsSync(out)) throw new BowlineError("config", `${out} exists already: name a new file`);
  const reward = rewardOfConfig(readRunRecord(run).config);
  const partial = `${out}.writing`;
  writeFileSync(partial, "");
  const counts = { traces: 0, turns: 0, leftOut: 0 };
  try {
    for (const name of names) {
      for (const rollout of readRollouts(run, name)) {
        const traces = createTrainingTraces(rollout, reward);
        if (traces.length === 0) counts.leftOut++;
        counts.traces += traces.length;
        counts.turns += traces.reduce((sum, { turns }) => sum + turns.length, 0);
        for (const trace of traces) appendFileSync(partial, `${JSON.stringify(trace)}\n`);
      }
    }
    renameSync(partial, out);
  } finally {
    rmSync(partial, { force: true });
  }
  return { out, ...counts };
}

function selectFiles(run: string, rollouts: string): string[] {
  const folder = join(run, "rollouts");
  if (!existsSync(join(run, "run.json")) || !existsSync(folder)) {
    throw new BowlineError("config", `${run}: expected a run directory with rollouts/`);
  }
  const names = listNames(folder)
    .filter((name) => name.endsWith(".jsonl") && !/^(notes|facts)-/.test(name))
    .map((name) => name.slice(0, -".jsonl".length))
    .sort();
  const selected = names.filter((name) =>
    rollouts === "train" ? name.startsWith("train-") : name === rollouts,
  );
  if (selected.length > 0) return selected;
  const nearest = nearestWord(rollouts, names);
  throw new BowlineError(
    "config",
    `--rollouts ${rollouts}: expected one of ${names.join(", ") || "no files, because the run has none yet"}${nearest ? `; did you mean ${nearest}?` : ""}`,
  );
}
