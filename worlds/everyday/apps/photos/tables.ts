/**
 * The rows of photos: pictures with when, where and whom they show, and the albums that hold them.
 *
 * A photo or an album belongs to the owner or to a contact, who lets the owner look or edit. What others can see
 * (shares, sent photos, links, comments, likes) is never deleted; own photos go to the trash and edits can be reverted.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("photos");

export const KINDS = ["photo", "video", "scan"] as const;
export type PhotoKind = (typeof KINDS)[number];

export const photoRows = app.table("photos", {
  /** Of the file; unique: `IMG_0412.jpg`. */
  name: text,
  kind: oneOf(KINDS).indexed,
  /** Whose it is; null: the owner's. */
  person: ref("contacts.people").orNull.indexed,
  day: text.indexed,
  time: text,
  /** Null where nobody knows, as of a scan. */
  place: text.orNull.indexed,
  city: text.orNull.indexed,
  caption: text.loose,
  kilobytes: int,
  favourite: flag,
  /** Only listed when asked for. */
  hidden: flag,
  trashed: flag,
  /** Two photos with the same one show the same. */
  digest: text.indexed,
});
export type Photo = RowOf<typeof photoRows>;

export const SIDES = ["left", "middle", "right"] as const;

/** Somebody in a photo; `person` is null until the face has a name. */
export const faces = app.table("faces", {
  photo: ref("photos.photos").indexed,
  person: ref("contacts.people").orNull.indexed,
  side: oneOf(SIDES).orNull,
  /** Whom the app takes an unnamed face for. */
  guess: ref("contacts.people").orNull,
  /** The owner does not want to name it. */
  ignored: flag,
});
export type Face = RowOf<typeof faces>;

export const tags = app.table("tags", {
  photo: ref("photos.photos").indexed,
  tag: text.indexed,
});
export type Tag = RowOf<typeof tags>;

export const ALBUM_ROLES = ["viewer", "editor"] as const;
export type AlbumRole = (typeof ALBUM_ROLES)[number];

export const albums = app.table("albums", {
  /** Unique among the owner's own. */
  title: text.indexed,
  person: ref("contacts.people").orNull.indexed,
  /** What the owner may do with a contact's; `editor` for own ones. */
  role: oneOf(ALBUM_ROLES),
  cover: ref("photos.photos").orNull,
  /** An own one that was removed. Its photos stay, and it may be restored. */
  removed: flag,
  /** A contact's that the owner no longer wants to see. It may be joined again. */
  left: flag,
});
export type Album = RowOf<typeof albums>;

/** A photo in an album. One taken out stays as a row. */
export const placed = app.table("placed", {
  album: ref("photos.albums").indexed,
  photo: ref("photos.photos").indexed,
  removed: flag,
});
export type Placed = RowOf<typeof placed>;

/** Whom the owner lets into an own album. One row a person at a time that has not ended. */
export const albumShares = app.table("shares", {
  album: ref("photos.albums").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(ALBUM_ROLES),
  ended: flag,
});
export type AlbumShare = RowOf<typeof albumShares>;

/** By the owner (`person` null) or a contact. The owner may withdraw an own one. */
export const comments = app.table("comments", {
  photo: ref("photos.photos").indexed,
  person: ref("contacts.people").orNull.indexed,
  text: text.loose,
  withdrawn: flag,
  at: text.derived,
});
export type Comment = RowOf<typeof comments>;

/** By the owner (`person` null) or a contact; one a photo and person, `withdrawn` or not. */
export const likes = app.table("likes", {
  photo: ref("photos.photos").indexed,
  person: ref("contacts.people").orNull.indexed,
  withdrawn: flag,
});
export type Like = RowOf<typeof likes>;

export const EDITS = ["rotate", "crop", "brighten", "monochrome"] as const;

/** One change of a picture; the newest that stands is reverted first. */
export const edits = app.table("edits", {
  photo: ref("photos.photos").indexed,
  kind: oneOf(EDITS),
  /** Degrees, percent, or null where there is nothing to say. */
  amount: int.orNull,
  reverted: flag,
});
export type Edit = RowOf<typeof edits>;

/** A photo that the owner sent to a contact. */
export const sentPhotos = app.table("sent", {
  photo: ref("photos.photos").indexed,
  person: ref("contacts.people").indexed,
  note: text.loose,
  at: text.derived,
});

/** Lets anyone who has it see an own photo or album, up to and including a day. Exactly one of the two is set. */
export const links = app.table("links", {
  photo: ref("photos.photos").orNull.indexed,
  album: ref("photos.albums").orNull.indexed,
  expires: text,
  revoked: flag,
});
export type Link = RowOf<typeof links>;

export const photoTables = app.tables;
