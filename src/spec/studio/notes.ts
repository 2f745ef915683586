/**
 * The studio's API for what a person writes about a run: a note and tags. They are files of the studio's own beside the
 * run, so nothing is written into a run.
 *
 *   GET  /api/notes                 allNotesSchema
 *   GET  /api/runs/{run}/notes      runNotesSchema
 *   POST /api/runs/{run}/notes      editNotesSchema -> runNotesSchema
 */
import { z } from "zod";

/** A tag: letters, digits, `.`, `_` and `-`, beginning with a letter or digit. */
export const TAG = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u;

/** A request to replace the note and the tags of a run. */
export const editNotesSchema = z.strictObject({
  tags: z
    .array(z.string().regex(TAG, "expected letters, digits, . _ and -, at most 40 of them"))
    .max(20),
  note: z.string().max(10_000),
});
/** A request to replace the note and the tags of a run. */
export type EditNotesRequest = Readonly<z.infer<typeof editNotesSchema>>;

/** The note and the tags of a run, which are empty if nobody wrote any. */
export const runNotesSchema = z.object({
  tags: z.array(z.string()),
  note: z.string(),
  /** Why the file of the notes cannot be read. It is not overwritten then. */
  problem: z.string().optional(),
});
/** The note and the tags of a run. */
export type RunNotes = Readonly<z.infer<typeof runNotesSchema>>;

/** The notes of all runs that have any, by the id of the run. */
export const allNotesSchema = z.object({ runs: z.record(z.string(), runNotesSchema) });
/** The notes of all runs that have any. */
export type AllNotes = Readonly<z.infer<typeof allNotesSchema>>;
