/**
 * The grid of tasks that a run learned from: a row for each iteration, a cell for each group. The counts of each file
 * are cached apart from its index, so when one file has grown, the grid of a long run is rebuilt from the counts alone.
 */
import { join } from "node:path";
import { giveWay } from "../../../core/index.ts";
import type { Grid } from "../../../spec/studio/index.ts";
import type { RunLocation } from "./find-runs.ts";
import type { RolloutIndex } from "./rollout-index.ts";
import type { RunFile } from "./run-files.ts";
import type { Runs } from "./runs.ts";
import { computeFingerprint } from "./studio-folder.ts";

type GroupCells = Grid["iterations"][number]["groups"];

interface CachedCells {
  /**
   * The fingerprint of the folder of whole files when the cells were counted; `fingerprint` is that of the file itself.
   */
  readonly folderFingerprint: string;
  readonly fingerprint: string;
  readonly cells: GroupCells;
}

export interface GridReader {
  readGrid(location: RunLocation): Promise<Grid>;
}

/** A run of a hundred thousand rollouts has twelve thousand groups, which take a million bytes. */
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

  /** Whole files appear by rename, so as long as their folder is unchanged, their counts are taken from the cache. */
  const readCells = async (
    location: RunLocation,
    file: RunFile,
    folderMark: string,
  ): Promise<GroupCells> => {
    const files = cachedFilesOf(location);
    const known = files.get(file.path);
    if (known && file.whole && known.folderFingerprint === folderMark) return known.cells;
    const fingerprint = computeFingerprint(runs.folder.inspect(file.path));
    const isSame = known?.fingerprint === fingerprint;
    const cells = isSame ? known.cells : countCells(await runs.indexes.load(file));
    files.set(file.path, { folderFingerprint: folderMark, fingerprint, cells });
    return cells;
  };

  return {
    async readGrid(location) {
      const iterations: Grid["iterations"] = [];
      const folderFingerprint = computeFingerprint(
        runs.folder.inspect(join(location.directory, "rollouts")),
      );
      for (const file of await runs.listFiles(location)) {
        if (file.kind !== "train" || file.iteration === undefined) continue;
        await giveWay();
        const { name, iteration, whole } = file;
        iterations.push({
          file: name,
          iteration,
          whole,
          groups: await readCells(location, file, folderFingerprint),
        });
      }
      return { iterations };
    },
  };
}

/** Counts the rollouts with an evaluation in each group. A group without any has size 0. */
function countCells(index: RolloutIndex): GroupCells {
  const groups = index.groups();
  return index.tasks.map(({ id }, i) => ({ task: id, ...index.countOutcomes(groups[i]!) }));
}
