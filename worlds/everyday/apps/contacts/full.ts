/** Defines the full contacts app: people and groups as in the starter, and also what the owner knows about people. */
import { defineApp } from "bowline/world";
import { detailApis } from "./facts-apis.ts";
import { groupMergingApis } from "./group-merging.ts";
import { contacts } from "./index.ts";
import { occasionApis } from "./occasions.ts";
import { remarkApis } from "./remarks-and-gifts.ts";
import { removalApis } from "./removing-and-merging.ts";
import { moreContactTables } from "./tables.ts";

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
    ...groupMergingApis,
  },
});
