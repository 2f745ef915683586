/**
 * Tests the rules of the photos app: the owner sees only those photos of contacts that are shared, and the owner's
 * photos are never lost.
 */

import type { AppSession } from "bowline/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { addPhotos } from "../../life/photos.ts";
import { appFixture, makeLifeBase } from "../../tests/app-fixture.ts";
import { people } from "../tables.ts";
import * as tables from "./index.ts";

const { base } = makeLifeBase([tables.photos], addPhotos);
let open: AppSession;
beforeEach(() => {
  open = appFixture([tables.photos], base);
});

const ownPhotos = (match: Partial<tables.Photo> = {}) =>
  open.db.where(tables.photoRows, { person: null, trashed: false, ...match });
const inAlbum = (album: number) => open.all("photos.albumPhotos", { id: album });
const ofContact = (role: tables.AlbumRole) =>
  open.db.where(tables.albums, { role, left: false }).find(({ person }) => person !== null)!;

describe("albums of contacts", () => {
  test("as a viewer of a contact's album, the owner may like and comment on photos but not change the album", () => {
    const { id } = ofContact("viewer");
    const photo = inAlbum(id)[0]!["id"];
    expect(open.refusal("photos.addToAlbum", { album: id, photo: ownPhotos()[0]!.id }).status).toBe(
      403,
    );
    expect(open.refusal("photos.favourite", { id: photo }).message).toMatch(/^id: expected an own/);
    open.call("photos.comment", { id: photo, text: "Lovely." });
    expect(open.all("photos.comments", { id: photo })[0]).toMatchObject({ by: null });
    open.call("photos.leaveAlbum", { id });
    expect(open.refusal("photos.show", { id: photo }).status).toBe(403);
    open.call("photos.joinAlbum", { id });
    open.item("photos.show", { id: photo });
  });

  test("as an editor of a contact's album, the owner may add the owner's photos and take out only these", () => {
    const { id } = ofContact("editor");
    const photos = inAlbum(id);
    const contactsPhoto = photos.find(({ owner }) => owner !== null)!["id"];
    const refused = open.refusal("photos.removeFromAlbum", { album: id, photo: contactsPhoto });
    expect(refused).toMatchObject({ status: 403, message: expect.stringMatching(/^photo: /) });
    const photo = ownPhotos().find((row) => !photos.some((x) => x["id"] === row.id))!.id;
    open.call("photos.addToAlbum", { album: id, photo });
    expect(open.refusal("photos.addToAlbum", { album: id, photo }).status).toBe(409);
    open.call("photos.removeFromAlbum", { album: id, photo });
    expect(inAlbum(id)).toEqual(photos);
  });
});

describe("own photos", () => {
  test("a photo in the trash disappears from lists and albums and returns to both when it is restored", () => {
    const [album] = open.db.where(tables.albums, { person: null, removed: false });
    const before = inAlbum(album!.id);
    const id = before[0]!["id"];
    open.call("photos.remove", { id });
    expect(inAlbum(album!.id)).toEqual(before.slice(1));
    expect(open.refusal("photos.tag", { id, tag: "x" }).message).toContain("photos.restore");
    expect(open.all("photos.trash").map((x) => x["id"])).toContain(id);
    open.call("photos.restore", { id });
    expect(inAlbum(album!.id)).toEqual(before);
  });

  test("removing copies keeps the photo that was named in the call", () => {
    const [found] = open.all("photos.duplicates");
    const copies = found!["copies"] as number[];
    expect(open.item("photos.removeCopies", { id: copies[0] })["removed"]).toBe(copies.length);
    expect(open.refusal("photos.show", { id: found!["id"] }).status).toBe(404);
    expect(open.refusal("photos.removeCopies", { id: copies[0] }).status).toBe(409);
  });

  test("edits of a photo are reverted one by one, the latest first", () => {
    const edited = new Set(open.db.all(tables.edits).map(({ photo }) => photo));
    const { id } = ownPhotos().find((photo) => !edited.has(photo.id))!;
    open.call("photos.rotate", { id, degrees: 90 });
    open.call("photos.crop", { id, percent: 80 });
    open.call("photos.brighten", { id, percent: -10 });
    open.call("photos.revert", { id });
    const states = () => open.all("photos.edits", { id }).map((x) => x["reverted"]);
    expect(states()).toEqual([false, false, true]);
    expect(open.item("photos.revert", { id, all: true })).toMatchObject({ edits: 0, reverted: 2 });
    expect(open.refusal("photos.revert", { id }).status).toBe(409);
  });

  test("hidden photos are listed only when they are asked for", () => {
    const { id } = ownPhotos({ hidden: false })[0]!;
    open.call("photos.hide", { id });
    const ids = (args: object) => open.all("photos.list", args).map((x) => x["id"]);
    expect(ids({})).not.toContain(id);
    expect(ids({ hidden: true })).toContain(id);
  });

  test("naming a face adds the person to the photo's people, and each person only once", () => {
    const [face] = open.all("photos.faces").filter(({ guess }) => guess !== null);
    open.call("photos.nameFace", { id: face!["id"], person: face!["guess"] });
    const shown = open.all("photos.peopleIn", { id: face!["photo"] }).map((x) => x["handle"]);
    expect(shown).toContain(face!["guess"]);
    const twice = { id: face!["photo"], person: face!["guess"] };
    expect(open.refusal("photos.addPerson", twice).status).toBe(409);
    expect(open.refusal("photos.nameFace", { id: face!["id"], person: "x" }).status).toBe(409);
  });
});

describe("what others see", () => {
  test("shares and links are kept as rows after they have ended", () => {
    const { id } = open.db.where(tables.albums, { person: null, removed: false })[0]!;
    const known = open.db.where(tables.albumShares, { album: id }).map((row) => row.person);
    const person = open.db.all(people).find((row) => !known.includes(row.id))!.handle;
    open.call("photos.shareAlbum", { id, person });
    expect(open.refusal("photos.removeAlbum", { id }).status).toBe(409);
    open.call("photos.unshareAlbum", { id, person });
    expect(open.db.where(tables.albumShares, { album: id }).at(-1)).toMatchObject({ ended: true });
    const past = open.refusal("photos.createLink", { album: id, expires: "2026-03-11" });
    expect(past.message).toBe("expires: expected today (2026-03-12) or later, got 2026-03-11");
    const both = open.refusal("photos.createLink", { expires: "2026-04-01" });
    expect(both.message).toMatch(/^photo, album: expected exactly one/);
    const link = open.item("photos.createLink", { album: id, expires: "2026-04-01" })["id"];
    open.call("photos.revokeLink", { id: link });
    expect(open.refusal("photos.extendLink", { id: link, expires: "2026-05-01" }).status).toBe(409);
  });
});
