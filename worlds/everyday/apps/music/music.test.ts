/**
 * Tests the rules of the music app: roles limit what a call may do, lists keep their order, and whatever others can see
 * is never deleted.
 */

import type { AppSession } from "bowline/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { addMusic } from "../../life/music.ts";
import { appFixture, makeLifeBase } from "../../tests/app-fixture.ts";
import { people } from "../tables.ts";
import { entries, music, type Playlist, playlistShares, playlists, songs } from "./index.ts";

const { base } = makeLifeBase([music], addMusic);
let open: AppSession;
beforeEach(() => {
  open = appFixture([music], base);
});

const titles = (id: number) => open.all("music.playlistSongs", { id }).map((x) => x["title"]);
const ownPlaylist = () => open.db.where(playlists, { person: null, removed: false })[0]!;
const ofContact = (match: Partial<Playlist>) =>
  open.db.where(playlists, { left: false, ...match }).find(({ person }) => person !== null)!;
const outside = (id: number) => {
  const inside = new Set(open.db.where(entries, { playlist: id }).map(({ song }) => song));
  return open.db.all(songs).find((song) => !inside.has(song.id))!.id;
};
const stranger = (id: number) => {
  const known = new Set(open.db.where(playlistShares, { playlist: id }).map((x) => x.person));
  return open.db.all(people).find((person) => !known.has(person.id))!.handle;
};

describe("the order of a playlist", () => {
  test("a new song goes to the end of a playlist, and moving a song changes only its own slot", () => {
    const { id } = ownPlaylist();
    const before = titles(id);
    const song = outside(id);
    open.call("music.addSong", { playlist: id, song });
    const title = open.db.get(songs, song)!.title;
    expect(titles(id)).toEqual([...before, title]);
    const rest = open.db.where(entries, { playlist: id }).filter((entry) => entry.song !== song);
    for (const position of [1, 3, 2, before.length]) {
      open.call("music.moveSong", { playlist: id, song, position });
      expect(titles(id)).toEqual(before.toSpliced(position - 1, 0, title));
    }
    expect(open.db.where(entries, { playlist: id })).toEqual(expect.arrayContaining([...rest]));
    expect(open.refusal("music.moveSong", { playlist: id, song, position: 99 }).message).toBe(
      `position: expected 1 to ${before.length + 1}, got 99`,
    );
  });

  test("a song that was taken out of a playlist and is put back returns to its old place", () => {
    const { id } = ownPlaylist();
    const before = titles(id);
    const song = open.all("music.playlistSongs", { id })[2]!["id"];
    open.call("music.removeSong", { playlist: id, song });
    expect(titles(id)).toEqual(before.toSpliced(2, 1));
    expect(open.refusal("music.removeSong", { playlist: id, song }).status).toBe(404);
    open.call("music.putBackSong", { playlist: id, song });
    expect(titles(id)).toEqual(before);
  });

  test("copying or merging playlists keeps the order of songs and skips songs that the target already has", () => {
    const { id } = ownPlaylist();
    const copy = open.item("music.copyPlaylist", { id, name: "Twin" })["id"] as number;
    expect(titles(copy)).toEqual(titles(id));
    expect(open.item("music.mergePlaylists", { from: id, into: copy })["added"]).toBe(0);
    expect(open.refusal("music.copyPlaylist", { id, name: "twin" }).status).toBe(409);
  });
});

