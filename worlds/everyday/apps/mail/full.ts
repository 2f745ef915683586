/**
 * Defines the full mail app: reading and sending as in the starter, and also drafts, rules, lists and all that keeps a
 * mailbox in order.
 */
import { defineApp } from "bowline/world";
import { draftApis, signatureApis, templateApis } from "./drafts-and-templates.ts";
import { mail } from "./index.ts";
import { listApis, newsletterApis } from "./mailing-lists-and-newsletters.ts";
import { overviewApis } from "./overview.ts";
import { sendingApis } from "./sending.ts";
import { sortingApis } from "./sorting.ts";
import { moreMailTables } from "./tables.ts";

export const fullMail = defineApp({
  ...mail,
  summary: "Mail to and from contacts: folders, labels, drafts, copies, rules, lists, newsletters.",
  tables: [...mail.tables, ...moreMailTables],
  login: true,
  apis: {
    ...mail.apis,
    ...overviewApis,
    ...sortingApis,
    ...draftApis,
    ...sendingApis,
    ...signatureApis,
    ...templateApis,
    ...listApis,
    ...newsletterApis,
  },
});
