/** The parts of goals that the photos app contributes. */
import type { Parts } from "bowline/goals";
import { albumActions, albumCollections, peopleActions } from "./albums.ts";
import { faceAndLinkActions, faceCollection, linkCollection } from "./faces-and-links.ts";
import { photoActions } from "./photo-actions.ts";
import { photoCollection, trashAndDuplicates } from "./photo-collections.ts";
import { photosRelations } from "./relations.ts";
import { photosDeeds, photosFacts, photosSources } from "./sources-facts-deeds.ts";

export const photosParts: Parts = {
  collections: [
    photoCollection,
    ...albumCollections,
    faceCollection,
    linkCollection,
    ...trashAndDuplicates,
  ],
  relations: photosRelations,
  actions: [...photoActions, ...albumActions, ...faceAndLinkActions, ...peopleActions],
  sources: photosSources,
  facts: photosFacts,
  deeds: photosDeeds,
};
