/**
 * The rows of photos: pictures with when, where and whom they show, and the albums that hold them.
 *
 * A photo or an album belongs to the owner or to a contact, who lets the owner look or edit. What others can see
 * (shares, sent photos, links, comments, likes) is never deleted; own photos go to the trash and edits can be reverted.
 */
import { defineTable } from "../../../../world/index.ts";

export const KINDS = ["photo", "video", "scan"] as const;
export type PhotoKind = (typeof KINDS)[number];

export type Photo = {
  readonly id: number;
  /** Of the file; unique: `IMG_0412.jpg`. */
  readonly name: string;
  readonly kind: PhotoKind;
  /** Whose it is; null: the owner's. */
  readonly person: number | null;
  readonly day: string;
  readonly time: string;
  /** Null where nobody knows, as of a scan. */
  readonly place: string | null;
  readonly city: string | null;
  readonly caption: string;
  readonly kilobytes: number;
  readonly favourite: boolean;
  /** Only listed when asked for. */
  readonly hidden: boolean;
  readonly trashed: boolean;
  /** Two photos with the same one show the same. */
  readonly digest: string;
};
export const photoRows = defineTable<Photo>("photos.photos", {
  indexes: ["day", "city", "place", "person", "kind", "digest"],
  references: { person: "contacts.people" },
  loose: ["caption"],
});

export const SIDES = ["left", "middle", "right"] as const;

/** Somebody in a photo; `person` is null until the face has a name. */
export type Face = {
  readonly id: number;
  readonly photo: number;
  readonly person: number | null;
  readonly side: (typeof SIDES)[number] | null;
  /** Whom the app takes an unnamed face for. */
  readonly guess: number | null;
  /** The owner does not want to name it. */
  readonly ignored: boolean;
};
export const faces = defineTable<Face>("photos.faces", {
  indexes: ["photo", "person"],
  references: { photo: "photos.photos", person: "contacts.people", guess: "contacts.people" },
});

export type Tag = { readonly id: number; readonly photo: number; readonly tag: string };
export const tags = defineTable<Tag>("photos.tags", {
  indexes: ["photo", "tag"],
  references: { photo: "photos.photos" },
});

export const ALBUM_ROLES = ["viewer", "editor"] as const;
export type AlbumRole = (typeof ALBUM_ROLES)[number];

export type Album = {
  readonly id: number;
  /** Unique among the owner's own. */
  readonly title: string;
  readonly person: number | null;
  /** What the owner may do with a contact's; `editor` for own ones. */
  readonly role: AlbumRole;
  readonly cover: number | null;
  /** An own one that was removed. Its photos stay, and it may be restored. */
  readonly removed: boolean;
  /** A contact's that the owner no longer wants to see. It may be joined again. */
  readonly left: boolean;
};
export const albums = defineTable<Album>("photos.albums", {
  indexes: ["person", "title"],
  references: { person: "contacts.people", cover: "photos.photos" },
});

/** A photo in an album. One taken out stays as a row. */
export type Placed = {
  readonly id: number;
  readonly album: number;
  readonly photo: number;
  readonly removed: boolean;
};
export const placed = defineTable<Placed>("photos.placed", {
  indexes: ["album", "photo"],
  references: { album: "photos.albums", photo: "photos.photos" },
});

/** Whom the owner lets into an own album. One row a person at a time that has not ended. */
export type AlbumShare = {
  readonly id: number;
  readonly album: number;
  readonly person: number;
  readonly role: AlbumRole;
  readonly ended: boolean;
};
export const albumShares = defineTable<AlbumShare>("photos.shares", {
  indexes: ["album", "person"],
  references: { album: "photos.albums", person: "contacts.people" },
});

/** By the owner (`person` null) or a contact. The owner may withdraw an own one. */
export type Comment = {
  readonly id: number;
  readonly photo: number;
  readonly person: number | null;
  readonly text: string;
  readonly withdrawn: boolean;
  readonly at: string;
};
export const comments = defineTable<Comment>("photos.comments", {
  indexes: ["photo", "person"],
  classes: { at: "derived" },
  references: { photo: "photos.photos", person: "contacts.people" },
  loose: ["text"],
});

/** By the owner (`person` null) or a contact; one a photo and person, `withdrawn` or not. */
export type Like = {
  readonly id: number;
  readonly photo: number;
  readonly person: number | null;
  readonly withdrawn: boolean;
};
export const likes = defineTable<Like>("photos.likes", {
  indexes: ["photo", "person"],
  references: { photo: "photos.photos", person: "contacts.people" },
});

export const EDITS = ["rotate", "crop", "brighten", "monochrome"] as const;
export type EditKind = (typeof EDITS)[number];

/** One change of a picture; the newest that stands is reverted first. */
export type Edit = {
  readonly id: number;
  readonly photo: number;
  readonly kind: EditKind;
  /** Degrees, percent, or null where there is nothing to say. */
  readonly amount: number | null;
  readonly reverted: boolean;
};
export const edits = defineTable<Edit>("photos.edits", {
  indexes: ["photo"],
  references: { photo: "photos.photos" },
});

/** A photo that the owner sent to a contact. */
export type SentPhoto = {
  readonly id: number;
  readonly photo: number;
  readonly person: number;
  readonly note: string;
  readonly at: string;
};
export const sentPhotos = defineTable<SentPhoto>("photos.sent", {
  indexes: ["photo", "person"],
  classes: { at: "derived" },
  references: { photo: "photos.photos", person: "contacts.people" },
  loose: ["note"],
});

/** Lets anyone who has it see an own photo or album, up to and including a day. Exactly one of the two is set. */
export type Link = {
  readonly id: number;
  readonly photo: number | null;
  readonly album: number | null;
  readonly expires: string;
  readonly revoked: boolean;
};
export const links = defineTable<Link>("photos.links", {
  indexes: ["photo", "album"],
  references: { photo: "photos.photos", album: "photos.albums" },
});

export const photoTables = [
  photoRows,
  faces,
  tags,
  albums,
  placed,
  albumShares,
  comments,
  likes,
  edits,
  sentPhotos,
  links,
] as const;
