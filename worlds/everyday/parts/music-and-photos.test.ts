/**
 * Tests the parts of music and photos: the code of each part finds through APIs the same things that the part means on
 * tables.
 */

import {
  type Clause,
  type Collection,
  type Field,
  type Filter,
  makeDrawContext,
  startAttempt,
} from "bowline/goals";
import type { TableRow } from "bowline/world";
import { Rng } from "bowline/world";
import { describe, expect, test } from "vitest";
import { music } from "../apps/music/index.ts";
import { photos } from "../apps/photos/index.ts";
import { LANGUAGE } from "../language.ts";
import { addMusic } from "../life/music.ts";
import { addPhotos } from "../life/photos.ts";
import { peopleOf } from "../population.ts";
import { appFixture, makeLifeBase, openApps } from "../tests/app-fixture.ts";
import { runCells, sortKeys } from "../tests/run-cells.ts";
import { musicParts } from "./music/index.ts";
import { photosParts } from "./photos/index.ts";

const apps = [music, photos];
const { base } = makeLifeBase(apps, addMusic, addPhotos);
const fixture = appFixture(apps, base);
const { db } = fixture;

function makeDraw(seed: number) {
  const attempt = startAttempt({
    rng: new Rng(seed),
    split: "test-challenge",
    language: LANGUAGE,
    people: peopleOf(db, "test-challenge"),
    scratch: () => openApps(apps).scratch(base),
    paraphrase: 0,
  });
  return makeDrawContext(attempt, "part");
}

const rowsOfCollection = ({ table, includes }: Collection) =>
  db.all(table).filter((row) => includes(row, db));
const listKeys = (
  { list, key }: Collection,
  cells: readonly string[],
  filter?: Filter<TableRow>,
) => {
  const args = [list.args, filter?.code.args, "size:20", "page:p++"].filter(Boolean).join(",");
  const loop = `var all=[],p=1,r;do{r=apis.${list.api}({${args}});all.push(...r.items)}while(r.more)`;
  return runCells(
    fixture,
    [...cells, loop],
    `all.filter(x=>${filter?.code.test ?? true}).map(x=>x.${key})`,
  );
};

const collections = [musicParts, photosParts].flatMap((parts) => parts.collections ?? []);

describe.each(collections.map((one) => [one.name, one] as const))(
  "the collection %s",
  (_, part) => {
    const rows = rowsOfCollection(part);

    test("the list API of the collection returns the rows that the collection means, with equal field values", () => {
      expect(rows.length).toBeGreaterThan(3);
      expect(sortKeys(listKeys(part, []))).toEqual(sortKeys(rows.map(({ id }) => id)));
      for (const field of part.fields as readonly Field<TableRow>[]) {
        const args = [part.list.args, "size:20"].filter(Boolean).join(",");
        const shown = runCells(
          fixture,
          [`var all=apis.${part.list.api}({${args}}).items`],
          `all.map(x=>[x.id,${field.code}])`,
        );
        for (const [id, value] of shown as [number, unknown][]) {
          expect(value, field.name).toBe(field.value(db.get(part.table, id)!, db));
        }
      }
    });

    test.each((part.clauses as readonly Clause<TableRow>[]).map((clause) => [clause.name, clause]))(
      "the clause %s selects the same rows in code as on tables",
      (_, clause) => {
        let drawn = 0;
        for (let seed = 0; seed < 3; seed++) {
          const filter = (clause as Clause<TableRow>).draw(makeDraw(seed), rows);
          if (!filter) continue;
          drawn++;
          const meant = rows.filter((row) => filter.holds(row, db)).map(({ id }) => id);
          const cells = (filter.uses ?? []).flatMap((value) => value.cells);
          expect(sortKeys(listKeys(part, cells, filter)), filter.words[0]).toEqual(sortKeys(meant));
          expect(new Set(filter.words).size).toBe(filter.words.length);
        }
        expect(drawn).toBeGreaterThan(0);
      },
    );
  },
);
