/** Contacts in full: beside who they are, what the owner knows about them. */
import { defineApp } from "bowline/world";
import { detailApis } from "./details.ts";
import { contacts } from "./index.ts";
import { occasionApis } from "./occasions.ts";
import { remarkApis } from "./remarks.ts";
import { removalApis } from "./removal.ts";
import { moreContactTables } from "./tables.ts";
import { wholeApis } from "./whole.ts";

export const fullContacts = defineApp({
  ...contacts,
  summary: "People the owner knows: groups, facts about them, birthdays, couples, remarks, gifts.",
  tables: [...contacts.tables, ...moreContactTables],
  apis: {
    ...contacts.apis,
    ...detailApis,
    ...occasionApis,
    ...remarkApis,
    ...removalApis,
    ...wholeApis,
  },
});
