/** These tests check the phrases and clauses of the mail and calendar parts. */

import {
  type Clause,
  type Collection,
  type DrawContext,
  makeDrawContext,
  startAttempt,
} from "bowline/goals";
import type { TableRow } from "bowline/world";
import { Rng } from "bowline/world";
import { describe, expect, test } from "vitest";
import { fullCalendar } from "../apps/calendar/full.ts";
import { fullMail } from "../apps/mail/full.ts";
import { LANGUAGE } from "../language.ts";
import { addCalendar } from "../life/calendar.ts";
import { addMail } from "../life/mail.ts";
import { makeLifeBase, openApps } from "../tests/app-fixture.ts";
import { calendarParts } from "./calendar.ts";
import { mailParts } from "./mail.ts";

const apps = [fullMail, fullCalendar];
const { base, life } = makeLifeBase(apps, addMail, addCalendar);

function makeDraw(seed: number) {
  const scratch = () => openApps(apps).scratch(base);
  const people = life.everyone.train;
  const attempt = startAttempt({
    rng: new Rng(seed),
    split: "train",
    language: LANGUAGE,
    people,
    scratch,
    paraphrase: 0,
  });
  return makeDrawContext(attempt, "try");
}

const collections = [...(mailParts.collections ?? []), ...(calendarParts.collections ?? [])];
const clausesOf = (collection: Collection) =>
  collection.clauses as unknown as readonly Clause<TableRow>[];

describe.each(collections.map((collection) => [collection.name, collection] as const))(
  "the collection %s",
  (_, collection) => {
    const draw = makeDraw(3);
    const rows = draw.db
      .all(collection.table)
      .filter((row) => collection.includes(row as never, draw.db));

    test("the collection has more than three rows, and no two of its nouns are the same", () => {
      expect(rows.length).toBeGreaterThan(3);
      expect(new Set(collection.nouns.map(({ many }) => many)).size).toBe(collection.nouns.length);
    });

    test("each clause of the collection is true for some rows but not for all, and no two clauses share a phrase", () => {
      const seenForms = new Set<string>();
      for (const clause of clausesOf(collection)) {
        const filter = clause.draw(draw, rows);
        if (!filter) continue;
        expect(filter.words.length, clause.name).toBeGreaterThanOrEqual(5);
        for (const form of filter.words) {
          expect(seenForms, `${clause.name}: ${form}`).not.toContain(form);
          seenForms.add(form);
        }
        const holding = rows.filter((row) => filter.holds(row, draw.db)).length;
        expect(holding, clause.name).toBeGreaterThan(0);
        expect(holding, clause.name).toBeLessThan(rows.length);
      }
    });
  },
);

test("every action, source and deed of mail and calendar can be drawn, with at least five phrases", () => {
  const draws = [1, 2, 3, 4, 5].map(makeDraw);
  for (const parts of [mailParts, calendarParts]) {
    const drawFirst = (make: (draw: DrawContext) => unknown) =>
      draws.map(make).find((one) => one !== undefined);
    for (const action of parts.actions ?? []) {
      const effect = drawFirst((draw) => action.draw(draw)) as { frames: unknown[] };
      expect(effect?.frames.length, action.name).toBeGreaterThanOrEqual(5);
    }
    for (const deed of parts.deeds ?? []) {
      const once = drawFirst((draw) => deed.draw(draw)) as { sentences: unknown[] };
      expect(once?.sentences.length, deed.name).toBeGreaterThanOrEqual(5);
    }
    for (const source of parts.sources ?? []) {
      expect(
        drawFirst((draw) => source.draw(draw)),
        source.name,
      ).toBeDefined();
    }
  }
});
