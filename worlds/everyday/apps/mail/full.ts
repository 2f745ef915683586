/**
 * Defines the full mail app. It has the APIs of the starter, and more APIs: for drafts, rules, mailing lists, snoozed
 * and scheduled mail, and others.
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
  summary:
    "Mail to contacts, and from anyone: folders, labels, drafts, copies, rules, lists, newsletters.",
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
