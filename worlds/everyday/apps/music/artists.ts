/** Artists, their records and their concerts. */

import {
  atLeast,
  atMost,
  by,
  countOf,
  day,
  either,
  itemOf,
  line,
  must,
  resource,
} from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import { dayOf, handle, personBy, receiver, who } from "../shared.ts";
import { handleIn, stranger } from "./letting-in.ts";
import { artists, type Concert, concertInvites, concerts, records, songs } from "./tables.ts";
import { artist, byArtist, byName, byTitle, concert, genre, song, theArtist } from "./views.ts";

const record = resource({
  noun: "record",
  item: itemOf(records, {
    ...records.fields("title", "id"),
    artist: theArtist,
    year: z.int(),
    songs: countOf(songs, "record"),
  }),
});

export const artistApis = {
  artists: artist.list("List artists by name.", {
    filters: {
      genre: genre.describe("only those of this genre"),
      followed: either("only followed ones, or only others"),
    },
    order: byName,
    example: { followed: true },
  }),
  findArtists: artist.list("Find artists by a part of their name, by name.", {
    words: ["name"],
    order: byName,
    example: (db) => ({ query: db.all(artists)[0]?.name ?? "a" }),
  }),
  artist: artist.show("Show an artist with the number of records and songs, and of saved songs.", {
    item: artist.item.with({
      records: countOf(records, "artist"),
      songs: countOf(songs, "artist"),
      saved: countOf(songs, "artist", { saved: true }),
    }),
  }),
  follow: artist.set("Follow an artist.", { followed: true }, "is already followed"),
  unfollow: artist.set("Stop following an artist.", { followed: false }, "is not followed"),
  records: record.list("List records by title.", {
    filters: {
      artist: byArtist("only by the artist with this id"),
      year: z.int().describe("only from this year"),
    },
    order: byTitle,
    example: (db) => ({ artist: db.all(records)[0]?.artist ?? 1 }),
  }),
  tracks: song.list("List the songs of a record in the order of its tracks.", {
    of: [record, "record"],
    order: by(({ track }) => track),
  }),
  saveRecord: defineApi({
    summary: "Put all songs of a record into the library; those that are there already stay.",
    params: z.strictObject(record.keys),
    returns: record.item.with({ added: z.int() }).schema,
    example: (db) => ({ id: db.where(songs, { saved: false })[0]?.record ?? 1 }),
    handler: (context, args) => {
      const { db } = context;
      const row = record.find(args, context);
      const missing = db.where(songs, { record: row.id, saved: false });
      const some = missing.length > 0;
      must(some, 409, `id: all songs of record ${row.id} are in the library already`);
      for (const { id } of missing) db.update(songs, id, { saved: true });
      return { ...record.item.view(row, context), added: missing.length };
    },
  }),
};

// --- concerts: the owner may mark one and ask contacts to come along; tickets are bought elsewhere ---

const invites = resource({
  noun: "invitation",
  item: itemOf(concertInvites, who),
  keys: { ...concert.keys, person: handle("whom to uninvite") },
  find: ({ id, ...args }, look) => {
    const { db } = look;
    const concertId = concert.find({ id }, look).id;
    const person = personBy(db, args.person, "person");
    const match = { concert: concertId, person: person.id, withdrawn: false };
    const [row] = db.where(concertInvites, match);
    must(row, 404, `person: "${person.handle}" is not invited to concert ${id}`);
    return row;
  },
  example: (db) => {
    const row = db.where(concertInvites, { withdrawn: false })[0];
    return { id: row?.concert ?? 1, person: handleIn(db, row?.person) };
  },
});

/** The last concert that is announced: surely ahead. */
const lastConcert = (db: Reader): Concert | undefined =>
  db.all(concerts).toSorted((a, b) => (a.day < b.day ? 1 : -1))[0];

export const concertApis = {
  concerts: concert.list("List concerts, past and announced, by day and time.", {
    filters: {
      artist: byArtist("only of the artist with this id"),
      city: line("only in this city"),
      from: [day("only on this day or later"), atLeast("day")],
      until: [day("only on this day or earlier"), atMost("day")],
      interested: either("only marked ones, or only others"),
    },
    order: by(({ day, time }) => day + time),
    example: { from: "2026-03-12" },
  }),
  concert: concert.show("Show a concert and how many people the owner invited.", {
    item: concert.item.with({
      artistId: [z.int(), (row) => row.artist],
      invited: countOf(concertInvites, "concert", { withdrawn: false }),
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
    "List the people whom the owner invited to a concert, in the order of inviting.",
    { of: [concert, "concert"], rows: { withdrawn: false } },
  ),
  invite: invites.add("Invite a contact to a concert that is ahead.", {
    params: { ...concert.keys, person: handle("whom to invite") },
    row: ({ id, ...args }, context) => {
      const { db, now } = context;
      const { day } = concert.find({ id }, context);
      must(day >= dayOf(now), 422, `id: expected a concert that is ahead, got one of ${day}`);
      const person = receiver(db, args.person, "person");
      const row = { concert: id, person: person.id, withdrawn: false };
      const free = db.where(concertInvites, row).length === 0;
      must(free, 409, `person: "${person.handle}" is already invited`);
      return row;
    },
    example: (db) => {
      const id = lastConcert(db)?.id ?? 1;
      const guests = db.where(concertInvites, { concert: id }).map(({ person }) => person);
      return { id, person: stranger(db, guests) };
    },
  }),
  uninvite: invites.set("Withdraw an invitation to a concert.", { withdrawn: true }),
};
