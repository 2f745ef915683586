/** The parts of music and photos: what they mean on tables is what their code finds through the APIs. */

import {
  type Clause,
  type Collection,
  type Field,
  type Filter,
  makeDrawContext,
  type Relation,
  startAttempt,
} from "bowline/goals";
import type { TableRow } from "bowline/world";
import { Rng } from "bowline/world";
import { describe, expect, test } from "vitest";
import { music } from "../apps/music/index.ts";
import { photos } from "../apps/photos/index.ts";
import { people } from "../apps/tables.ts";
import { LANGUAGE } from "../language.ts";
import { addMusic } from "../life/music.ts";
import { addPhotos } from "../life/photos.ts";
import { peopleOf } from "../population.ts";
import { appFixture, makeLifeBase, openApps } from "../tests/app-fixture.ts";
import { musicParts } from "./music/index.ts";
import { photosParts } from "./photos/index.ts";

const apps = [music, photos];
const { base } = makeLifeBase(apps, addMusic, addPhotos);
const fixture = appFixture(apps, base);
const { db } = fixture;

/** `apis.<app>.<api>` over the fixture. */
const apis = new Proxy(
  {},
  {
    get: (_, app) =>
      new Proxy(
        {},
        { get: (_, api) => (args: object) => fixture.call(`${String(app)}.${String(api)}`, args) },
      ),
  },
);

function run(
  cells: readonly string[],
  result: string,
  given: Record<string, unknown> = {},
): unknown {
  const names = Object.keys(given);
  const code = [...cells, `return ${result}`].join(";\n");
  return new Function("apis", "print", ...names, code)(apis, () => {}, ...Object.values(given));
}

function drawing(seed: number) {
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

const rowsOf = ({ table, includes }: Collection) =>
  db.all(table).filter((row) => includes(row, db));
const listed = ({ list, key }: Collection, cells: readonly string[], filter?: Filter<TableRow>) => {
  const args = [list.args, filter?.code.args, "size:20", "page:p++"].filter(Boolean).join(",");
  const loop = `var all=[],p=1,r;do{r=apis.${list.api}({${args}});all.push(...r.items)}while(r.more)`;
  return run([...cells, loop], `all.filter(x=>${filter?.code.test ?? true}).map(x=>x.${key})`);
};
const sorted = (ids: unknown) => (ids as (number | string)[]).toSorted((a, b) => (a < b ? -1 : 1));

const collections = [musicParts, photosParts].flatMap((parts) => parts.collections ?? []);
const relations = [musicParts, photosParts].flatMap((parts) => parts.relations ?? []);

describe.each(collections.map((one) => [one.name, one] as const))("%s", (_, part) => {
  const rows = rowsOf(part);

  test("its list holds the rows that it means, and its fields their values", () => {
    expect(rows.length).toBeGreaterThan(3);
    expect(sorted(listed(part, []))).toEqual(sorted(rows.map(({ id }) => id)));
    for (const field of part.fields as readonly Field<TableRow>[]) {
      const args = [part.list.args, "size:20"].filter(Boolean).join(",");
      const shown = run(
        [`var all=apis.${part.list.api}({${args}}).items`],
        `all.map(x=>[x.id,${field.code}])`,
      );
      for (const [id, value] of shown as [number, unknown][]) {
        expect(value, field.name).toBe(field.value(db.get(part.table, id)!, db));
      }
    }
  });

  test.each((part.clauses as readonly Clause<TableRow>[]).map((clause) => [clause.name, clause]))(
    "%s means what its code does",
    (_, clause) => {
      let drawn = 0;
      for (let seed = 0; seed < 3; seed++) {
        const filter = (clause as Clause<TableRow>).draw(drawing(seed), rows);
        if (!filter) continue;
        drawn++;
        const meant = rows.filter((row) => filter.holds(row, db)).map(({ id }) => id);
        const cells = (filter.uses ?? []).flatMap((value) => value.cells);
        expect(sorted(listed(part, cells, filter)), filter.words[0]).toEqual(sorted(meant));
        expect(new Set(filter.words).size).toBe(filter.words.length);
      }
      expect(drawn).toBeGreaterThan(0);
    },
  );
});

test.each(relations.map((one) => [one.name, one] as const))(
  "%s leads where it means",
  (_, part) => {
    const keyed = (kind: string, ids: readonly number[]) =>
      kind === "people" ? ids.map((id) => db.get(people, id)!.handle) : ids;
    const source = collections.find(({ kind }) => kind === part.from);
    const ids = (source ? rowsOf(source) : peopleOf(db, "test-challenge")).map(({ id }) => id);
    let found = 0;
    for (let seed = 0; seed < 4; seed++) {
      const some = new Rng(seed).sample(ids, 5);
      const meant = keyed(part.to, (part as Relation).map(db, some));
      const got = run(part.cells("given", "out"), "out", { given: keyed(part.from, some) });
      expect(sorted(got)).toEqual(sorted(meant));
      found += meant.length;
    }
    expect(found).toBeGreaterThan(0);
  },
);
