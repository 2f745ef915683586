/**
 * Results beside runs that the studio shows: what `eval --json`, `compare` and `doctor --json` wrote under its folder.
 *
 *   GET /api/documents               documentListSchema
 *   GET /api/documents/{document}    documentSchema
 */
import { z } from "zod";

/** Commands whose results are shown. */
export const DOCUMENT_KINDS = ["eval", "compare", "doctor"] as const;

/** A document's id is its path below the studio's folder. */
export const documentRowSchema = z.object({
  id: z.string(),
  kind: z.enum(DOCUMENT_KINDS),
  title: z.string(),
  changedMs: z.number(),
});
/** Results under the studio's folder, newest first. */
export const documentListSchema = z.object({ documents: z.array(documentRowSchema) });
/** Results under the studio's folder. */
export type DocumentList = Readonly<z.infer<typeof documentListSchema>>;

/** A document as tables of text: what the command line prints of it. */
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
