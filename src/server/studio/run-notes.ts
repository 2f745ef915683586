/** Routes of notes and tags, which a person writes about a run. Each run has a file of its own beside it. */
import { isDeepStrictEqual } from "node:util";
import {
  type AllNotes,
  type EditNotesRequest,
  editNotesSchema,
  type RunNotes,
} from "../../spec/studio/index.ts";
import { readOwnFile, removeOwnFile, writeOwnFile } from "./own-files.ts";
import { parseBody } from "./request-parameters.ts";
import type { Route } from "./routes.ts";
import type { RunLocation, Runs } from "./runs/index.ts";
import { StudioError } from "./studio-error.ts";

const FILE = ["notes.json"];
const NO_NOTES: RunNotes = { tags: [], note: "" };

export function noteRoutes(runs: Runs): Route[] {
  const pattern = "runs/:run/notes";
  return [
    { method: "GET", pattern: "notes", answer: async () => ({ json: await readAllNotes(runs) }) },
    {
      method: "GET",
      pattern,
      answer: async (_, { run }) => ({ json: readNotes(await runs.locate(run!)) }),
    },
    {
      method: "POST",
      pattern,
      answer: async (call, { run }) => ({
        json: writeNotes(await runs.locate(run!), await parseBody(call, editNotesSchema)),
      }),
    },
  ];
}

async function readAllNotes(runs: Runs): Promise<AllNotes> {
  const notes = (await runs.locateAll()).map((location) => [location.id, readNotes(location)]);
  return { runs: Object.fromEntries(notes.filter(([, one]) => !isDeepStrictEqual(one, NO_NOTES))) };
}

function readNotes({ directory, problem }: RunLocation): RunNotes {
  // A run behind a link that leads out of the studio's folder has no notes here.
  if (problem !== undefined) return NO_NOTES;
  const read = readOwnFile(directory, FILE, editNotesSchema);
  return "problem" in read ? { ...NO_NOTES, problem: read.problem } : (read.value ?? NO_NOTES);
}

function writeNotes(location: RunLocation, notes: EditNotesRequest): RunNotes {
  const { problem } = location.problem === undefined ? readNotes(location) : location;
  if (problem !== undefined) throw new StudioError(409, `${problem}: nothing was written`);
  const written = { tags: [...new Set(notes.tags)].sort(), note: notes.note.trim() };
  if (isDeepStrictEqual(written, NO_NOTES)) removeOwnFile(location.directory, FILE);
  else writeOwnFile(location.directory, FILE, written);
  return written;
}
