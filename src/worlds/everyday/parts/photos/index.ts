/** What photos brings to the goal algebra. */
import type { Parts } from "../../algebra/parts.ts";
import { albumActions } from "./album-actions.ts";
import { careCollections } from "./albums.ts";
import { photoCollection } from "./collection.ts";
import { photoActions } from "./photo-actions.ts";
import { relations } from "./relations.ts";
import { deeds, facts, sources } from "./single.ts";

export const photosParts: Parts = {
  collections: [photoCollection, ...careCollections],
  relations,
  actions: [...photoActions, ...albumActions],
  sources,
  facts,
  deeds,
};
