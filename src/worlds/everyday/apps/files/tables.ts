/**
 * Files: a tree of folders, and text files in them with all their earlier texts.
 *
 * Files of others that are shared with the owner stand in the same table, in no folder, with the role that the owner
 * has. What left the house (a share, a question for more rights) keeps its row and changes its status.
 */
import { defineTable } from "../../../../world/index.ts";

export type Folder = {
  readonly id: number;
  /** Unique within its parent, case ignored. */
  readonly name: string;
  /** Null: at the top. */
  readonly parent: number | null;
};
export const folders = defineTable<Folder>("files.folders", {
  indexes: ["parent"],
  references: { parent: "files.folders" },
});

export const ROLES = ["viewer", "editor"] as const;
export type Role = (typeof ROLES)[number];

/** `live`, in the owner's trash, or another's file that the owner has left. */
export type FileState = "live" | "trashed" | "left";

export type StoredFile = {
  readonly id: number;
  /** With extension; unique among the live files of its folder, case ignored. */
  readonly name: string;
  /** Null: at the top, or another's file. */
  readonly folder: number | null;
  /** Lines without one at the end. */
  readonly text: string;
  /** Null: the owner's own. Otherwise who shares it with the owner. */
  readonly owner: number | null;
  /** What the owner may do with it; `owner` for own files. */
  readonly role: Role | "owner";
  readonly favourite: boolean;
  /** A locked file cannot be changed, moved or trashed. */
  readonly locked: boolean;
  /** In alphabetical order. */
  readonly tags: readonly string[];
  readonly state: FileState;
  /** When the text was last changed. */
  readonly at: string;
};
export const files = defineTable<StoredFile>("files.files", {
  indexes: ["folder", "owner", "state"],
  classes: { at: "derived" },
  references: { folder: "files.folders", owner: "contacts.people" },
});

/** A text that the file had before: number 1 is the first. Follows from the changes, so nothing in it is content. */
export type Version = {
  readonly id: number;
  readonly file: number;
  readonly number: number;
  readonly text: string;
  /** When that text was written. */
  readonly at: string;
};
export const versions = defineTable<Version>("files.versions", {
  indexes: ["file"],
  classes: { file: "derived", number: "derived", text: "derived", at: "derived" },
  references: { file: "files.files" },
});

/** With whom the owner shares an own file; one row a file and person. */
export type FileShare = {
  readonly id: number;
  readonly file: number;
  readonly person: number;
  readonly role: Role;
  readonly status: "active" | "ended";
};
export const fileShares = defineTable<FileShare>("files.shares", {
  indexes: ["file", "person"],
  references: { file: "files.files", person: "contacts.people" },
});

/** The owner asks to edit another's file; one row a file. */
export type Ask = {
  readonly id: number;
  readonly file: number;
  readonly status: "pending" | "withdrawn";
};
export const asks = defineTable<Ask>("files.asks", {
  indexes: ["file"],
  references: { file: "files.files" },
});

/** A file as it was when it was put into a bundle. */
export type Bundled = {
  readonly id: number;
  readonly bundle: number;
  readonly name: string;
  readonly text: string;
};
export const bundled = defineTable<Bundled>("files.bundled", {
  indexes: ["bundle"],
  references: { bundle: "files.files" },
});
