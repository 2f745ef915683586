import { describe, expect, test } from "vitest";
import * as app from "../apps/photos/index.ts";
import { people } from "../apps/tables.ts";
import { partOfName } from "../population/name-pools.ts";
import { NOW } from "../population/time.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../tests/app-fixture.ts";
import { addPhotos } from "./photos.ts";

const { base, life } = makeLifeBase([app.photos], addPhotos);
const fixture = appFixture([app.photos], base);
const { db } = fixture;

describe("the owner's photos", () => {
  test("there are enough photos to page through, and all names and sizes are different", () => {
    const rows = db.all(app.photoRows);
    expect(rows.length).toBeGreaterThan(250);
    expect(rows.length).toBeLessThan(600);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    expect(new Set(rows.map(({ kilobytes }) => kilobytes)).size).toBe(rows.length);
    expect(rows.every(({ day }) => day <= NOW.slice(0, 10))).toBe(true);
    expect(db.all(app.albums).length).toBeGreaterThan(30);
    expect(db.all(app.comments).length).toBeGreaterThan(40);
    expect(fixture.all("photos.duplicates").length).toBeGreaterThan(5);
  });

  test("photos show only people who were there on that day", () => {
    const byPlace = new Map(life.happenings.map((happening) => [happening.place, happening]));
    for (const photo of db.all(app.photoRows)) {
      const faces = db.where(app.faces, { photo: photo.id });
      if (photo.place === null) {
        expect(faces).toEqual([]);
        continue;
      }
      const happening = byPlace.get(photo.place)!;
      const participants = happening.people.map(({ id }) => id);
      expect(photo.city).toBe(happening.city);
      expect(photo.day >= happening.day).toBe(true);
      for (const { person, guess } of faces) {
        if (person !== null) expect(participants).toContain(person);
        if (guess !== null) expect(participants).toContain(guess);
      }
    }
  });

  test("an album of a happening involves only people of its part of the population", () => {
    const part = (id: number) => partOfName(db.get(people, id)!.name);
    for (const { id, title, person } of db.all(app.albums)) {
      const happening = life.happenings.find((one) => one.title === title);
      const known = db.where(app.albumShares, { album: id }).map((share) => share.person);
      const photos = db.where(app.albumPhotos, { album: id }).map(({ photo }) => photo);
      const talking = photos.flatMap((photo) => [
        ...db.where(app.comments, { photo }).map((row) => row.person),
        ...db.where(app.likes, { photo }).map((row) => row.person),
      ]);
      const all = [person, ...known, ...talking].filter((one) => one !== null);
      expect(
        all.every((one) => part(one) === (happening?.part ?? "circle")),
        title,
      ).toBe(true);
    }
  });

  test("every API of photos has an example that works at the start", () => {
    expect(findFailingExamples(app.photos, [app.photos], base)).toEqual([]);
  });
});
