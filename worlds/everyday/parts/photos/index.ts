/** What photos brings to the goal algebra. */
import type { Parts } from "bowline/goals";
import { albumActions, albumCollections, peopleActions } from "./albums.ts";
import { careActions, faceCollection, linkCollection } from "./care.ts";
import { careOfPhotos, photoCollection } from "./collection.ts";
import { photoActions } from "./photo-actions.ts";
import { photosRelations } from "./relations.ts";
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
  actions: [...photoActions, ...albumActions, ...careActions, ...peopleActions],
  sources: photosSources,
  facts: photosFacts,
  deeds: photosDeeds,
};
