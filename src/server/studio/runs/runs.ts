/**
 * The runs of a studio: found below its folder, listed as rows, looked up by id.
 *
 * Only ids of the newest listing are looked up, so no text of a request ever becomes a path. A row is made again only when
 * one of its files has changed; whether somebody trains there is looked at every time.
 */
import { open } from "node:fs/promises";
import type { Rollout } from "../../../spec/index.ts";
import type { RolloutRow, RunRow } from "../../../spec/studio/index.ts";
import { StudioError } from "../studio-error.ts";
import { breather } from "./breather.ts";
import { findRuns, type RunPlace } from "./find-runs.ts";
import { type IndexStore, indexStore } from "./index-store.ts";
import { type Inside, insideOf } from "./inside.ts";
import { type NoteStore, noteStore } from "./notes.ts";
import { type ParseRollout, turnsOnly, wholeRollout } from "./parse-rollout.ts";
import type { RolloutIndex } from "./rollout-index.ts";
import { type RunFile, runFiles } from "./run-files.ts";
import { rowFiles, rowMark, rowNow, type StillRow, stillRow } from "./run-row.ts";

export interface Runs {
  readonly inside: Inside;
  readonly indexes: IndexStore;
  readonly notes: NoteStore;
  /** Newest first. */
  rows(): Promise<RunRow[]>;
  /** Every run that is there, without looking into it. */
  places(): Promise<readonly RunPlace[]>;
  /** Throws 404. */
  place(id: string): Promise<RunPlace>;
  row(place: RunPlace): Promise<RunRow>;
  files(place: RunPlace): Promise<RunFile[]>;
  /** Throws 404. */
  file(place: RunPlace, name: string): Promise<RunFile>;
  /** `tokens`: also its rows of them. Throws 404, and 409 for a line that is no rollout of this version. */
  rollout(
    file: RunFile,
    id: string,
    has: { readonly tokens: boolean },
  ): Promise<{ readonly rollout: Rollout; readonly row: RolloutRow }>;
}

/** Throws a `config` error where there is no such folder. */
export function openRuns(root: string): Runs {
  const inside = insideOf(root);
  const indexes = indexStore(inside);
  let known = new Map<string, RunPlace>();
  const rows = new Map<string, { mark: string; row: StillRow }>();

  const places = async () => {
    const found = await findRuns(inside);
    known = new Map(found.map((place) => [place.id, place]));
    return found;
  };
  const row = async (place: RunPlace): Promise<RunRow> => {
    const files = rowFiles(inside, place);
    const mark = rowMark(files);
    const kept = rows.get(place.id);
    const still = kept?.mark === mark ? kept.row : stillRow(place, files);
    rows.set(place.id, { mark, row: still });
    return rowNow(place, files, still);
  };
  const files = (place: RunPlace) => runFiles(inside, place);

  return {
    inside,
    indexes,
    notes: noteStore(inside),
    places,
    row,
    files,
    async rows() {
      const breathe = breather();
      const found: RunRow[] = [];
      for (const place of await places()) {
        await breathe();
        found.push(await row(place));
      }
      return found.sort((a, b) => (b.startedMs ?? 0) - (a.startedMs ?? 0));
    },
    async place(id) {
      if (!known.has(id)) await places();
      const place = known.get(id);
      if (place === undefined) throw new StudioError(404, `there is no run ${shown(id)} here`);
      return place;
    },
    async file(place, name) {
      const file = (await files(place)).find((one) => one.name === name);
      if (file) return file;
      throw new StudioError(404, `run ${place.id} has no file of rollouts ${shown(name)}`);
    },
    async rollout(file, id, { tokens }) {
      const index = await indexes.of(file);
      const at = positionOf(file, index, id);
      const parse = tokens ? wholeRollout : turnsOnly;
      return { rollout: await rolloutAt(file, index, at, parse), row: index.row(at) };
    },
  };
}

const shown = (text: string) => JSON.stringify(text.slice(0, 200));

/** Throws 404. */
export function positionOf(file: RunFile, index: RolloutIndex, id: string): number {
  const at = index.ids.indexOf(id);
  if (at < 0) throw new StudioError(404, `${file.name} has no rollout ${shown(id)}`);
  return at;
}

/** Reads one line. Throws 409 where it is not what it was, or of another version. */
export async function rolloutAt(
  { path, name }: RunFile,
  index: RolloutIndex,
  at: number,
  parse: ParseRollout,
): Promise<Rollout> {
  const length = index.number(at, "length");
  const bytes = Buffer.allocUnsafe(length);
  const file = await open(path, "r");
  try {
    await file.read(bytes, 0, length, index.number(at, "offset"));
  } finally {
    await file.close();
  }
  const rollout = parse(bytes, 0, length);
  if (rollout !== undefined && rollout.id === index.ids[at]) return rollout;
  throw new StudioError(
    409,
    `rollout ${index.ids[at]} of ${name} cannot be read: it is of another version of bowline, or its file is being changed`,
  );
}
