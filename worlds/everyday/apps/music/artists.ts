/** Defines the APIs of artists, their records and their concerts. */

import {
  atLeast,
  atMost,
  booleanParam,
  countReferencingRows,
  dayParam,
  defineItem,
  orderBy,
  refuseUnless,
  resource,
  shortTextParam,
} from "bowline/resources";
import { type Reader, z } from "bowline/world";
import {
  dayOf,
  handleParam,
  leavingOut,
  personFields,
  requirePerson,
  requireReceiver,
} from "../shared.ts";
import { artist, artistFilter, concert, genre, sortByName } from "./music-items.ts";
import { exampleHandleExcept, handleOrExample } from "./shared-collections.ts";
import { artists, type Concert, concertInvites, concerts, records, songs } from "./tables.ts";

export const artistApis = {
  artists: artist.list("List artists by name.", {
    filters: {
      genre: genre.describe("only those of this genre"),
      followed: booleanParam("only followed ones, or only others"),
    },
    order: sortByName,
    example: { followed: true },
  }),
  findArtists: artist.list("Find artists by a part of their name, by name.", {
    searchIn: ["name"],
    order: sortByName,
    example: (db) => ({ query: db.all(artists)[0]?.name ?? "a" }),
  }),
  artist: artist.show("Show an artist with the number of records and songs, and of saved songs.", {
    item: artist.item.with({
      records: countReferencingRows(records, "artist"),
      songs: countReferencingRows(songs, "artist"),
      saved: countReferencingRows(songs, "artist", { saved: true }),
    }),
  }),
  follow: artist.set("Follow an artist.", { followed: true }, "is already followed"),
  unfollow: artist.set("Stop following an artist.", { followed: false }, "is not followed"),
};

// The invitations of contacts to concerts. The owner buys tickets outside of the app.

const invites = resource({
  noun: "invitation",
  item: defineItem(concertInvites, personFields),
  keys: { ...concert.keys, person: handleParam("whom to uninvite") },
  find: ({ id, ...args }, context) => {
    const { db } = context;
    const concertId = concert.find({ id }, context).id;
    const person = requirePerson(db, args.person, "person");
    const match = { concert: concertId, person: person.id, withdrawn: false };
    const [row] = db.where(concertInvites, match);
    refuseUnless(row, 404, `person: "${person.handle}" is not invited to concert ${id}`);
    return row;
  },
  example: (db) => {
    const row = db.where(concertInvites, { withdrawn: false })[0];
    return { id: row?.concert ?? 1, person: handleOrExample(db, row?.person) };
  },
});

/** Returns the concert with the latest day, so that it is in the future. */
const exampleUpcomingConcert = (db: Reader): Concert | undefined =>
  db.all(concerts).toSorted((a, b) => (a.day < b.day ? 1 : -1))[0];

export const concertApis = {
  concerts: concert.list("List concerts, past and announced, by day and time.", {
    filters: {
      artist: artistFilter("only of the artist with this id"),
      city: shortTextParam("only in this city"),
      since: [dayParam("only on this day or later"), atLeast("day")],
      until: [dayParam("only on this day or earlier"), atMost("day")],
      interested: booleanParam("only marked ones, or only others"),
    },
    order: orderBy(({ day, time }) => day + time),
    example: { since: "2026-03-12" },
  }),
  concert: concert.show("Show a concert and how many people the owner invited.", {
    item: concert.item.with({
      artistId: [z.int(), (row) => row.artist],
      invited: countReferencingRows(concertInvites, "concert", { withdrawn: false }),
    }),
  }),
  markConcert: concert.set(
    "Mark a concert as interesting.",
    { interested: true },
    "is already marked",
  ),
  unmarkConcert: concert.set(
    "Take the mark off a concert.",
    { interested: false },
    "is not marked",
  ),
  invited: invites.list(
    leavingOut(
      "List the people whom the owner invited to a concert, in the order of inviting.",
      "withdrawn invitations are",
    ),
    { parent: [concert, "concert"], rows: { withdrawn: false } },
  ),
  invite: invites.add("Invite a contact to a concert that is ahead.", {
    params: { ...concert.keys, person: handleParam("whom to invite") },
    row: ({ id, ...args }, context) => {
      const { db, now } = context;
      const { day } = concert.find({ id }, context);
      refuseUnless(
        day >= dayOf(now),
        422,
        `id: expected a concert that is ahead, got one of ${day}`,
      );
      const person = requireReceiver(db, args.person, "person");
      const row = { concert: id, person: person.id, withdrawn: false };
      const isNotInvited = db.where(concertInvites, row).length === 0;
      refuseUnless(isNotInvited, 409, `person: "${person.handle}" is already invited`);
      return row;
    },
    example: (db) => {
      const id = exampleUpcomingConcert(db)?.id ?? 1;
      const guests = db.where(concertInvites, { concert: id }).map(({ person }) => person);
      return { id, person: exampleHandleExcept(db, guests) };
    },
  }),
  uninvite: invites.set("Withdraw an invitation to a concert.", { withdrawn: true }),
};
