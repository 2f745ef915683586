/** Notes by title, their meaning on tables, and actions that need no value. */

import type { Action, Draw, Effect, Forms, Value } from "../../../../goals/index.ts";
import type { Reader, Writer } from "../../../../world/index.ts";
import { activeShares, setShareRole, traitsOf } from "../../apps/notes/traits.ts";
import { type Note, notes, shares } from "../../apps/tables.ts";
import { js } from "../old-papers.ts";

export type Frames = Forms<(noun: string) => string>;

/** An action that needs no value. */
export function simple(
  name: string,
  kind: string,
  frames: Frames,
  effect: Pick<Effect, "permits" | "apply" | "call">,
): Action {
  return { name, kind, app: "notes", difficulty: 1, draw: () => ({ frames, ...effect }) };
}

export const noteOf = (db: Reader, id: number) => db.get(notes, id);

export function rewriteNote(db: Writer, id: number, change: (row: Note) => Partial<Note>): void {
  db.update(notes, id, change(db.get(notes, id)!));
}

export function shareNote(
  db: Writer,
  note: number,
  person: number,
  role: "viewer" | "editor",
): void {
  const [old] = db.where(shares, { note, person });
  setShareRole(db, (old ?? db.insert(shares, { note, person })).id, role);
}

export const isShared = (db: Reader, note: number, person: number) =>
  activeShares(db, { note, person }).length > 0;

/** An active note by its title, which no other note has. */
export function namedNote(
  draw: Draw,
  fits: (row: Note, db: Reader) => boolean = () => true,
): Value<Note> | undefined {
  const titles = draw.db.all(notes).map(({ title }) => title);
  const rows = draw.db
    .all(notes)
    .filter((row) => traitsOf(draw.db, row.id).state === "active" && fits(row, draw.db))
    .filter(({ title }) => titles.indexOf(title) === titles.lastIndexOf(title));
  if (rows.length === 0) return undefined;
  const value = draw.rng.pick(rows);
  const code = draw.variable("n");
  return {
    value,
    words: `my note ${js(value.title)}`,
    code,
    cells: [findNote(value.title, code)],
    apps: ["notes"],
  };
}

/** A cell that leaves the id of the active note of this title in `out`. */
export function findNote(title: string, out: string): string {
  return `var ${out}=apis.notes.search({query:${js(title)},size:20}).items.filter(x=>x.title===${js(title)})[0].id;print(${out})`;
}
