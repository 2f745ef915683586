/**
 * The runs of a studio: it finds them below its folder, lists them as rows and looks them up by id.
 *
 * Only ids of the latest listing are looked up, so no text of a request ever becomes a path. A row is rebuilt only
 * after one of its files has changed; whether a process trains in the run is checked every time.
 */
import { open } from "node:fs/promises";
import type { RewardOptions } from "../../../algo/index.ts";
import { giveWay } from "../../../core/index.ts";
import type { Rollout } from "../../../spec/index.ts";
import type { RolloutRow, RunRow } from "../../../spec/studio/index.ts";
import { StudioError } from "../studio-error.ts";
import { findRuns, type RunLocation, type Unsearched } from "./find-runs.ts";
import { type ParseRollout, parseWholeRollout, parseWithoutTokens } from "./parse-rollout.ts";
import type { RolloutIndex } from "./rollout-index.ts";
import { createRolloutIndexStore, type RolloutIndexStore } from "./rollout-index-store.ts";
import { listRolloutFiles, type RunFile } from "./run-files.ts";
import { createRewardReader } from "./run-reward.ts";
import {
  addCurrentStatus,
  computeRowFingerprint,
  inspectRowFiles,
  type RowWithoutStatus,
  readRowWithoutStatus,
} from "./run-row.ts";
import { openStudioFolder, type StudioFolder } from "./studio-folder.ts";
import { createNoteReader, type NoteReader } from "./trainer-notes.ts";

export interface Runs {
  readonly folder: StudioFolder;
  readonly indexes: RolloutIndexStore;
  readonly notes: NoteReader;
  /** Returns the rows of all runs, newest first. */
  listRows(): Promise<RunRow[]>;
  /** Returns what the latest search for runs left out; undefined if it left nothing out. */
  describeUnsearched(): Unsearched | undefined;
  /** Finds all runs without reading their files. */
  locateAll(): Promise<readonly RunLocation[]>;
  /** Throws 404 for an unknown run. */
  locate(id: string): Promise<RunLocation>;
  readRow(location: RunLocation): Promise<RunRow>;
  /** Returns what the run's rollouts earn, as it is configured. */
  readReward(location: RunLocation): RewardOptions;
  listFiles(location: RunLocation): Promise<RunFile[]>;
  /** Throws 404 if the run has no such rollout file. */
  findFile(location: RunLocation, name: string): Promise<RunFile>;
  /** Reads a rollout; `tokens` includes its token rows. Throws 404, and 409 if it is of another version. */
  readRollout(
    file: RunFile,
    id: string,
    include: { readonly tokens: boolean },
  ): Promise<{ readonly rollout: Rollout; readonly row: RolloutRow }>;
}

/** Throws a `config` error if the folder does not exist. */
export function openRuns(root: string): Runs {
  const inside = openStudioFolder(root);
  const indexes = createRolloutIndexStore(inside);
  let knownRuns = new Map<string, RunLocation>();
  let unsearched: Unsearched | undefined;
  const cachedRows = new Map<string, { fingerprint: string; row: RowWithoutStatus }>();

  const locateAll = async () => {
    const found = await findRuns(inside);
    knownRuns = new Map(found.runs.map((location) => [location.id, location]));
    unsearched = found.unsearched;
    return found.runs;
  };
  const readRow = async (location: RunLocation): Promise<RunRow> => {
    const files = inspectRowFiles(inside, location);
    const fingerprint = computeRowFingerprint(files);
    const kept = cachedRows.get(location.id);
    const rowWithoutStatus =
      kept?.fingerprint === fingerprint ? kept.row : readRowWithoutStatus(location, files);
    cachedRows.set(location.id, { fingerprint, row: rowWithoutStatus });
    return addCurrentStatus(location, files, rowWithoutStatus);
  };
  const readReward = createRewardReader(inside);
  const listFiles = async (location: RunLocation) =>
    listRolloutFiles(inside, location, readReward(location));

  return {
    folder: inside,
    indexes,
    notes: createNoteReader(inside),
    locateAll,
    readRow,
    readReward,
    listFiles,
    async listRows() {
      const found: RunRow[] = [];
      for (const location of await locateAll()) {
        await giveWay();
        found.push(await readRow(location));
      }
      return found.sort((a, b) => (b.startedMs ?? 0) - (a.startedMs ?? 0));
    },
    describeUnsearched() {
      const isAll =
        unsearched === undefined ||
        (unsearched.folders + unsearched.deepRunCount === 0 && !unsearched.stopped);
      return isAll ? undefined : unsearched;
    },
    async locate(id) {
      if (!knownRuns.has(id)) await locateAll();
      const location = knownRuns.get(id);
      if (location === undefined)
        throw new StudioError(404, `there is no run ${quoteShort(id)} in the studio's folder`);
      return location;
    },
    async findFile(location, name) {
      const file = (await listFiles(location)).find((one) => one.name === name);
      if (file) return file;
      throw new StudioError(404, `run ${location.id} has no rollout file ${quoteShort(name)}`);
    },
    async readRollout(file, id, { tokens }) {
      const index = await indexes.load(file);
      const position = findRolloutPosition(file, index, id);
      const parse = tokens ? parseWholeRollout : parseWithoutTokens;
      return {
        rollout: await readRolloutAt(file, index, position, parse),
        row: index.rowAt(position),
      };
    },
  };
}

const quoteShort = (text: string) => JSON.stringify(text.slice(0, 200));

/** Returns the position of a rollout in the index. Throws 404 if the file does not have it. */
export function findRolloutPosition(file: RunFile, index: RolloutIndex, id: string): number {
  const position = index.ids.indexOf(id);
  if (position < 0) throw new StudioError(404, `${file.name} has no rollout ${quoteShort(id)}`);
  return position;
}

/** Reads one rollout of a file. Throws 409 if its line has changed or is of another version. */
export async function readRolloutAt(
  { path, name }: RunFile,
  index: RolloutIndex,
  position: number,
  parse: ParseRollout,
): Promise<Rollout> {
  const length = index.getNumber(position, "length");
  const bytes = Buffer.allocUnsafe(length);
  const file = await open(path, "r");
  try {
    await file.read(bytes, 0, length, index.getNumber(position, "offset"));
  } finally {
    await file.close();
  }
  const rollout = parse(bytes, 0, length);
  if (rollout !== undefined && rollout.id === index.ids[position]) return rollout;
  throw new StudioError(
    409,
    `rollout ${index.ids[position]} of ${name} cannot be read: it is from another version of Bowline, or its file is being written`,
  );
}
