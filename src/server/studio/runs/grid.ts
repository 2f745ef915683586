/**
 * The tasks that a run learned from, as a grid: a row an iteration, a cell a group. Small counts of each file are kept apart
 * from its index, so a long run's grid is made again from them alone when one file has grown.
 */
import { join } from "node:path";
import type { Grid } from "../../../spec/studio/index.ts";
import { breather } from "./breather.ts";
import type { RunPlace } from "./find-runs.ts";
import { markOf } from "./inside.ts";
import type { RolloutIndex } from "./rollout-index.ts";
import type { RunFile } from "./run-files.ts";
import type { Runs } from "./runs.ts";

type Cells = Grid["iterations"][number]["groups"];

interface KeptCells {
  /** Of the folder of whole files, and of the file, when it was last looked at. */
  readonly folder: string;
  readonly mark: string;
  readonly cells: Cells;
}

export interface GridStore {
  of(place: RunPlace): Promise<Grid>;
}

/** A run of a hundred thousand rollouts has twelve thousand groups, a million bytes. */
const KEPT_RUNS = 6;

export function gridStore(runs: Runs): GridStore {
  const kept = new Map<string, Map<string, KeptCells>>();

  const keptOf = (place: RunPlace) => {
    const files = kept.get(place.id) ?? new Map<string, KeptCells>();
    kept.delete(place.id);
    kept.set(place.id, files);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_RUNS && oldest !== undefined) kept.delete(oldest);
    return files;
  };

  /** Whole files appear by rename: as long as their folder is as it was, they are, and none is looked at. */
  const cellsOf = async (place: RunPlace, file: RunFile, folder: string): Promise<Cells> => {
    const files = keptOf(place);
    const known = files.get(file.path);
    if (known && file.whole && known.folder === folder) return known.cells;
    const mark = markOf(runs.inside.at(file.path));
    const isSame = known?.mark === mark;
    const cells = isSame ? known.cells : cellsIn(await runs.indexes.of(file));
    files.set(file.path, { folder, mark, cells });
    return cells;
  };

  return {
    async of(place) {
      const breathe = breather();
      const iterations: Grid["iterations"] = [];
      const folder = markOf(runs.inside.at(join(place.directory, "rollouts")));
      for (const file of await runs.files(place)) {
        if (file.kind !== "train" || file.iteration === undefined) continue;
        await breathe();
        const { name, iteration, whole } = file;
        iterations.push({
          file: name,
          iteration,
          whole,
          groups: await cellsOf(place, file, folder),
        });
      }
      return { iterations };
    },
  };
}

/** Only rollouts with an outcome count; a group of none has a size of 0. */
function cellsIn(index: RolloutIndex): Cells {
  const cells = index.tasks.map(({ id }) => ({ task: id, size: 0, passed: 0 }));
  for (let at = 0; at < index.size; at++) {
    if (Number.isNaN(index.number(at, "reward"))) continue;
    const cell = cells[index.number(at, "task")]!;
    cell.size += 1;
    cell.passed += index.number(at, "passed");
  }
  return cells;
}
