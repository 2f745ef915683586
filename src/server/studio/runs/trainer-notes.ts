/**
 * Reads what the trainer noted about a sample of the rollouts that it learned from. `rollouts/notes-<iteration>.jsonl`
 * has one line per rollout: its advantage, the positions of the agent's tokens (counted over all rows), and values for
 * each.
 */
import { join } from "node:path";
import { type RolloutNotes, rolloutNotesSchema } from "../../../spec/index.ts";
import type { RunLocation } from "./find-runs.ts";
import { forEachLine } from "./json-lines.ts";
import type { RunFile } from "./run-files.ts";
import { type ScannedNotes, scanNotes } from "./scan-rollout.ts";
import { computeFingerprint, type StudioFolder, withFile } from "./studio-folder.ts";

interface NoteLine extends Omit<ScannedNotes, "id"> {
  readonly offset: number;
  readonly length: number;
}

export interface NoteReader {
  /** Returns a text that changes when the notes about a file change. */
  fingerprint(location: RunLocation, file: RunFile): string;
  /** Returns the advantages and returns of the noted rollouts of a file, by rollout id. */
  readAdvantages(location: RunLocation, file: RunFile): Promise<ReadonlyMap<string, NoteLine>>;
  /** Returns the notes about a rollout, or undefined if there are none. */
  readNotes(location: RunLocation, file: RunFile, id: string): Promise<RolloutNotes | undefined>;
}

const MAX_CACHED_FILES = 200;

export function createNoteReader(folder: StudioFolder): NoteReader {
  const cache = new Map<string, { fingerprint: string; lines: Promise<Map<string, NoteLine>> }>();

  const indexLines = (location: RunLocation, file: RunFile): Promise<Map<string, NoteLine>> => {
    const path = notesPath(location, file);
    const fingerprint = computeFingerprint(folder.inspect(path));
    const known = cache.get(path);
    if (known?.fingerprint === fingerprint) return known.lines;
    const lines = scanNoteLines(folder, path);
    cache.delete(path);
    cache.set(path, { fingerprint, lines });
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED_FILES && oldest !== undefined) cache.delete(oldest);
    return lines;
  };

  return {
    fingerprint: (location, file) => computeFingerprint(folder.inspect(notesPath(location, file))),
    readAdvantages: indexLines,
    async readNotes(location, file, id) {
      const line = (await indexLines(location, file)).get(id);
      if (line === undefined) return undefined;
      const text = await withFile(folder, notesPath(location, file), async (opened) => {
        const bytes = Buffer.allocUnsafe(line.length);
        await opened.read(bytes, 0, line.length, line.offset);
        return bytes.toString("utf8");
      });
      return parseNotes(text ?? "");
    },
  };
}

const notesPath = ({ directory }: RunLocation, { name }: RunFile) =>
  join(directory, "rollouts", `${name.replace(/^train-/, "notes-")}.jsonl`);

async function scanNoteLines(folder: StudioFolder, path: string): Promise<Map<string, NoteLine>> {
  const found = new Map<string, NoteLine>();
  if (!/notes-\d+\.jsonl$/.test(path)) return found;
  await withFile(folder, path, (file) =>
    forEachLine(file, 0, (bytes, start, end, offset) => {
      const line = scanNotesOrUndefined(bytes, start, end);
      if (line === undefined) return;
      const { id, ...noted } = line;
      found.set(id, { ...noted, offset, length: end - start });
    }),
  );
  return found;
}

function scanNotesOrUndefined(
  ...line: Parameters<typeof scanNotes>
): ReturnType<typeof scanNotes> | undefined {
  try {
    return scanNotes(...line);
  } catch {
    return undefined;
  }
}

function parseNotes(text: string): RolloutNotes | undefined {
  try {
    const note = rolloutNotesSchema.safeParse(JSON.parse(text));
    return note.success ? note.data : undefined;
  } catch {
    return undefined;
  }
}
