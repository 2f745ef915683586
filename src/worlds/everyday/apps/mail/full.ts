/** Mail in full: beside reading and sending, all that keeps a mailbox in order. */
import { defineApp } from "../../../../world/index.ts";
import { draftApis } from "./drafts.ts";
import { mail } from "./index.ts";
import { listApis } from "./lists.ts";
import { newsletterApis } from "./newsletters.ts";
import { overviewApis } from "./overview.ts";
import { sendingApis } from "./sending.ts";
import { signatureApis } from "./signatures.ts";
import { sortingApis } from "./sorting.ts";
import { moreMailTables } from "./tables.ts";
import { templateApis } from "./templates.ts";

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
