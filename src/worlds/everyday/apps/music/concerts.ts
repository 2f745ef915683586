/** Concerts of artists: the owner may mark one and ask contacts to come along. Tickets are bought elsewhere. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  day,
  dayOf,
  given,
  handle,
  handleOf,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personBy,
  receiver,
} from "../shared.ts";
import { people } from "../tables.ts";
import { handleIn, idIn, stranger } from "./examples.ts";
import { artists, type Concert, concertInvites, concerts } from "./tables.ts";
import { concertItem, concertView, rowIn } from "./views.ts";

const id = idOf("concert");
const concertBy = (db: Reader, id: number) => rowIn(db, concerts, id, "id", "concert");

/** The last concert that is announced: surely ahead. */
function lastConcert(db: Reader): Concert | undefined {
  return db.all(concerts).toSorted((a, b) => (a.day < b.day ? 1 : -1))[0];
}

const list = defineApi({
  summary: "List concerts, past and announced, by day and time.",
  params: z.strictObject({
    artist: z.int().min(1).optional().describe("only of the artist with this id"),
    city: line("only in this city").optional(),
    from: day("only on this day or later").optional(),
    until: day("only on this day or earlier").optional(),
    interested: z.boolean().optional().describe("only marked ones, or only others"),
    ...paging,
  }),
  returns: pageOf(concertItem),
  example: () => ({ from: "2026-03-12" }),
  handler: ({ db }, { artist, from, until, page, size, ...match }) => {
    if (artist !== undefined) rowIn(db, artists, artist, "artist", "artist");
    const rows = db
      .where(concerts, given({ artist, ...match }))
      .filter(({ day }) => day >= (from ?? day) && day <= (until ?? day))
      .toSorted((a, b) => compare(a.day + a.time, b.day + b.time) || a.id - b.id);
    return paged(rows, { page, size }, concertView(db));
  },
});

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

const show = defineApi({
  summary: "Show a concert and how many people the owner invited.",
  params: z.strictObject({ id }),
  returns: z.strictObject({ ...concertItem.shape, artistId: z.int(), invited: z.int() }),
  example: (db) => ({ id: idIn(db, concerts) }),
  handler: ({ db }, { id }) => {
    const row = concertBy(db, id);
    const invited = db.where(concertInvites, { concert: id, withdrawn: false }).length;
    return { ...concertView(db)(row), artistId: row.artist, invited };
  },
});

const marking = (interested: boolean) =>
  defineApi({
    summary: interested ? "Mark a concert as interesting." : "Take the mark off a concert.",
    params: z.strictObject({ id }),
    returns: concertItem,
    example: (db) => ({ id: idIn(db, concerts, (row) => row.interested !== interested) }),
    handler: ({ db }, { id }) => {
      if (concertBy(db, id).interested === interested) {
        throw new ApiError(409, `id: concert ${id} is ${interested ? "already" : "not"} marked`);
      }
      return concertView(db)(db.update(concerts, id, { interested }));
    },
  });

const inviteItem = z.strictObject({ name: z.string(), handle: z.string() });

const inviteView =
  (db: Reader) =>
  ({ person }: { person: number }) => ({
    name: db.get(people, person)?.name ?? "removed",
    handle: handleOf(db, person),
  });

const invited = defineApi({
  summary: "List the people whom the owner invited to a concert, in the order of inviting.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(inviteItem),
  example: (db) => ({ id: db.all(concertInvites)[0]?.concert ?? idIn(db, concerts) }),
  handler: ({ db }, { id, ...page }) => {
    const concert = concertBy(db, id).id;
    return paged(db.where(concertInvites, { concert, withdrawn: false }), page, inviteView(db));
  },
});

const invite = defineApi({
  summary: "Invite a contact to a concert that is ahead.",
  params: z.strictObject({ id, person: handle("whom to invite") }),
  returns: inviteItem,
  example: (db) => {
    const concert = lastConcert(db)?.id ?? 1;
    const guests = db.where(concertInvites, { concert }).map(({ person }) => person);
    return { id: concert, person: stranger(db, guests) };
  },
  handler: ({ db, now }, args) => {
    const concert = concertBy(db, args.id);
    if (concert.day < dayOf(now)) {
      throw new ApiError(422, `id: expected a concert that is ahead, got one of ${concert.day}`);
    }
    const person = receiver(db, args.person, "person");
    const match = { concert: concert.id, person: person.id, withdrawn: false };
    if (db.where(concertInvites, match).length > 0) {
      throw new ApiError(409, `person: "${person.handle}" is already invited`);
    }
    return inviteView(db)(db.insert(concertInvites, match));
  },
});

const uninvite = defineApi({
  summary: "Withdraw an invitation to a concert.",
  params: z.strictObject({ id, person: handle("whom to uninvite") }),
  returns: inviteItem,
  example: (db) => {
    const row = db.where(concertInvites, { withdrawn: false })[0];
    return { id: row?.concert ?? 1, person: handleIn(db, row?.person) };
  },
  handler: ({ db }, args) => {
    const concert = concertBy(db, args.id).id;
    const person = personBy(db, args.person, "person");
    const [row] = db.where(concertInvites, { concert, person: person.id, withdrawn: false });
    if (!row) {
      throw new ApiError(404, `person: "${person.handle}" is not invited to concert ${concert}`);
    }
    return inviteView(db)(db.update(concertInvites, row.id, { withdrawn: true }));
  },
});

export const concertApis = {
  concerts: list,
  concert: show,
  markConcert: marking(true),
  unmarkConcert: marking(false),
  invited,
  invite,
  uninvite,
};
