import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defineTable, type Writer } from "../define.ts";
import { FrozenTables, TableState } from "./index.ts";

type Song = {
  readonly id: number;
  readonly artist: string;
  readonly year: number;
  readonly tags: readonly string[];
};
const songs = defineTable<Song>("music.songs", { indexes: ["artist", "year"] });
type Note = { readonly id: number; readonly text: string };
const notes = defineTable<Note>("notes.notes");

const newSong = fc.record({
  artist: fc.constantFrom("a", "b", "c"),
  year: fc.integer({ min: 1, max: 3 }),
  tags: fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
});
const operation = fc.oneof(
  fc.record({ do: fc.constant("insert" as const), song: newSong }),
  fc.record({ do: fc.constant("update" as const), nth: fc.nat(), song: newSong }),
  fc.record({ do: fc.constant("remove" as const), nth: fc.nat() }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
const operations = fc.array(operation, { maxLength: 12 });

/** A simple model of a table for comparison: rows by id, and the next id. */
interface Model {
  readonly rows: Map<number, Song>;
  nextId: number;
}

const emptyModel = (): Model => ({ rows: new Map(), nextId: 1 });
const copyModel = (model: Model): Model => ({ rows: new Map(model.rows), nextId: model.nextId });

function applyToModel(model: Model, op: Operation): void {
  const ids = [...model.rows.keys()].sort((a, b) => a - b);
  if (op.do === "insert") {
    model.rows.set(model.nextId, { id: model.nextId, ...op.song });
    model.nextId += 1;
  } else if (ids.length > 0) {
    const id = ids[op.nth % ids.length]!;
    if (op.do === "update") model.rows.set(id, { id, ...op.song });
    else model.rows.delete(id);
  }
}

function applyToState(db: Writer, op: Operation): void {
  const rows = db.all(songs);
  if (op.do === "insert") db.insert(songs, op.song);
  else if (rows.length > 0) {
    const { id } = rows[op.nth % rows.length]!;
    if (op.do === "update") db.update(songs, id, op.song);
    else db.remove(songs, id);
  }
}

function write(db: Writer, ops: readonly Operation[]): void {
  for (const op of ops) applyToState(db, op);
}

function track(model: Model, ops: readonly Operation[]): void {
  for (const op of ops) applyToModel(model, op);
}

function expectEqual(state: TableState, model: Model): void {
  const rows = [...model.rows.values()].sort((a, b) => a.id - b.id);
  expect(state.all(songs)).toEqual(rows);
  for (const artist of ["a", "b", "c", "d"]) {
    expect(state.where(songs, { artist })).toEqual(rows.filter((row) => row.artist === artist));
    const both = rows.filter((row) => row.artist === artist && row.year === 2);
    expect(state.where(songs, { artist, year: 2 })).toEqual(both);
  }
  expect(state.where(songs, { tags: ["x"] })).toEqual(
    rows.filter((row) => row.tags.join() === "x"),
  );
  for (const row of rows) expect(state.get(songs, row.id)).toEqual(row);
  expect(state.get(songs, model.nextId)).toBeUndefined();
}

function populateStateAndModel(ops: readonly Operation[]): { base: FrozenTables; model: Model } {
  const state = new TableState(FrozenTables.empty([songs, notes]));
  const model = emptyModel();
  write(state, ops);
  track(model, ops);
  return { base: state.toFrozenTables(), model };
}

describe("the table state of an episode", () => {
  test("a table state reads like a plain map of rows, also when it uses indexes", () => {
    fc.assert(
      fc.property(operations, operations, (first, second) => {
        const { base, model } = populateStateAndModel(first);
        const state = new TableState(base);
        for (const op of second) {
          applyToState(state, op);
          applyToModel(model, op);
          expectEqual(state, model);
        }
      }),
    );
  });

  test("a table state is unchanged after a transaction that throws, also in its next ids", () => {
    fc.assert(
      fc.property(operations, operations, operations, operation, (first, kept, lost, after) => {
        const { base, model } = populateStateAndModel(first);
        const state = new TableState(base);
        state.transaction((db) => write(db, kept));
        track(model, kept);
        state.where(songs, { artist: "a" });
        const failing = () =>
          state.transaction((db) => {
            write(db, lost);
            throw new Error("no");
          });
        expect(failing).toThrow("no");
        expectEqual(state, model);
        applyToState(state, after);
        applyToModel(model, after);
        expectEqual(state, model);
      }),
    );
  });

  test("a table state does not see writes to its clones, nor to other states over the same base", () => {
    fc.assert(
      fc.property(operations, operations, operations, operations, (first, a, b, c) => {
        const { base, model } = populateStateAndModel(first);
        const [left, leftModel] = [new TableState(base), copyModel(model)];
        write(left, a);
        track(leftModel, a);
        const [fork, forkModel] = [left.clone(), copyModel(leftModel)];
        write(left, b);
        track(leftModel, b);
        write(fork, c);
        track(forkModel, c);
        expectEqual(left, leftModel);
        expectEqual(fork, forkModel);
        expectEqual(new TableState(base), model);
      }),
    );
  });

  test("a table state reports as changes exactly the rows that differ", () => {
    fc.assert(
      fc.property(operations, operations, operations, (first, setup, ops) => {
        const { base, model } = populateStateAndModel(first);
        const start = new TableState(base);
        write(start, setup);
        track(model, setup);
        const end = copyModel(model);
        track(end, ops);
        const state = start.clone();
        const { changes } = state.transaction((db) => write(db, ops));
        const ids = [...new Set([...model.rows.keys(), ...end.rows.keys()])].sort((a, b) => a - b);
        const expected = ids.flatMap((id) => {
          const [before, after] = [model.rows.get(id), end.rows.get(id)];
          if (JSON.stringify(before) === JSON.stringify(after)) return [];
          const kind = before ? (after ? "update" : "remove") : "insert";
          return [
            { table: songs.name, id, kind, ...(before && { before }), ...(after && { after }) },
          ];
        });
        expect(state.changesSince(start)).toEqual(expected);
        expect([...changes].sort((x, y) => x.id - y.id)).toEqual(expected);
      }),
    );
  });

  test("a table state freezes its rows and stores only plain cells", () => {
    const state = new TableState(FrozenTables.empty([songs, notes]));
    const tags = ["x"];
    const song = state.insert(songs, { artist: "a", year: 1, tags });
    tags.push("y");
    expect(state.get(songs, song.id)?.tags).toEqual(["x"]);
    expect(() => Object.assign(song, { year: 2 })).toThrow(TypeError);
    expect(() => (song.tags as string[]).push("y")).toThrow(TypeError);
    const bad: readonly [unknown, string][] = [
      [Number.NaN, "got NaN"],
      [Number.POSITIVE_INFINITY, "got Infinity"],
      [undefined, "got nothing; store null where there is no value"],
      [{}, "got {}; give its fields columns of their own, or a table"],
      [[[]], "got []"],
      [[Number.NaN], "got NaN"],
      [() => 1, "got a function"],
      [1n, "got 1n; store Number(value) or its text"],
      [new Date(0), "got a Date (1970-01-01T00:00:00.000Z); store its toISOString()"],
      [new Date(Number.NaN), "got a Date (invalid)"],
      [new Map(), "got a Map; give its fields columns"],
      [new Set(), "got a Set; store [...value]"],
      [Symbol("s"), "got Symbol(s)"],
      [Object.create(null), "got {}"],
    ];
    for (const [year, got] of bad) {
      expect(() => state.insert(songs, { artist: "a", year: year as number, tags: [] })).toThrow(
        `music.songs.year of row 2: expected a cell (text, a finite number, boolean, null or a list), ${got}`,
      );
    }
    expect(state.all(songs)).toHaveLength(1);
  });

  test("the errors of a table state name the table and the row", () => {
    const state = new TableState(FrozenTables.empty([songs]));
    expect(() => state.update(songs, 7, { year: 1 })).toThrow(
      "update of music.songs: there is no row 7",
    );
    expect(() => state.remove(songs, 7)).toThrow("remove from music.songs: there is no row 7");
    expect(() => state.all(notes)).toThrow('no app declares the table "notes.notes"');
  });

  test("a write into a large table costs as much as the change, not as the table", () => {
    const population = new TableState(FrozenTables.empty([songs]));
    for (let i = 0; i < 20_000; i++)
      population.insert(songs, { artist: `a${i}`, year: i, tags: [] });
    const base = population.toFrozenTables();
    const began = performance.now();
    for (let i = 0; i < 1000; i++) {
      const state = new TableState(base);
      state.transaction((db) => {
        const [song] = db.where(songs, { artist: `a${i}` });
        db.update(songs, song!.id, { year: -1 });
      });
      expect(state.changesSince(new TableState(base))).toHaveLength(1);
    }
    // Copying the table for each write would take 1000 x 20,000 rows, which is seconds.
    expect(performance.now() - began).toBeLessThan(1500);
  });
});
