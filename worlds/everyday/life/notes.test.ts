import { describe, expect, test } from "vitest";
import { fullNotes as app } from "../apps/notes/full.ts";
import { notesOfOthers, traits } from "../apps/notes/tables.ts";
import { activeShares } from "../apps/notes/traits.ts";
import { notes, people } from "../apps/tables.ts";
import { partOfName } from "../population/name-pools.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../tests/app-fixture.ts";
import { addNotes } from "./notes.ts";

const apps = [app];
const { base, life } = makeLifeBase(apps, addNotes);
const fixture = () => appFixture(apps, base);

describe("the owner's notes", () => {
  test("the notes mention the costs of the happenings with their amounts", () => {
    const { db } = fixture();
    expect(db.all(notes).length).toBeGreaterThan(100);
    for (const { costs, place } of life.happenings.filter((one) => one.costs.length > 0)) {
      const [note] = db.all(notes).filter(({ title }) => title === `Costs of the ${place}`);
      for (const { what, cents } of costs) {
        expect(note!.text).toContain(`${what}: $${(cents / 100).toFixed(2)}`);
      }
    }
  });

  test("each note has one row of traits, and no note in the trash is shared", () => {
    const { db } = fixture();
    expect(db.all(traits).map(({ note }) => note)).toEqual(db.all(notes).map(({ id }) => id));
    for (const { note } of db.where(traits, { state: "trashed" })) {
      expect(activeShares(db, { note })).toEqual([]);
    }
  });

  test("the text of a note names only people of one part of the population", () => {
    const { db } = fixture();
    const names = db.all(people).map(({ name }) => name);
    for (const { text, title } of [...db.all(notes), ...db.all(notesOfOthers)]) {
      const parts = new Set(names.filter((name) => text.includes(name)).map(partOfName));
      expect(parts.size, title).toBeLessThanOrEqual(1);
    }
  });

  test("every API of notes has an example that works at the start", () => {
    expect(findFailingExamples(app, apps, base)).toEqual([]);
  });
});
