/**
 * The tasks that a run learned from, as a grid: a row an iteration, a cell a group. Small counts of each file are kept apart
 * from its index, so a long run's grid is made again from them alone when one file has grown.
 */
import { join } from "node:path";
import type { Grid } from "../../../spec/studio/index.ts";
import { createEventLoopYielder } from "./event-loop-yielder.ts";
import type { RunLocation } from "./find-runs.ts";
import type { RolloutIndex } from "./rollout-index.ts";
import type { RunFile } from "./run-files.ts";
import type { Runs } from "./runs.ts";
import { computeFingerprint } from "./studio-folder.ts";

type GroupCells = Grid["iterations"][number]["groups"];

interface CachedCells {
  /** Of the folder of whole files, and of the file, when it was last looked at. */
  readonly folderMark: string;
  readonly fingerprint: string;
  readonly cells: GroupCells;
}

export interface GridReader {
  readGrid(location: RunLocation): Promise<Grid>;
}

/** A run of a hundred thousand rollouts has twelve thousand groups, a million bytes. */
const MAX_CACHED_RUNS = 6;

export function createGridReader(runs: Runs): GridReader {
  const cache = new Map<string, Map<string, CachedCells>>();

  const cachedFilesOf = (location: RunLocation) => {
    const files = cache.get(location.id) ?? new Map<string, CachedCells>();
    cache.delete(location.id);
    cache.set(location.id, files);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED_RUNS && oldest !== undefined) cache.delete(oldest);
    return files;
  };

  /** Whole files appear by rename: as long as their folder is as it was, they are, and none is looked at. */
  const readCells = async (
    location: RunLocation,
    file: RunFile,
    folderMark: string,
  ): Promise<GroupCells> => {
    const files = cachedFilesOf(location);
    const known = files.get(file.path);
    if (known && file.whole && known.folderMark === folderMark) return known.cells;
    const fingerprint = computeFingerprint(runs.folder.inspect(file.path));
    const isSame = known?.fingerprint === fingerprint;
    const cells = isSame ? known.cells : countCells(await runs.indexes.load(file));
    files.set(file.path, { folderMark, fingerprint, cells });
    return cells;
  };

  return {
    async readGrid(location) {
      const yieldIfDue = createEventLoopYielder();
      const iterations: Grid["iterations"] = [];
      const folderMark = computeFingerprint(
        runs.folder.inspect(join(location.directory, "rollouts")),
      );
      for (const file of await runs.listFiles(location)) {
        if (file.kind !== "train" || file.iteration === undefined) continue;
        await yieldIfDue();
        const { name, iteration, whole } = file;
        iterations.push({
          file: name,
          iteration,
          whole,
          groups: await readCells(location, file, folderMark),
        });
      }
      return { iterations };
    },
  };
}

/** Only rollouts with an outcome count; a group of none has a size of 0. */
function countCells(index: RolloutIndex): GroupCells {
  const cells = index.tasks.map(({ id }) => ({ task: id, size: 0, passed: 0 }));
  for (let position = 0; position < index.size; position++) {
    if (Number.isNaN(index.getNumber(position, "reward"))) continue;
    const cell = cells[index.getNumber(position, "task")]!;
    cell.size += 1;
    cell.passed += index.getNumber(position, "passed");
  }
  return cells;
}