describe("roles", () => {
  test("as a listener, the owner may copy a contact's playlist but not change it", () => {
    const { id } = ofContact({ role: "listener" });
    const song = outside(id);
    const refused = open.refusal("music.addSong", { playlist: id, song });
    expect(refused).toMatchObject({ status: 403, message: expect.stringMatching(/^playlist: /) });
    expect(open.refusal("music.renamePlaylist", { id, name: "Mine" }).status).toBe(403);
    const copy = open.item("music.copyPlaylist", { id })["id"] as number;
    open.call("music.addSong", { playlist: copy, song });
  });

  test("as an editor of a contact's playlist, the owner may take out only songs that the owner added", () => {
    const { id, person } = ofContact({ role: "editor" });
    const of = (adder: number | null) =>
      open.db.where(entries, { playlist: id, person: adder })[0]!.song;
    const theirs = open.refusal("music.removeSong", { playlist: id, song: of(person) });
    expect(theirs.status).toBe(403);
    open.call("music.removeSong", { playlist: id, song: of(null) });
    expect(open.refusal("music.sharePlaylist", { id, person: stranger(id) }).status).toBe(403);
  });

  test("a contact's playlist that the owner has left cannot be used until the owner joins it again", () => {
    const { id } = ofContact({ role: "editor" });
    open.call("music.leavePlaylist", { id });
    expect(open.refusal("music.playlistSongs", { id }).message).toContain("music.joinPlaylist");
    open.call("music.joinPlaylist", { id });
    expect(open.item("music.playlist", { id })["role"]).toBe("editor");
  });

  test("a share is kept after it has ended, and a shared playlist cannot be removed", () => {
    const { id } = open.db
      .where(playlists, { person: null, removed: false })
      .find((row) => open.db.where(playlistShares, { playlist: row.id }).length === 0)!;
    const person = stranger(id);
    open.call("music.sharePlaylist", { id, person });
    expect(open.refusal("music.sharePlaylist", { id, person }).message).toContain("music.setRole");
    expect(open.refusal("music.removePlaylist", { id }).status).toBe(409);
    open.call("music.unsharePlaylist", { id, person });
    expect(open.db.where(playlistShares, { playlist: id })).toMatchObject([{ ended: true }]);
    open.call("music.removePlaylist", { id });
    expect(open.refusal("music.playlist", { id }).message).toContain("music.restorePlaylist");
    open.call("music.restorePlaylist", { id });
  });
});

describe("the player", () => {
  test("playing a song raises its play count, and the next song comes from the front of the queue", () => {
    const waiting = open.all("music.queue");
    const [extra] = open.db
      .where(songs, { saved: true })
      .filter(({ id }) => !waiting.some((x) => x["id"] === id));
    open.call("music.clearQueue");
    for (const song of [extra!.id, ...waiting.map((x) => x["id"])]) {
      open.call("music.enqueue", { song });
    }
    expect(open.item("music.next")).toMatchObject({ songId: extra!.id, playing: true });
    expect(open.db.get(songs, extra!.id)!.plays).toBe(extra!.plays + 1);
    expect(open.all("music.queue")).toEqual(waiting);
    open.call("music.clearQueue");
    expect(open.refusal("music.next").status).toBe(409);
    const id = ownPlaylist().id;
    open.call("music.playPlaylist", { id });
    expect(open.item("music.nowPlaying")["queued"]).toBe(titles(id).length - 1);
  });
});

describe("concerts and recommendations", () => {
  test("contacts can be invited only to concerts in the future, and each contact only once", () => {
    const concerts = open.all("music.concerts", { size: 20 });
    const person = open.db.all(people)[0]!.handle;
    const past = open.refusal("music.invite", { id: concerts[0]!["id"], person });
    expect(past.message).toMatch(/^id: expected a concert that is ahead/);
    const id = concerts.at(-1)!["id"];
    open.call("music.invite", { id, person });
    expect(open.refusal("music.invite", { id, person }).status).toBe(409);
    open.call("music.uninvite", { id, person });
    expect(open.refusal("music.uninvite", { id, person }).status).toBe(404);
  });

  test("a recommended song is listed for the sender and for the receiver", () => {
    const to = open.db.all(people)[0]!.handle;
    open.call("music.recommend", { song: 7, to, note: "play it loud" });
    expect(open.all("music.sentRecommendations", { to })[0]).toMatchObject({ songId: 7, to });
    const [tip] = open.all("music.recommended");
    const saved = open.all("music.library", { person: tip!["from"] });
    const theirs = open.all("music.recommended", { from: tip!["from"] }).map((x) => x["songId"]);
    expect(saved.every((song) => theirs.includes(song["id"]))).toBe(true);
  });
});
