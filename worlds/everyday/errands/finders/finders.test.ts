/**
 * Tests what finders plant: the thing that is looked for and its decoys carry no mark that another finder looks for. An
 * unread mail, for example, would be a second answer of a step that looks for the unread mail of the same person.
 */
import type { Table, TableRow } from "bowline/world";
import { Rng } from "bowline/world";
import { expect, test } from "vitest";
import * as tables from "../../apps/index.ts";
import { fillSmallLife } from "../../tests/small-life.ts";
import { starterFixture } from "../../tests/starter-fixture.ts";
import { mailFinders } from "./mails.ts";
import { messageFinders } from "./messages.ts";
import { noteFinders } from "./notes.ts";
import { personFinders } from "./people.ts";
import { todoFinders } from "./todos.ts";

const finders = [
  ...mailFinders,
  ...messageFinders,
  ...noteFinders,
  ...personFinders,
  ...todoFinders,
];
const planted = [tables.mails, tables.texts, tables.notes, tables.todos] as readonly Table[];
/** The marks that some of the planted rows have. Every other finder plants rows without marks. */
const MARKS: { readonly [finder: string]: string } = {
  "mail.unread": "unread",
  "message.unread": "unread",
  "message.oldest-unread": "unread",
  "note.unpinned": "pinned",
  "todo.open": "done",
};

test.each(finders.map((finder) => [finder.name, finder] as const))(
  "%s finds what it planted, and its rows carry no mark but the one that it looks for",
  (_, finder) => {
    const { db } = starterFixture(fillSmallLife);
    const isPerson = finder.kind === "person";
    const key = finder.keyKind === "name" ? "Amara Silva" : "copper kettle";
    const isNamed = isPerson && finder.keyKind === "name";
    const text = isNamed ? key : isPerson ? "Bruno Chen" : "green ladder";
    const before = planted.map((table) => db.all(table).length);
    finder.plant({
      ...{ db, key, text, decoyText: isPerson ? "Amara Okafor" : "red ladder" },
      rng: new Rng(1),
      pickSender: () => 3,
    });
    expect(finder.textFromTables(db, finder.locate(db, key))).toBe(text);
    const rows = planted.flatMap((table, i) => db.all<TableRow>(table).slice(before[i]));
    const marks = rows.flatMap((row) => Object.entries(row).filter(([, cell]) => cell === true));
    const expected = MARKS[finder.name] === undefined ? [] : [MARKS[finder.name]];
    expect([...new Set(marks.map(([column]) => column))]).toEqual(expected);
  },
);
