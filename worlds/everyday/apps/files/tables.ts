/**
 * Files: a tree of folders, and text files in them with all their earlier texts.
 *
 * Files of others that are shared with the owner stand in the same table, in no folder, with the role that the owner
 * has. What left the house (a share, a question for more rights) keeps its row and changes its status.
 */
import { flag, int, oneOf, type RowOf, ref, tablesOf, text } from "bowline/resources";

const app = tablesOf("files");

export const folders = app.table("folders", {
  /** Unique within its parent, case ignored. */
  name: text,
  /** Null: at the top. */
  parent: ref("files.folders").orNull.indexed,
});
export type Folder = RowOf<typeof folders>;

export const ROLES = ["viewer", "editor"] as const;
export type Role = (typeof ROLES)[number];

/** `live`, in the owner's trash, or another's file that the owner has left. */

export const files = app.table("files", {
  /** With extension; unique among the live files of its folder, case ignored. */
  name: text,
  /** Null: at the top, or another's file. */
  folder: ref("files.folders").orNull.indexed,
  /** Lines without one at the end. */
  text: text,
  /** Null: the owner's own. Otherwise who shares it with the owner. */
  owner: ref("contacts.people").orNull.indexed,
  /** What the owner may do with it; `owner` for own files. */
  role: oneOf([...ROLES, "owner"]),
  favourite: flag,
  /** A locked file cannot be changed, moved or trashed. */
  locked: flag,
  /** In alphabetical order. */
  tags: text.many,
  state: oneOf(["live", "trashed", "left"]).indexed,
  /** When the text was last changed. */
  at: text.derived,
});
export type StoredFile = RowOf<typeof files>;

/** A text that the file had before: number 1 is the first. Follows from the changes, so nothing in it is content. */
export const versions = app.table("versions", {
  file: ref("files.files").indexed.derived,
  number: int.derived,
  text: text.derived,
  /** When that text was written. */
  at: text.derived,
});
export type Version = RowOf<typeof versions>;

/** With whom the owner shares an own file; one row a file and person. */
export const fileShares = app.table("shares", {
  file: ref("files.files").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
  status: oneOf(["active", "ended"]),
});
export type FileShare = RowOf<typeof fileShares>;

/** The owner asks to edit another's file; one row a file. */
export const asks = app.table("asks", {
  file: ref("files.files").indexed,
  status: oneOf(["pending", "withdrawn"]),
});
export type Ask = RowOf<typeof asks>;

/** A file as it was when it was put into a bundle. */
export const bundled = app.table("bundled", {
  bundle: ref("files.files").indexed,
  name: text,
  text: text,
});
