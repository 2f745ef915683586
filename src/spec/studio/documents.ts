/**
 * Describes the results of `eval --json`, `compare` and `doctor --json` in the studio's folder, which the studio shows
 * in addition to runs.
 *
 *   GET /api/documents               documentListSchema
 *   GET /api/documents/{document}    documentSchema
 */
import { z } from "zod";

/** The commands whose results the studio shows. */
export const DOCUMENT_KINDS = ["eval", "compare", "doctor"] as const;

/** A result in a list. Its id is its path below the studio's folder. */
export const documentRowSchema = z.object({
  id: z.string(),
  kind: z.enum(DOCUMENT_KINDS),
  title: z.string(),
  changedMs: z.number(),
});
/** All results in the studio's folder, newest first. */
export const documentListSchema = z.object({ documents: z.array(documentRowSchema) });
/** All results in the studio's folder, newest first. */
export type DocumentList = Readonly<z.infer<typeof documentListSchema>>;

/** A result as tables of text, as the command line prints it. */
export const documentSchema = documentRowSchema.extend({
  sections: z.array(
    z.object({
      title: z.string(),
      notes: z.array(z.string()),
      columns: z.array(z.string()),
      rows: z.array(z.array(z.string())),
    }),
  ),
});
/** A result as tables of text. */
export type StudioDocument = Readonly<z.infer<typeof documentSchema>>;
