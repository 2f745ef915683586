/** Runs below the studio's folder, as what looks into worlds needs them: where they are, and one rollout by its address. */
import { existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isRaw, readJson } from "../../core/index.ts";
import type { Dials, Rollout } from "../../spec/index.ts";
import { readRollouts } from "../../train/index.ts";
import { StudioError } from "./studio-error.ts";

/** A world as a run names it. */
export interface WorldOfRun {
  readonly name: string;
  readonly seed: number;
  readonly dials: Partial<Dials>;
}

export interface Records {
  /** Ids of runs. */
  runs(): readonly string[];
  /** Throws 404 for a run that was not listed. */
  directory(run: string): string;
  /** Throws 404 where there is none. */
  rollout(run: string, file: string, rollout: string): Promise<Rollout>;
}

const DEPTH = 3;

/** Only what is found here by walking is ever opened. */
export function recordsUnder(root: string): Records {
  const runs = () => found(root, root, DEPTH);
  const directory = (run: string) => {
    if (runs().includes(run)) return join(root, run);
    throw new StudioError(404, `there is no run ${JSON.stringify(run)}`);
  };
  return {
    runs,
    directory,
    async rollout(run, file, rollout) {
      const folder = directory(run);
      const names = readdirSync(join(folder, "rollouts"));
      if (!names.includes(`${file}.jsonl`)) {
        throw new StudioError(404, `run ${run} has no rollouts ${JSON.stringify(file)}`);
      }
      const record = readRollouts(folder, file).find(({ id }) => id === rollout);
      if (record) return record;
      throw new StudioError(404, `${file} has no rollout ${JSON.stringify(rollout)}`);
    },
  };
}

function found(root: string, folder: string, depth: number): string[] {
  if (existsSync(join(folder, "run.json"))) {
    return [relative(root, folder).split(sep).join("/") || "."];
  }
  if (depth === 0 || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => found(root, join(folder, name), depth - 1));
}

/** Throws 409 where its world is nowhere to be opened from. */
export function worldOfRun(records: Records, run: string): WorldOfRun {
  const record = readRun(records.directory(run), run);
  const given = Array.isArray(record["given"]) ? (record["given"] as unknown[]) : [];
  const part = ["world", "agent"].find((name) => given.includes(name));
  if (part !== undefined) {
    throw new StudioError(
      409,
      `the ${part} of run ${run} was handed to train() by a program, so its world cannot be opened from here`,
    );
  }
  const config = isRaw(record["config"]) ? record["config"] : {};
  const world = isRaw(config["world"]) ? config["world"] : {};
  const { name, seed, dials } = world;
  if (typeof name === "string" && Number.isInteger(seed)) {
    return { name, seed: seed as number, dials: isRaw(dials) ? dials : {} };
  }
  throw new StudioError(409, `the run.json of ${run} names no world`);
}

function readRun(directory: string, run: string): Record<string, unknown> {
  try {
    const record = readJson(join(directory, "run.json"));
    if (isRaw(record)) return record;
  } catch {}
  throw new StudioError(409, `the run.json of ${run} cannot be read`);
}
