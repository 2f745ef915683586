/**
 * Defines the tables of files: a tree of folders, and text files in them with all their earlier texts.
 *
 * Files of others that are shared with the owner are in the same table. Such a file is in no folder, and its role says
 * what the owner may do with it. Rows that others have seen (a share, a request for more rights) are never removed, but
 * their status changes.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("files");

export const folders = app.table("folders", {
  /** The name, which is unique within the parent, ignoring case. */
  name: text,
  /** The folder above this one, or null when this folder is at the top. */
  parent: ref("files.folders").orNull.indexed,
});
export type Folder = RowOf<typeof folders>;

export const ROLES = ["viewer", "editor"] as const;
export type Role = (typeof ROLES)[number];

export const files = app.table("files", {
  /** The name with its extension. It is unique among the live files of its folder, ignoring case. */
  name: text,
  /** The folder of the file. It is null for a file at the top, and for another person's file. */
  folder: ref("files.folders").orNull.indexed,
  /** The text, without a line break at its end. */
  text: text,
  /** The person who shares the file with the owner, or null when the file is the owner's own. */
  owner: ref("contacts.people").orNull.indexed,
  /** What the owner may do with the file. It is `owner` for own files. */
  role: oneOf([...ROLES, "owner"]),
  favourite: flag,
  /** A locked file cannot be changed, moved or trashed. */
  locked: flag,
  /** The tags, in alphabetical order. */
  tags: text.many,
  state: oneOf(["live", "trashed", "left"]).indexed,
  /** The time when the text was last changed. */
  at: text.derived,
});
export type StoredFile = RowOf<typeof files>;

/**
 * The earlier texts of files. Version 1 is the first. Checks ignore this table, because its rows follow from changes of
 * texts.
 */
export const versions = app.table("versions", {
  file: ref("files.files").indexed.derived,
  number: int.derived,
  text: text.derived,
  /** The time when that text was written. */
  at: text.derived,
});
export type Version = RowOf<typeof versions>;

/** The people with whom the owner shares own files, one row for each file and person. */
export const fileShares = app.table("shares", {
  file: ref("files.files").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
  status: oneOf(["active", "ended"]),
});
export type FileShare = RowOf<typeof fileShares>;

/** The requests of the owner to edit a file of another person, one row for each file. */
export const editRequests = app.table("asks", {
  file: ref("files.files").indexed,
  status: oneOf(["pending", "withdrawn"]),
});
export type EditRequest = RowOf<typeof editRequests>;

/** The files of a bundle, as they were when they were put into it. */
export const bundledFiles = app.table("bundled", {
  bundle: ref("files.files").indexed,
  name: text,
  text: text,
});
