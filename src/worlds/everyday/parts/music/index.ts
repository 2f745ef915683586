/** What music brings to the goal algebra. */
import type { Parts } from "../../../../goals/index.ts";
import { artistCollection, concertCollection } from "./artists.ts";
import { concertActions } from "./concert-actions.ts";
import { peopleActions } from "./people-actions.ts";
import { playlistActions } from "./playlist-actions.ts";
import { playlistCollections } from "./playlists.ts";
import { musicRelations } from "./relations.ts";
import { musicDeeds, musicFacts, musicSources } from "./single.ts";
import { songActions } from "./song-actions.ts";
import { songCollections } from "./songs.ts";

export const musicParts: Parts = {
  collections: [...songCollections, ...playlistCollections, artistCollection, concertCollection],
  relations: musicRelations,
  actions: [...songActions, ...playlistActions, ...concertActions, ...peopleActions],
  sources: musicSources,
  facts: musicFacts,
  deeds: musicDeeds,
};
