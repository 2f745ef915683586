/** What music brings to the goal algebra. */
import type { Parts } from "../../algebra/parts.ts";
import { artistCollection, concertCollection } from "./artists.ts";
import { otherActions } from "./playlist-actions.ts";
import { playlistCollections } from "./playlists.ts";
import { relations } from "./relations.ts";
import { deeds, facts, sources } from "./single.ts";
import { songActions } from "./song-actions.ts";
import { songCollections } from "./songs.ts";

export const musicParts: Parts = {
  collections: [...songCollections, ...playlistCollections, artistCollection, concertCollection],
  relations,
  actions: [...songActions, ...otherActions],
  sources,
  facts,
  deeds,
};
