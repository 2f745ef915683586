/** What photos brings to the goal algebra. */
import type { Parts } from "../../../../goals/index.ts";
import { albumActions, peopleActions } from "./album-actions.ts";
import { albumCollections } from "./albums.ts";
import { careActions, faceCollection, linkCollection } from "./care.ts";
import { careOfPhotos, photoCollection } from "./collection.ts";
import { photoActions } from "./photo-actions.ts";
import { photosRelations } from "./relations.ts";
import { sendingActions } from "./sending-actions.ts";
import { photosDeeds, photosFacts, photosSources } from "./single.ts";

export const photosParts: Parts = {
  collections: [
    photoCollection,
    ...albumCollections,
    faceCollection,
    linkCollection,
    ...careOfPhotos,
  ],
  relations: photosRelations,
  actions: [...photoActions, ...sendingActions, ...albumActions, ...careActions, ...peopleActions],
  sources: photosSources,
  facts: photosFacts,
  deeds: photosDeeds,
};
