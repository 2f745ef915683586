/**
 * The app `notebook`: what the agent writes down for itself. In a task of several sessions, everything else that the
 * agent knew is gone in the next session. Checks ignore what stands in it.
 */
import { type App, defineApi, defineApp, defineTable, z } from "bowline/world";

type Page = { readonly id: number; readonly at: string; readonly text: string };

const pages = defineTable<Page>("notebook.pages", {
  classes: { at: "bookkeeping", text: "bookkeeping" },
});

const pageSchema = z.strictObject({ at: z.string(), text: z.string() });

export const notebook: App = defineApp({
  name: "notebook",
  summary: "Your own notebook. It is all that you still have in a later session of the same task.",
  tables: [pages],
  apis: {
    write: defineApi({
      summary: "Write a page into your notebook.",
      params: z.strictObject({
        text: z.string().trim().min(1).max(4000).describe("what you want to know later"),
      }),
      returns: pageSchema,
      example: () => ({ text: "The owner wants to pay at most $80." }),
      handler: ({ db, now }, { text }) => {
        const { at } = db.insert(pages, { at: now, text });
        return { at, text };
      },
    }),
    read: defineApi({
      summary: "Read the newest ten pages of your notebook, the oldest of them first.",
      params: z.strictObject({}),
      returns: z.array(pageSchema),
      example: () => ({}),
      handler: ({ db }) =>
        db
          .all(pages)
          .slice(-10)
          .map(({ at, text }) => ({ at, text })),
    }),
  },
});
