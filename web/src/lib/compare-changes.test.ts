import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/spec/studio/index.ts";
import { compareChanges, listChangedColumns } from "./compare-changes.ts";

const makeUpdate = (id: number, before: Change["before"], after: Change["after"]): Change => ({
  table: "mail.mails",
  kind: "update",
  content: true,
  id,
  ...(before && { before }),
  ...(after && { after }),
});
const makeInsert = (id: number, after: Change["after"], columns?: string[]): Change => ({
  table: "mail.mails",
  kind: "insert",
  content: true,
  id,
  ...(after && { after }),
  ...(columns && { columns }),
});
const makeRemove = (id: number): Change => ({
  table: "mail.mails",
  kind: "remove",
  content: true,
  id,
});

describe("compareChanges", () => {
  test("distinguishes correct, missing and unintended changes", () => {
    const [a, b, c] = [1, 2, 3].map((id) => makeUpdate(id, { star: false }, { star: true }));
    const { both, missing, extra } = compareChanges([a!, b!], [a!, c!]);
    expect(both).toEqual([{ change: a, cells: ["star"] }]);
    expect(missing).toEqual([{ change: b, cells: ["star"] }]);
    expect(extra).toEqual([{ change: c, cells: ["star"] }]);
  });

  test("splits a row into parts when only some of its cells are as intended", () => {
    const start = { label: "", folder: "inbox", star: false };
    const wanted = makeUpdate(1, start, { label: "later", folder: "archive", star: false });
    const done = makeUpdate(1, start, { label: "later", folder: "bin", star: true });
    const { both, missing, extra } = compareChanges([wanted], [done]);
    expect(both).toEqual([{ change: done, cells: ["label"] }]);
    expect(missing).toEqual([{ change: wanted, cells: ["folder"], instead: done }]);
    expect(extra).toEqual([{ change: done, cells: ["folder", "star"], instead: wanted }]);
  });

  test("compares free text by the form that the checks compare, and other text as it is written", () => {
    const mail = (body: string, text?: string): Change => ({
      ...makeInsert(10, { to: "bo", body }),
      ...(text !== undefined && { texts: { body: text } }),
    });
    const equalCells = (wanted: Change, done: Change) =>
      compareChanges([wanted], [done]).both.flatMap(({ cells }) => cells);
    expect(equalCells(mail("$87.21", "$87.21"), mail("$87.21!", "$87.21"))).toEqual(["to", "body"]);
    expect(equalCells(mail("$87.21", "$87.21"), mail("8721", "8721"))).toEqual(["to"]);
    expect(equalCells(mail("hi"), mail("Hi"))).toEqual(["to"]);
  });

  test("matches inserted rows by similarity, not by id or order", () => {
    const wanted = [
      makeInsert(10, { to: "bo", body: "hi" }),
      makeInsert(11, { to: "cy", body: "yo" }),
    ];
    const done = [
      makeInsert(20, { to: "cy", body: "yo" }),
      makeInsert(21, { to: "bo", body: "hi" }),
    ];
    expect(compareChanges(wanted, done)).toEqual({
      both: [
        { change: done[1], cells: ["to", "body"] },
        { change: done[0], cells: ["to", "body"] },
      ],
      missing: [],
      extra: [],
    });
  });

  test("counts an inserted row as unintended if no similar row was intended", () => {
    const wanted = makeInsert(10, { to: "bo", body: "hi", at: 1 });
    const done = makeInsert(20, { to: "cy", body: "yo", at: 1 });
    const { missing, extra } = compareChanges([wanted], [done]);
    expect(missing).toMatchObject([{ change: wanted }]);
    expect(extra).toMatchObject([{ change: done }]);
  });

  test("treats the ids of inserted rows that match as equal", () => {
    const wanted = [makeInsert(10, { name: "jazz" }), makeInsert(11, { list: 10, song: "a" })];
    const done = [makeInsert(30, { name: "jazz" }), makeInsert(31, { list: 30, song: "a" })];
    expect(compareChanges(wanted, done).both).toHaveLength(2);
  });

  test("shows removed rows without cells, and ignores bookkeeping columns", () => {
    const read = { ...makeUpdate(4, { read: false }, { read: true }), content: false };
    const { both, missing, extra } = compareChanges(
      [makeRemove(1), makeRemove(2)],
      [makeRemove(1), read],
    );
    expect(both).toEqual([{ change: makeRemove(1), cells: [] }]);
    expect(missing).toEqual([{ change: makeRemove(2), cells: [] }]);
    expect(extra).toEqual([]);
  });

  test("lists the columns that checks compare, or otherwise those that changed", () => {
    expect(listChangedColumns(makeInsert(1, { id: 1, to: "bo", sentAt: "now" }, ["to"]))).toEqual([
      "to",
    ]);
    expect(listChangedColumns(makeUpdate(1, { a: 1, b: 2 }, { a: 1, b: 3 }))).toEqual(["b"]);
  });
});
