/** What others get to see: albums shared by role, photos sent, links that expire. Nothing of it is ever deleted. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  day,
  dayOf,
  given,
  handle,
  handleOf,
  idOf,
  newestFirst,
  notPast,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
  receiver,
} from "../shared.ts";
import { type Person, people } from "../tables.ts";
import { handleIn, idIn, notSharedWith, someAlbum, somePhoto, someShare } from "./examples.ts";
import {
  ALBUM_ROLES,
  type AlbumShare,
  albumShares,
  albums,
  type Link,
  links,
  photoRows,
  type SentPhoto,
  sentPhotos,
} from "./tables.ts";
import { ownAlbum, ownPhoto, rowIn, sharesOf } from "./views.ts";

const id = idOf("own album");
const role = z.enum(ALBUM_ROLES);

const shareItem = z.strictObject({ name: z.string(), handle: z.string(), role });

const shareView =
  (db: Reader) =>
  ({ person, role }: AlbumShare) => ({
    name: db.get(people, person)?.name ?? "removed",
    handle: handleOf(db, person),
    role,
  });

const sharedWith = defineApi({
  summary: "List whom the owner let into an own album, in the order of sharing.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(shareItem),
  example: (db) => ({ id: someShare(db)?.album ?? someAlbum(db) }),
  handler: ({ db }, { id, ...page }) =>
    paged(sharesOf(db, ownAlbum(db, id).id), page, shareView(db)),
});

function shareOf(db: Reader, album: number, person: Person): AlbumShare {
  const [row] = db.where(albumShares, { album, person: person.id, ended: false });
  if (row) return row;
  throw new ApiError(
    404,
    `person: album ${album} is not shared with "${person.handle}"; photos.shareAlbum does`,
  );
}

const share = defineApi({
  summary: "Let a contact into an own album, as a viewer or an editor.",
  params: z.strictObject({
    id,
    person: handle("with whom"),
    role: role.default("viewer").describe("what they may do"),
  }),
  returns: shareItem,
  example: (db) => {
    const id = someAlbum(db);
    return { id, person: notSharedWith(db, id) };
  },
  handler: ({ db }, args) => {
    const album = ownAlbum(db, args.id).id;
    const person = receiver(db, args.person, "person");
    const match = { album, person: person.id, ended: false };
    const [row] = db.where(albumShares, match);
    if (row) {
      throw new ApiError(
        409,
        `person: "${person.handle}" is already ${row.role} of album ${album}; photos.setRole changes that`,
      );
    }
    return shareView(db)(db.insert(albumShares, { ...match, role: args.role }));
  },
});

const setRole = defineApi({
  summary: "Change what somebody may do in an own album.",
  params: z.strictObject({ id, person: handle("whose role"), role: role.describe("the new role") }),
  returns: shareItem,
  example: (db) => {
    const row = someShare(db);
    const role = row?.role === "editor" ? "viewer" : "editor";
    return { id: row?.album ?? 1, person: handleIn(db, row?.person), role } as const;
  },
  handler: ({ db }, { id, person, role }) => {
    const row = shareOf(db, ownAlbum(db, id).id, personBy(db, person, "person"));
    if (row.role === role) throw new ApiError(409, `role: "${person}" is already ${role}`);
    return shareView(db)(db.update(albumShares, row.id, { role }));
  },
});

const unshare = defineApi({
  summary: "Stop sharing an own album with somebody.",
  params: z.strictObject({ id, person: handle("with whom no longer") }),
  returns: shareItem,
  example: (db) => {
    const row = someShare(db);
    return { id: row?.album ?? 1, person: handleIn(db, row?.person) };
  },
  handler: ({ db }, { id, person }) => {
    const row = shareOf(db, ownAlbum(db, id).id, personBy(db, person, "person"));
    return shareView(db)(db.update(albumShares, row.id, { ended: true }));
  },
});

// --- single photos ---

const sentItem = z.strictObject({
  name: z.string(),
  photo: z.int(),
  to: z.string(),
  note: z.string(),
  day: z.string(),
});

const sentView =
  (db: Reader) =>
  ({ photo, person, note, at }: SentPhoto) => ({
    name: db.get(photoRows, photo)!.name,
    photo,
    to: handleOf(db, person),
    note,
    day: dayOf(at),
  });

const send = defineApi({
  summary: "Send an own photo to a contact.",
  params: z.strictObject({
    id: idOf("own photo"),
    to: handle("to whom"),
    note: z.string().max(200).default("").describe("a few words"),
  }),
  returns: sentItem,
  example: (db) => ({ id: somePhoto(db), to: handleIn(db, null) }),
  handler: ({ db, now }, { id, to, note }) => {
    const photo = ownPhoto(db, id).id;
    const person = receiver(db, to, "to").id;
    return sentView(db)(db.insert(sentPhotos, { photo, person, note, at: now }));
  },
});

const sent = defineApi({
  summary: "List the photos that the owner sent, newest first.",
  params: z.strictObject({ to: handle("only to this person").optional(), ...paging }),
  returns: pageOf(sentItem),
  example: () => ({}),
  handler: ({ db }, { to, ...page }) => {
    const rows = db.where(sentPhotos, given({ person: personId(db, to, "to") }));
    return paged(newestFirst(rows), page, sentView(db));
  },
});

// --- links ---

const linkItem = z.strictObject({
  of: z.string().describe("name of the photo or title of the album"),
  id: z.int(),
  photo: z.int().nullable(),
  album: z.int().nullable(),
  expires: z.string().describe("the last day"),
  revoked: z.boolean(),
  url: z.string(),
});

const linkView =
  (db: Reader) =>
  ({ id, photo, album, expires, revoked }: Link) => ({
    of: photo === null ? db.get(albums, album!)!.title : db.get(photoRows, photo)!.name,
    id,
    photo,
    album,
    expires,
    revoked,
    url: `https://photos.example.com/l/${id}`,
  });

const listLinks = defineApi({
  summary: "List links by the day on which they expire, soonest first.",
  params: z.strictObject({
    active: z.boolean().optional().describe("only those that work today, or only others"),
    ...paging,
  }),
  returns: pageOf(linkItem),
  example: () => ({ active: true }),
  handler: ({ db, now }, { active, ...page }) => {
    const works = ({ revoked, expires }: Link) => !revoked && expires >= dayOf(now);
    const rows = db.all(links).filter((row) => active === undefined || works(row) === active);
    return paged(
      rows.toSorted((a, b) =>
        a.expires === b.expires ? a.id - b.id : a.expires < b.expires ? -1 : 1,
      ),
      page,
      linkView(db),
    );
  },
});

const createLink = defineApi({
  summary: "Make a link to an own photo or an own album that works up to a day.",
  params: z.strictObject({
    photo: z.int().min(1).optional().describe("id of an own photo; or give an album"),
    album: z.int().min(1).optional().describe("id of an own album; or give a photo"),
    expires: day("the last day"),
  }),
  returns: linkItem,
  example: (db) => ({ photo: somePhoto(db), expires: "2026-04-30" }),
  handler: ({ db, now }, args) => {
    if ((args.photo === undefined) === (args.album === undefined)) {
      const came = args.photo === undefined ? "none" : "both";
      throw new ApiError(422, `photo, album: expected exactly one of them, got ${came}`);
    }
    notPast(args.expires, now, "expires");
    const photo = args.photo === undefined ? null : ownPhoto(db, args.photo, "photo").id;
    const album = args.album === undefined ? null : ownAlbum(db, args.album, "album").id;
    return linkView(db)(db.insert(links, { photo, album, expires: args.expires, revoked: false }));
  },
});

function standingLink(db: Reader, id: number): Link {
  const row = rowIn(db, links, id, "id", "link");
  if (!row.revoked) return row;
  throw new ApiError(409, `id: link ${id} is revoked; photos.createLink makes a new one`);
}

const standing = (db: Reader) => idIn(db, links, ({ revoked }) => !revoked);

const extendLink = defineApi({
  summary: "Change the last day of a link.",
  params: z.strictObject({ id: idOf("link"), expires: day("the new last day") }),
  returns: linkItem,
  example: (db) => ({ id: standing(db), expires: "2026-06-30" }),
  handler: ({ db, now }, { id, expires }) => {
    notPast(expires, now, "expires");
    return linkView(db)(db.update(links, standingLink(db, id).id, { expires }));
  },
});

const revokeLink = defineApi({
  summary: "Make a link useless at once.",
  params: z.strictObject({ id: idOf("link") }),
  returns: linkItem,
  example: (db) => ({ id: standing(db) }),
  handler: ({ db }, { id }) =>
    linkView(db)(db.update(links, standingLink(db, id).id, { revoked: true })),
});

export const sharingApis = {
  sharedWith,
  shareAlbum: share,
  setRole,
  unshareAlbum: unshare,
  send,
  sent,
  links: listLinks,
  createLink,
  extendLink,
  revokeLink,
};
