import { describe, expect, test } from "vitest";
import * as app from "../apps/music/index.ts";
import { people } from "../apps/tables.ts";
import { PARTS, POOLS, partOfName } from "../population/name-pools.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../tests/app-fixture.ts";
import { placesOfPart } from "./life.ts";
import { addMusic } from "./music.ts";

const { base, life } = makeLifeBase([app.music], addMusic);
const { db } = appFixture([app.music], base);
const areDistinct = (items: readonly unknown[]) => new Set(items).size === items.length;

describe("music in the owner's life", () => {
  test("the catalogue is large enough to page through, and most songs are not saved by the owner", () => {
    expect(db.all(app.songs)).toHaveLength(300);
    expect(db.all(app.artists)).toHaveLength(40);
    expect(db.all(app.records)).toHaveLength(60);
    expect(db.where(app.songs, { saved: true }).length).toBeGreaterThan(80);
    expect(db.all(app.playlists).length).toBeGreaterThan(50);
    expect(db.all(app.concerts).length).toBeGreaterThan(50);
    expect(db.all(app.recommendations).length).toBeGreaterThan(60);
  });

  test("exactly one song is the longest, exactly one is the most played, and some titles occur twice", () => {
    const all = db.all(app.songs);
    expect(areDistinct(all.map(({ seconds }) => seconds))).toBe(true);
    expect(areDistinct(db.where(app.songs, { saved: true }).map(({ plays }) => plays))).toBe(true);
    expect(areDistinct(all.map(({ lyrics }) => lyrics.split("\n")[0]))).toBe(true);
    expect(areDistinct(all.map(({ title }) => title))).toBe(false);
    expect(areDistinct(db.all(app.playlists).map(({ name }) => name.toLowerCase()))).toBe(true);
  });

  test("invented names contain no name of any part of the population", () => {
    const owned = PARTS.flatMap((part) => {
      const { first, last, cities, groups } = POOLS[part];
      return [...first, ...last, ...cities, ...groups, ...placesOfPart(part)];
    });
    const known = new RegExp(`\\b(${owned.join("|")})\\b`);
    const texts = [
      ...db.all(app.songs).flatMap(({ title, lyrics }) => [title, lyrics]),
      ...db.all(app.artists).map(({ name }) => name),
      ...db.all(app.records).map(({ title }) => title),
    ];
    expect(texts.filter((text) => known.test(text))).toEqual([]);
  });

  test("a playlist is shared only with people of one part of the population, that of its happening", () => {
    const part = (id: number) => partOfName(db.get(people, id)!.name);
    for (const { id, name } of db.all(app.playlists)) {
      const parts = new Set(
        db.where(app.playlistShares, { playlist: id }).map((x) => part(x.person)),
      );
      expect(parts.size, name).toBeLessThanOrEqual(1);
      const happening = life.happenings.find(({ place }) => name.includes(place));
      if (happening && parts.size > 0) expect([...parts]).toEqual([happening.part]);
    }
  });

  test("each happening that is a concert has its guests in the music app", () => {
    for (const { kind, place, day, people } of life.happenings) {
      if (kind !== "concert") continue;
      const [concert] = db.all(app.concerts).filter(({ venue }) => venue === place);
      expect(concert).toMatchObject({ day, interested: true });
      expect(db.where(app.concertInvites, { concert: concert!.id })).toHaveLength(people.length);
    }
  });

  test("every API of music has an example that works at the start", () => {
    expect(findFailingExamples(app.music, [app.music], base)).toEqual([]);
  });
});
