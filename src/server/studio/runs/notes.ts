/**
 * What the trainer noted of a sample of the rollouts that it learned from: `rollouts/notes-<iteration>.jsonl`, a line each
 * with the advantage, the positions of the agent's tokens over all rows end to end, and a value for each of them.
 */
import { join } from "node:path";
import { type RolloutNotes, rolloutNotesSchema } from "../../../spec/index.ts";
import type { RunPlace } from "./find-runs.ts";
import { type Inside, markOf, withFile } from "./inside.ts";
import { eachLine } from "./lines.ts";
import type { RunFile } from "./run-files.ts";
import { scanNotes } from "./scan-rollout.ts";

interface NoteLine {
  readonly advantage: number;
  readonly offset: number;
  readonly length: number;
}

export interface NoteStore {
  /** Advantages of the file's rollouts that were noted, by id. */
  advantages(place: RunPlace, file: RunFile): Promise<ReadonlyMap<string, NoteLine>>;
  /** Undefined: nothing was recorded of it. */
  of(place: RunPlace, file: RunFile, id: string): Promise<RolloutNotes | undefined>;
}

const KEPT_FILES = 200;

export function noteStore(inside: Inside): NoteStore {
  const kept = new Map<string, { mark: string; lines: Promise<Map<string, NoteLine>> }>();

  const linesOf = (place: RunPlace, file: RunFile): Promise<Map<string, NoteLine>> => {
    const path = pathOf(place, file);
    const mark = markOf(inside.at(path));
    const known = kept.get(path);
    if (known?.mark === mark) return known.lines;
    const lines = readLines(inside, path);
    kept.delete(path);
    kept.set(path, { mark, lines });
    const [oldest] = kept.keys();
    if (kept.size > KEPT_FILES && oldest !== undefined) kept.delete(oldest);
    return lines;
  };

  return {
    advantages: linesOf,
    async of(place, file, id) {
      const line = (await linesOf(place, file)).get(id);
      if (line === undefined) return undefined;
      const text = await withFile(inside, pathOf(place, file), async (opened) => {
        const bytes = Buffer.allocUnsafe(line.length);
        await opened.read(bytes, 0, line.length, line.offset);
        return bytes.toString("utf8");
      });
      return noteIn(text ?? "");
    },
  };
}

const pathOf = ({ directory }: RunPlace, { name }: RunFile) =>
  join(directory, "rollouts", `${name.replace(/^train-/, "notes-")}.jsonl`);

async function readLines(inside: Inside, path: string): Promise<Map<string, NoteLine>> {
  const found = new Map<string, NoteLine>();
  if (!/notes-\d+\.jsonl$/.test(path)) return found;
  await withFile(inside, path, (file) =>
    eachLine(file, 0, (bytes, start, end, offset) => {
      const line = noteAt(bytes, start, end);
      if (line) found.set(line.id, { advantage: line.advantage, offset, length: end - start });
    }),
  );
  return found;
}

function noteAt(...line: Parameters<typeof scanNotes>): ReturnType<typeof scanNotes> | undefined {
  try {
    return scanNotes(...line);
  } catch {
    return undefined;
  }
}

function noteIn(text: string): RolloutNotes | undefined {
  try {
    const note = rolloutNotesSchema.safeParse(JSON.parse(text));
    return note.success ? note.data : undefined;
  } catch {
    return undefined;
  }
}
