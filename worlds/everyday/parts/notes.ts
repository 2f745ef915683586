/** What notes bring to the goal algebra. */
import type { Parts } from "bowline/goals";
import { noteActions } from "./notes/actions.ts";
import { noteCollections } from "./notes/collections.ts";
import { noteRelations } from "./notes/links.ts";
import { noteDeeds, noteFacts, noteSources } from "./notes/values.ts";

export const notesParts: Parts = {
  collections: noteCollections,
  relations: noteRelations,
  actions: noteActions,
  sources: noteSources,
  facts: noteFacts,
  deeds: noteDeeds,
};
