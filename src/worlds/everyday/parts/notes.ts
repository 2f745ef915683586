/** What notes bring to the goal algebra. */
import type { Parts } from "../../../goals/index.ts";
import { noteRelations } from "./notes/links.ts";
import { noteCollections } from "./notes/others.ts";
import { noteActions } from "./notes/sharing.ts";
import { noteDeeds, noteFacts, noteSources } from "./notes/values.ts";

export const notesParts: Parts = {
  collections: noteCollections,
  relations: noteRelations,
  actions: noteActions,
  sources: noteSources,
  facts: noteFacts,
  deeds: noteDeeds,
};
