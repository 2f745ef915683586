/** The parts of goals that the files app contributes. */
import type { Parts } from "bowline/goals";
import { fileActions } from "./files/actions.ts";
import { fileCollections } from "./files/collections.ts";
import { fileRelations } from "./files/relations.ts";
import { fileDeeds, fileFacts, fileSources } from "./files/sources-facts-deeds.ts";

export const filesParts: Parts = {
  collections: fileCollections,
  relations: fileRelations,
  actions: fileActions,
  sources: fileSources,
  facts: fileFacts,
  deeds: fileDeeds,
};
