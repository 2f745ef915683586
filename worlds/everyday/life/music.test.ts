import { describe, expect, test } from "vitest";
import * as app from "../apps/music/index.ts";
import { people } from "../apps/tables.ts";
import { PARTS, POOLS, partOf } from "../population/names.ts";
import { appFixture, failingExamples, livedBase } from "../tests/app-fixture.ts";
import { placesOf } from "./life.ts";
import { addMusic } from "./music.ts";

const { base, life } = livedBase([app.music], addMusic);
const { db } = appFixture([app.music], base);
const distinct = (items: readonly unknown[]) => new Set(items).size === items.length;

describe("music in the owner's life", () => {
  test("is large enough to page through, and most of it is not the owner's", () => {
    expect(db.all(app.songs)).toHaveLength(300);
    expect(db.all(app.artists)).toHaveLength(40);
    expect(db.all(app.records)).toHaveLength(60);
    expect(db.where(app.songs, { saved: true }).length).toBeGreaterThan(80);
    expect(db.all(app.playlists).length).toBeGreaterThan(50);
    expect(db.all(app.concerts).length).toBeGreaterThan(50);
    expect(db.all(app.recommendations).length).toBeGreaterThan(60);
  });

  test("the longest and the most played song are one each; some titles are not", () => {
    const all = db.all(app.songs);
    expect(distinct(all.map(({ seconds }) => seconds))).toBe(true);
    expect(distinct(db.where(app.songs, { saved: true }).map(({ plays }) => plays))).toBe(true);
    expect(distinct(all.map(({ lyrics }) => lyrics.split("\n")[0]))).toBe(true);
    expect(distinct(all.map(({ title }) => title))).toBe(false);
    expect(distinct(db.all(app.playlists).map(({ name }) => name.toLowerCase()))).toBe(true);
  });

  test("invented names belong to no part of the population", () => {
    const owned = PARTS.flatMap((part) => {
      const { first, last, cities, groups } = POOLS[part];
      return [...first, ...last, ...cities, ...groups, ...placesOf(part)];
    });
    const known = new RegExp(`\\b(${owned.join("|")})\\b`);
    const texts = [
      ...db.all(app.songs).flatMap(({ title, lyrics }) => [title, lyrics]),
      ...db.all(app.artists).map(({ name }) => name),
      ...db.all(app.records).map(({ title }) => title),
    ];
    expect(texts.filter((text) => known.test(text))).toEqual([]);
  });

  test("a shared playlist is known to people of one part, that of its happening", () => {
    const part = (id: number) => partOf(db.get(people, id)!.name);
    for (const { id, name } of db.all(app.playlists)) {
      const parts = new Set(
        db.where(app.playlistShares, { playlist: id }).map((x) => part(x.person)),
      );
      expect(parts.size, name).toBeLessThanOrEqual(1);
      const happening = life.happenings.find(({ place }) => name.includes(place));
      if (happening && parts.size > 0) expect([...parts]).toEqual([happening.part]);
    }
  });

  test("every concert of a happening has its guests", () => {
    for (const { kind, place, day, people } of life.happenings) {
      if (kind !== "concert") continue;
      const [concert] = db.all(app.concerts).filter(({ venue }) => venue === place);
      expect(concert).toMatchObject({ day, interested: true });
      expect(db.where(app.concertInvites, { concert: concert!.id })).toHaveLength(people.length);
    }
  });

  test("every API has an example that works at the start", () => {
    expect(failingExamples(app.music, [app.music], base)).toEqual([]);
  });
});
