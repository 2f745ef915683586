/** The parts of goals that the music app contributes. */
import type { Parts } from "bowline/goals";
import { artistAndConcertActions, artistCollection, concertCollection } from "./artists.ts";
import { playlistActions, playlistCollections } from "./playlists.ts";
import { musicRelations, peopleActions } from "./relations.ts";
import { songActions, songCollections } from "./songs.ts";
import { musicDeeds, musicFacts, musicSources } from "./sources-facts-deeds.ts";

export const musicParts: Parts = {
  collections: [...songCollections, ...playlistCollections, artistCollection, concertCollection],
  relations: musicRelations,
  actions: [...songActions, ...playlistActions, ...artistAndConcertActions, ...peopleActions],
  sources: musicSources,
  facts: musicFacts,
  deeds: musicDeeds,
};
