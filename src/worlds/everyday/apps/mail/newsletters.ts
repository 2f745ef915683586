/** Newsletters: received mail that comes by itself, and how to make it stop. */
import { z } from "zod";
import { ApiError, defineApi, type Reader, type Writer } from "../../../../world/index.ts";
import {
  given,
  handle,
  handleOf,
  idOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  personId,
  rowBy,
} from "../shared.ts";
import { mails } from "../tables.ts";
import { idIn } from "./examples.ts";
import { issues, type Newsletter, newsletters } from "./tables.ts";
import { mailItem, mailView } from "./views.ts";

const newsletterItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  editor: z.string(),
  rhythm: z.string(),
  issues: z.int(),
  subscribed: z.boolean(),
});

const newsletterView =
  (db: Reader) =>
  ({ name, id, person, rhythm, subscribed }: Newsletter) => ({
    name,
    id,
    editor: handleOf(db, person),
    rhythm,
    issues: db.where(issues, { newsletter: id }).length,
    subscribed,
  });

const listNewsletters = defineApi({
  summary: "List newsletters by name, with their editor and how many issues came.",
  params: z.strictObject({
    subscribed: z.boolean().optional().describe("only those the owner gets, or only others"),
    editor: handle("only edited by this person").optional(),
    ...paging,
  }),
  returns: pageOf(newsletterItem),
  example: () => ({ subscribed: true }),
  handler: ({ db }, { subscribed, editor, ...page }) => {
    const match = given({ subscribed, person: personId(db, editor, "editor") });
    const rows = db.where(newsletters, match).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return paged(rows, page, newsletterView(db));
  },
});

const listIssues = defineApi({
  summary: "List the mails that are issues of a newsletter, newest first, outside the trash.",
  params: z.strictObject({ id: idOf("newsletter"), ...paging }),
  returns: pageOf(mailItem),
  example: (db) => ({ id: idIn(db, newsletters) }),
  handler: ({ db }, { id, ...page }) => {
    const { id: newsletter } = rowBy(db, newsletters, id, "newsletter");
    const rows = db.where(issues, { newsletter }).map(({ mail }) => db.get(mails, mail)!);
    return paged(newestFirst(rows.filter((row) => row.folder !== "trash")), page, mailView(db));
  },
});

function subscribe(db: Writer, id: number, subscribed: boolean) {
  const row = rowBy(db, newsletters, id, "newsletter");
  if (row.subscribed === subscribed) {
    const state = subscribed ? "subscribed" : "unsubscribed";
    throw new ApiError(409, `id: the newsletter ${id}, "${row.name}", is already ${state}`);
  }
  return newsletterView(db)(db.update(newsletters, id, { subscribed }));
}

const unsubscribe = defineApi({
  summary: "Unsubscribe from a newsletter.",
  params: z.strictObject({ id: idOf("newsletter") }),
  returns: newsletterItem,
  example: (db) => ({ id: idIn(db, newsletters, (row) => row.subscribed) }),
  handler: ({ db }, { id }) => subscribe(db, id, false),
});

const resubscribe = defineApi({
  summary: "Subscribe to a newsletter again.",
  params: z.strictObject({ id: idOf("newsletter") }),
  returns: newsletterItem,
  example: (db) => ({ id: idIn(db, newsletters, (row) => !row.subscribed) }),
  handler: ({ db }, { id }) => subscribe(db, id, true),
});

export const newsletterApis = {
  newsletters: listNewsletters,
  issues: listIssues,
  unsubscribe,
  resubscribe,
};
