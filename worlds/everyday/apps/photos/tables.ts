/**
 * Defines the tables of the photos app: photos with their time, place and people, and the albums that contain photos.
 *
 * A photo or an album belongs to the owner or to a contact, who lets the owner look or edit. What others can see
 * (shares, sent photos, links, comments, likes) is never deleted. Own photos go to the trash, and edits can be
 * reverted.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("photos");

export const KINDS = ["photo", "video", "scan"] as const;
export type PhotoKind = (typeof KINDS)[number];

export const photoRows = app.table("photos", {
  /** The unique name of the file, such as `IMG_0412.jpg`. */
  name: text,
  kind: oneOf(KINDS).indexed,
  /** The person to whom the photo belongs, or null when it is the owner's. */
  person: ref("contacts.people").orNull.indexed,
  day: text.indexed,
  time: text,
  /** The place where it was taken, or null when it is not known, as for a scan. */
  place: text.orNull.indexed,
  city: text.orNull.indexed,
  caption: text.loose,
  kilobytes: int,
  favourite: flag,
  /** A hidden photo is listed only when hidden photos are asked for. */
  hidden: flag,
  trashed: flag,
  /** The digest of the picture. Two photos with the same digest show the same picture. */
  digest: text.indexed,
});
export type Photo = RowOf<typeof photoRows>;

export const SIDES = ["left", "middle", "right"] as const;

/** The faces in photos. `person` is null until the face has a name. */
export const faces = app.table("faces", {
  photo: ref("photos.photos").indexed,
  person: ref("contacts.people").orNull.indexed,
  side: oneOf(SIDES).orNull,
  /** The person whom the app guesses for a face without a name. */
  guess: ref("contacts.people").orNull,
  /** True when the owner does not want to name this face. */
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
  /** The title, which is unique among the owner's own albums. */
  title: text.indexed,
  person: ref("contacts.people").orNull.indexed,
  /** What the owner may do with a contact's album. It is `editor` for own albums. */
  role: oneOf(ALBUM_ROLES),
  cover: ref("photos.photos").orNull,
  /** An own album that was removed. Its photos are kept, and it may be restored. */
  removed: flag,
  /** A contact's album that the owner has left. It may be joined again. */
  left: flag,
});
export type Album = RowOf<typeof albums>;

/** The photos of albums. A photo that was taken out keeps its row. */
export const albumPhotos = app.table("placed", {
  album: ref("photos.albums").indexed,
  photo: ref("photos.photos").indexed,
  removed: flag,
});
export type AlbumPhoto = RowOf<typeof albumPhotos>;

/**
 * The people with whom the owner shares an own album. Each person has at most one share of an album that has not ended.
 */
export const albumShares = app.table("shares", {
  album: ref("photos.albums").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(ALBUM_ROLES),
  ended: flag,
});
export type AlbumShare = RowOf<typeof albumShares>;

/** The comments, by the owner (`person` is null) or a contact. The owner may withdraw own comments. */
export const comments = app.table("comments", {
  photo: ref("photos.photos").indexed,
  person: ref("contacts.people").orNull.indexed,
  text: text.loose,
  withdrawn: flag,
  at: text.derived,
});
export type Comment = RowOf<typeof comments>;

/**
 * The likes, by the owner (`person` is null) or a contact. Each person has one row for a photo, whether it is withdrawn
 * or not.
 */
export const likes = app.table("likes", {
  photo: ref("photos.photos").indexed,
  person: ref("contacts.people").orNull.indexed,
  withdrawn: flag,
});
export type Like = RowOf<typeof likes>;

export const EDITS = ["rotate", "crop", "brighten", "monochrome"] as const;

/** The edits, each one change of a picture. The latest edit that was not reverted is reverted first. */
export const edits = app.table("edits", {
  photo: ref("photos.photos").indexed,
  kind: oneOf(EDITS),
  /** The degrees or percent of the edit, or null when the edit needs no amount. */
  amount: int.orNull,
  reverted: flag,
});
export type Edit = RowOf<typeof edits>;

/** The photos that the owner sent to contacts. */
export const sentPhotos = app.table("sent", {
  photo: ref("photos.photos").indexed,
  person: ref("contacts.people").indexed,
  note: text.loose,
  at: text.derived,
});

/**
 * The links. Anyone who has a link can see one of the owner's photos or albums, up to and including a day. Exactly one
 * of the columns for photo and album is set.
 */
export const links = app.table("links", {
  photo: ref("photos.photos").orNull.indexed,
  album: ref("photos.albums").orNull.indexed,
  expires: text,
  revoked: flag,
});
export type Link = RowOf<typeof links>;

export const photoTables = app.tables;
