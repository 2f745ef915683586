/**
 * Defines the APIs that share the owner's playlists with contacts, and the APIs of songs that the owner and contacts
 * recommend to each other.
 */

import { defineItem, firstRowId, idParam, newestFirst, resource } from "bowline/resources";
import { z } from "bowline/world";
import {
  dayField,
  handleField,
  handleParam,
  personColumnFilter,
  requireReceiver,
} from "../shared.ts";
import { artistName, PLAYLISTS, requireSong } from "./music-items.ts";
import { handleOrExample, sharingApisOf } from "./shared-collections.ts";
import { recommendations, songs } from "./tables.ts";

const recommendationItem = defineItem(recommendations, {
  song: [z.string(), ({ song }, { db }) => requireSong(db, song).title],
  songId: [z.int(), ({ song }) => song],
  artist: [z.string(), ({ song }, { db }) => artistName(db, requireSong(db, song).artist)],
});
const noteFields = {
  note: z.string(),
  day: dayField,
} as const;

const recommendationResource = resource({
  noun: "recommendation",
  item: recommendationItem.with({ to: handleField, ...noteFields }),
});

export const sharingApis = {
  ...sharingApisOf(PLAYLISTS),
  recommended: recommendationResource.list(
    "List songs that contacts recommended to the owner, newest first.",
    {
      rows: { outgoing: false },
      filters: { from: personColumnFilter("only by this person", "from") },
      item: recommendationItem.with({ from: handleField, ...noteFields }),
      order: newestFirst,
    },
  ),
  sentRecommendations: recommendationResource.list(
    "List songs that the owner recommended to contacts, newest first.",
    {
      rows: { outgoing: true },
      filters: { to: personColumnFilter("only to this person", "to") },
      order: newestFirst,
    },
  ),
  recommend: recommendationResource.add("Recommend a song to a contact.", {
    params: {
      song: idParam("song"),
      to: handleParam("to whom"),
      note: z.string().max(200).default("").describe("a few words"),
    },
    row: ({ song, to, note }, { db, now }) => {
      const person = requireReceiver(db, to, "to").id;
      return { song: requireSong(db, song, "song").id, person, outgoing: true, note, at: now };
    },
    example: (db) => ({
      song: firstRowId(db, songs, ({ liked }) => liked),
      to: handleOrExample(db, null),
    }),
  }),
};
