/** Finds the fields of the configuration in which runs differ. */
import { join } from "node:path";
import { giveWay } from "../../../core/index.ts";
import type { ConfigFields } from "../../../spec/studio/index.ts";
import { listConfigLeaves } from "./config-leaves.ts";
import type { RunLocation } from "./find-runs.ts";
import { objectOrEmpty } from "./run-row.ts";
import type { Runs } from "./runs.ts";
import { readSmallJson, type StudioFolder } from "./studio-folder.ts";

/** The id of a run, and the values of its configuration as JSON, by dotted path. */
export type ConfigOfRun = readonly [id: string, leaves: ReadonlyMap<string, string>];

/** Reads the configuration of `run.json`. It is empty for a run that cannot be read. */
export function readConfigLeaves(
  folder: StudioFolder,
  { directory, problem }: RunLocation,
): ReadonlyMap<string, string> {
  if (problem !== undefined) return new Map();
  const path = join(directory, "run.json");
  const record = objectOrEmpty(readSmallJson(path, folder.inspect(path)));
  return new Map(listConfigLeaves(record["config"]));
}

/** Returns each field in which the runs differ, with the value of each run, or null if a run lacks the field. */
export function findConfigDifferences(runs: readonly ConfigOfRun[]): ConfigFields["fields"] {
  const paths = [...new Set(runs.flatMap(([, leaves]) => [...leaves.keys()]))];
  return paths.flatMap((path) => {
    const values = runs.map(([, leaves]) => leaves.get(path) ?? null);
    return new Set(values).size === 1 ? [] : [{ path, values }];
  });
}

/** Reads the fields in which all readable runs of the studio differ. */
export async function readConfigFields(runs: Runs): Promise<ConfigFields> {
  const known = new Map<string, string>();
  // Most runs have most values in common, so equal texts are one text in memory.
  const share = (text: string) => {
    if (!known.has(text)) known.set(text, text);
    return known.get(text)!;
  };
  const configs: ConfigOfRun[] = [];
  for (const location of await runs.locateAll()) {
    await giveWay();
    const leaves = readConfigLeaves(runs.folder, location);
    const shared = [...leaves].map(([path, value]) => [share(path), share(value)] as const);
    if (leaves.size > 0) configs.push([location.id, new Map(shared)]);
  }
  return { runs: configs.map(([id]) => id), fields: findConfigDifferences(configs) };
}
