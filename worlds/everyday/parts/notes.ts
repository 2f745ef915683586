/** The parts of goals that the notes app contributes. */
import type { Parts } from "bowline/goals";
import { noteActions } from "./notes/actions.ts";
import { noteCollections } from "./notes/collections.ts";
import { noteRelations } from "./notes/relations.ts";
import { noteDeeds, noteFacts, noteSources } from "./notes/sources-facts-deeds.ts";

export const notesParts: Parts = {
  collections: noteCollections,
  relations: noteRelations,
  actions: noteActions,
  sources: noteSources,
  facts: noteFacts,
  deeds: noteDeeds,
};
