/**
 * Actions: what can be done with every row of a set, said once as its meaning, its one API call and its phrases.
 *
 *     export const alarmActions = actions(
 *       { kind: "alarms", app: "clock", table: alarmRows },
 *       ({ sets, drawn }) => ({
 *         silence: sets({ on: false }, { when: (row) => row.on, api: "silence" })`Silence # | ...`,
 *         delay: drawn(({ rng }) => {
 *           const minutes = rng.pick([5, 10, 15]);
 *           return sets({ minutes }, { api: "delay", args: `minutes:${minutes}` })`Delay # by ${minutes} minutes | ...`;
 *         }),
 *       }),
 *     );
 *
 * What an action does to rows and which API an agent calls stand side by side and are written independently.
 */
import type { Reader, Table, TableRow, Writer } from "../../world/index.ts";
import type { Action, Draw, Effect, Value, ValueOf } from "../parts.ts";
import { framesOf, said, type Tagged } from "./phrases.ts";
import { withOne } from "./uses.ts";

/** What the actions of one list have in common. */
export interface On<R extends TableRow> {
  /** One, or for each of several the names of those that fit it, in order: `{ notes: "pin tag", archived: "tag" }`. */
  readonly kind: string | { readonly [kind: string]: string };
  readonly app: string;
  readonly table: Table<R>;
  /** The parameter of the APIs that takes the key `x`; absent: `id`. */
  readonly key?: string;
  readonly difficulty?: 1 | 2;
  /** What all of them need, beside what each needs. */
  readonly when?: When<R>;
  /** Names of those whose calls ask other APIs first: difficulty 2. */
  readonly hard?: string;
  /** Names of those that are done in another app than that of their rows: `{ todo: "print buy" }`. */
  readonly elsewhere?: { readonly [app: string]: string };
}

/** Whether an API does not refuse a row. */
type When<R extends TableRow> = (row: R, db: Reader) => boolean;

/** One entry of a list of actions. */
export interface ActionSpec<R extends TableRow> {
  readonly difficulty?: 1 | 2;
  readonly takes?: Action["takes"];
  readonly effect: (draw: Draw, on: On<R>) => Effect | undefined;
}

/** Where and how an agent does it. */
export interface How<R extends TableRow> {
  /** Rows where the API does not refuse; absent: all. A row that is gone permits nothing. */
  readonly when?: When<R>;
  /** Of the app: called as `apis.app.api({id:x,args})`. */
  readonly api?: string;
  readonly args?: string;
  /** Instead of `api`: one statement or expression for the key `x`. */
  readonly call?: string;
  readonly uses?: readonly Value<unknown>[];
  readonly setup?: (db: Writer) => void;
}

/** Actions of the goal algebra by their names. Throws where `kind` names one that is not declared. */
export function actions<R extends TableRow>(
  on: On<R>,
  declare: (kit: ActionKit<R>) => { readonly [name: string]: ActionSpec<R> },
): Action[] {
  const declared = declare(actionKit<R>());
  const all = Object.keys(declared);
  const kinds = typeof on.kind === "string" ? { [on.kind]: all.join(" ") } : on.kind;
  return Object.entries(kinds).flatMap(([kind, names]) =>
    listed(names).map((name) => {
      const spec = declared[name];
      if (spec) return actionOf(on, kind, name, spec);
      throw new Error(`actions of ${kind} name "${name}"; declared are: ${all.join(", ")}`);
    }),
  );
}

const listed = (names = ""): readonly string[] => names.split(" ").filter(Boolean);

function actionOf<R extends TableRow>(
  on: On<R>,
  kind: string,
  name: string,
  { difficulty, takes, effect }: ActionSpec<R>,
): Action {
  const [app] = Object.entries(on.elsewhere ?? {}).find(([, all]) =>
    listed(all).includes(name),
  ) ?? [on.app];
  return {
    name,
    kind,
    app,
    difficulty: difficulty ?? (listed(on.hard).includes(name) ? 2 : (on.difficulty ?? 1)),
    ...(takes ? { takes } : {}),
    draw: (draw) => effect(draw, on),
  };
}

