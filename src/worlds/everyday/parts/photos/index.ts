/** What photos brings to the goal algebra. */
import type { Parts } from "../../../../goals/index.ts";
import { albumActions } from "./album-actions.ts";
import { albumCollections } from "./albums.ts";
import { careCollections } from "./care.ts";
import { photoCollection } from "./collection.ts";
import { photoActions } from "./photo-actions.ts";
import { relations } from "./relations.ts";
import { sendingActions } from "./sending-actions.ts";
import { deeds, facts, sources } from "./single.ts";

export const photosParts: Parts = {
  collections: [photoCollection, ...albumCollections, ...careCollections],
  relations,
  actions: [...photoActions, ...sendingActions, ...albumActions],
  sources,
  facts,
  deeds,
};
