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
import { drawing, drawingOne, finding, giving, naming, picking } from "./drawn.ts";
import { using, withFriend } from "./found.ts";
import type { Drawn, Ingredient, Ingredients } from "./ingredients.ts";
import { framesOf, said, type Tagged } from "./phrases.ts";
import type { ActionSpec, On } from "./spec.ts";
import { withOne } from "./uses.ts";
import { met, type When } from "./when.ts";

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
  const given = [on.when, how.when].filter((when) => when !== undefined);
  if (given.length === 0) return {};
  const needs = met(given);
  return {
    permits: (db, id) => {
      const row = db.get(on.table, id);
      return row !== undefined && needs(row, db);
    },
  };
}

function callOf<R extends TableRow>({ api, args, call }: How<R>, on: On<R>, x: string): string {
  if (call !== undefined) return call;
  return `apis.${on.app}.${api}({${on.key ?? "id"}:${x}${args ? `,${args}` : ""}})`;
}

type Patch<R extends TableRow> = Partial<Omit<R, "id">>;
type PatchOf<R extends TableRow> = (row: R, db: Reader) => Patch<R>;

/** What columns of a row are set to: a column by its name, `sets("removed", true, how)`, or several. */
interface Sets<R extends TableRow, P> {
  (patch: P, how: How<R>): Tagged<ActionSpec<R>>;
  <C extends keyof R & string>(column: C, value: R[C], how: How<R>): Tagged<ActionSpec<R>>;
}

const bySets = <R extends TableRow, P>(set: (patch: P, how: How<R>) => Tagged<ActionSpec<R>>) =>
  ((what: P | string, value: unknown, how?: How<R>) =>
    how ? set({ [what as string]: value } as P, how) : set(what as P, value as How<R>)) as Sets<
    R,
    P
  >;

/** Sets columns of a row. */
function sets<R extends TableRow>(
  patch: Patch<R> | PatchOf<R>,
  how: How<R>,
): Tagged<ActionSpec<R>> {
  const patchOf = typeof patch === "function" ? patch : () => patch;
  return does((db, row, table) => void db.update(table, row.id, patchOf(row, db)), how);
}

/** Sets columns of a row in which one of them is another so far. */
function becomes<R extends TableRow>(patch: Patch<R>, how: How<R>): Tagged<ActionSpec<R>> {
  const keys = Object.keys(patch) as (keyof typeof patch)[];
  const another = (row: R) => keys.some((key) => row[key] !== patch[key]);
  return sets<R>(patch, { ...how, when: [another, how.when ?? {}] });
}

/** Where and how a column gets a value: `arg` is the parameter that takes it, where not called like the column. */
interface Getting<R extends TableRow> extends Pick<How<R>, "when" | "api"> {
  readonly arg?: string;
  /** Instead of `api`: one statement or expression for the key `x`, from the code of the value. */
  readonly call?: (code: string) => string;
}

/** Gives a column a drawn value, where it has another one so far; `$` is the value. */
function gets<R extends TableRow, C extends keyof R & string>(
  column: C,
  value: Ingredient<R[C] & (string | number)>,
  { when = {}, api, arg = column, call }: Getting<R>,
): Tagged<ActionSpec<R>> {
  return drawingOne(value, (one) => {
    const called = call ? { call: call(one.code) } : { api: api!, args: `${arg}:${one.code}` };
    const patch = { [column]: one.value } as unknown as Partial<Omit<R, "id">>;
    return becomes<R>(patch, { when, ...called });
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

type Takes = NonNullable<Action["takes"]>;

/** An action that needs a value, which may be literal or looked up elsewhere. It is drawn before anything else. */
function taking<R extends TableRow, T extends Takes>(
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

/** The kinds of actions, for rows of one type, and how one is drawn for something that is named in it. */
const actionKit = <R extends TableRow>() => ({
  does: does<R>,
  sets: bySets<R, Patch<R> | PatchOf<R>>(sets),
  becomes: bySets<R, Patch<R>>(becomes),
  gets: <C extends keyof R & string>(...given: Parameters<typeof gets<R, C>>) =>
    gets<R, C>(...given),
  removes: removes<R>,
  adds: <S extends TableRow>(...given: Parameters<typeof adds<R, S>>) => adds<R, S>(...given),
  drawn: drawn<R>,
  drawing: <I extends Ingredients>(...given: Parameters<typeof drawing<R, I>>) =>
    drawing<R, I>(...given),
  drawingOne: <V extends Drawn<unknown>>(...given: Parameters<typeof drawingOne<R, V>>) =>
    drawingOne<R, V>(...given),
  taking: <T extends Takes>(...given: Parameters<typeof taking<R, T>>) => taking<R, T>(...given),
  giving: <T extends Takes>(...given: Parameters<typeof giving<R, T>>) => giving<R, T>(...given),
  finding: <V extends Value<unknown>>(...given: Parameters<typeof finding<R, V>>) =>
    finding<R, V>(...given),
  naming: naming<R>,
  picking: <T extends string | number>(...given: Parameters<typeof picking<R, T>>) =>
    picking<R, T>(...given),
  using: <T>(...given: Parameters<typeof using<R, T>>) => using<R, T>(...given),
  withFriend: withFriend<R>,
  hard: hard<R>,
});
/** What `actions` hands to its declaration. */
export type ActionKit<R extends TableRow> = ReturnType<typeof actionKit<R>>;
