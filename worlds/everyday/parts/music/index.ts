/** What music brings to the goal algebra. */
import type { Parts } from "bowline/goals";
import { artistCollection, concertActions, concertCollection } from "./artists.ts";
import { playlistActions, playlistCollections } from "./playlists.ts";
import { musicRelations, peopleActions } from "./relations.ts";
import { musicDeeds, musicFacts, musicSources } from "./single.ts";
import { songActions, songCollections } from "./songs.ts";

export const musicParts: Parts = {
  collections: [...songCollections, ...playlistCollections, artistCollection, concertCollection],
  relations: musicRelations,
  actions: [...songActions, ...playlistActions, ...concertActions, ...peopleActions],
  sources: musicSources,
  facts: musicFacts,
  deeds: musicDeeds,
};
