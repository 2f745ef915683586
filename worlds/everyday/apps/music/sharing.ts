/** Whom the owner lets into own playlists, and songs recommended from one person to another. */

import { firstId, idOf, itemOf, newestFirst, resource } from "bowline/resources";
import { z } from "bowline/world";
import { handle, ofPerson, onDay, receiver, theirHandle } from "../shared.ts";
import { handleIn, sharingOf } from "./letting-in.ts";
import { recommendations, songs } from "./tables.ts";
import { artistName, lists, songBy } from "./views.ts";

const tip = itemOf(recommendations, {
  song: [z.string(), ({ song }, { db }) => songBy(db, song).title],
  songId: [z.int(), ({ song }) => song],
  artist: [z.string(), ({ song }, { db }) => artistName(db, songBy(db, song).artist)],
});
const told = {
  note: z.string(),
  day: onDay,
} as const;

const tips = resource({
  noun: "recommendation",
  item: tip.with({ to: theirHandle, ...told }),
});

export const sharingApis = {
  ...sharingOf(lists),
  recommended: tips.list("List songs that contacts recommended to the owner, newest first.", {
    rows: { outgoing: false },
    filters: { from: ofPerson("only by this person", "from") },
    item: tip.with({ from: theirHandle, ...told }),
    order: newestFirst,
  }),
  sentRecommendations: tips.list(
    "List songs that the owner recommended to contacts, newest first.",
    {
      rows: { outgoing: true },
      filters: { to: ofPerson("only to this person", "to") },
      order: newestFirst,
    },
  ),
  recommend: tips.add("Recommend a song to a contact.", {
    params: {
      song: idOf("song"),
      to: handle("to whom"),
      note: z.string().max(200).default("").describe("a few words"),
    },
    row: ({ song, to, note }, { db, now }) => {
      const person = receiver(db, to, "to").id;
      return { song: songBy(db, song, "song").id, person, outgoing: true, note, at: now };
    },
    example: (db) => ({ song: firstId(db, songs, ({ liked }) => liked), to: handleIn(db, null) }),
  }),
};