/** Does something to a row. */
function does<R extends TableRow>(
  apply: (db: Writer, row: R, table: Table<R>) => void,
  how: How<R>,
): Tagged<ActionSpec<R>> {
  const { uses, setup } = how;
  return said((phrase) => ({
    effect: (_, on) => ({
      frames: framesOf(phrase),
      ...permitsOf(on, how),
      apply: (db, id) => apply(db, db.get(on.table, id)!, on.table),
      call: (x) => callOf(how, on, x),
      ...(uses ? { uses } : {}),
      ...(setup ? { setup } : {}),
    }),
  }));
}

/** A row that is gone permits nothing. */
function permitsOf<R extends TableRow>(on: On<R>, how: How<R>): Pick<Effect, "permits"> {
  const needs = [on.when, how.when].filter((when) => when !== undefined);
  if (needs.length === 0) return {};
  return {
    permits: (db, id) => {
      const row = db.get(on.table, id);
      return row !== undefined && needs.every((when) => when(row, db));
    },
  };
}

function callOf<R extends TableRow>({ api, args, call }: How<R>, on: On<R>, x: string): string {
  if (call !== undefined) return call;
  return `apis.${on.app}.${api}({${on.key ?? "id"}:${x}${args ? `,${args}` : ""}})`;
}

/** Sets columns of a row. */
function sets<R extends TableRow>(
  patch: Partial<Omit<R, "id">> | ((row: R, db: Reader) => Partial<Omit<R, "id">>),
  how: How<R>,
): Tagged<ActionSpec<R>> {
  const patchOf = typeof patch === "function" ? patch : () => patch;
  return does((db, row, table) => void db.update(table, row.id, patchOf(row, db)), how);
}

/** Sets columns of a row in which one of them is another so far. */
function becomes<R extends TableRow>(
  patch: Partial<Omit<R, "id">>,
  how: How<R>,
): Tagged<ActionSpec<R>> {
  const keys = Object.keys(patch) as (keyof typeof patch)[];
  const { when } = how;
  return sets<R>(patch, {
    ...how,
    when: (row, db) => keys.some((key) => row[key] !== patch[key]) && (when?.(row, db) ?? true),
  });
}

/** Removes a row. */
const removes = <R extends TableRow>(how: How<R>): Tagged<ActionSpec<R>> =>
  does((db, row, table) => db.remove(table, row.id), how);

/** Adds a row to a table for each row of the set. */
const adds = <R extends TableRow, S extends TableRow>(
  table: Table<S>,
  made: (row: R, db: Reader) => Omit<S, "id">,
  how: How<R>,
): Tagged<ActionSpec<R>> => does((db, row) => void db.insert(table, made(row, db)), how);

/** An action that draws something first; undefined when nothing fits. */
function drawn<R extends TableRow>(draw: (draw: Draw) => ActionSpec<R> | undefined): ActionSpec<R> {
  return { effect: (from, on) => draw(from)?.effect(from, on) };
}

/** An action that needs a value, which may be literal or looked up elsewhere. It is drawn before anything else. */
function taking<R extends TableRow, T extends NonNullable<Action["takes"]>>(
  takes: T,
  draw: (value: ValueOf[T], draw: Draw) => ActionSpec<R> | undefined,
): ActionSpec<R> {
  return {
    takes,
    effect: (from, on) =>
      withOne(
        () => from.value(takes),
        (value) => draw(value, from)?.effect(from, on),
      )(from),
  };
}

/** An action of difficulty 2: its call asks other APIs first. */
const hard = <R extends TableRow>(spec: ActionSpec<R>): ActionSpec<R> => ({
  ...spec,
  difficulty: 2,
});

/** The kinds of actions, for rows of one type. */
const actionKit = <R extends TableRow>() => ({
  does: does<R>,
  sets: sets<R>,
  becomes: becomes<R>,
  removes: removes<R>,
  adds: <S extends TableRow>(...given: Parameters<typeof adds<R, S>>) => adds<R, S>(...given),
  drawn: drawn<R>,
  taking: <T extends NonNullable<Action["takes"]>>(
    takes: T,
    draw: Parameters<typeof taking<R, T>>[1],
  ) => taking<R, T>(takes, draw),
  hard: hard<R>,
});
/** What `actions` hands to its declaration. */
export type ActionKit<R extends TableRow> = ReturnType<typeof actionKit<R>>;
