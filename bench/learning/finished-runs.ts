/** Lists the finished runs in a folder of runs, which `bowline compare` or a script of `bench/learning` made. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "../../src/core/index.ts";

export interface FinishedRun {
  /** The path of the run directory. */
  readonly path: string;
  /** The name of the run directory, such as `ei-seed3`, or `warm-seed3` for a warm start. */
  readonly name: string;
  /** The method of the run, or `warm` for a warm start. */
  readonly method: string;
  readonly seed: number;
}

export function listFinishedRuns(folder: string): FinishedRun[] {
  return readdirSync(folder)
    .map((name) => ({ name, path: join(folder, name) }))
    .filter(({ path }) => existsSync(join(path, "summary.json")))
    .map(({ name, path }) => {
      const { config } = readJson(join(path, "run.json")) as {
        config: { method: string; run: { seed: number } };
      };
      const method = name.startsWith("warm-") ? "warm" : config.method;
      return { path, name, method, seed: config.run.seed };
    });
}
