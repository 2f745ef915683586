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
import type { ActionSpec, How, On, Takes } from "./acting.ts";
import { finding, giving, naming, picking } from "./drawn.ts";
import { using, withFriend } from "./found.ts";
import { framesOf, said, type Tagged } from "./phrases.ts";
import { withOne } from "./uses.ts";

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

type Patch<R extends TableRow> = Partial<Omit<R, "id">>;
type PatchOf<R extends TableRow> = (row: R, db: Reader) => Patch<R>;

/** Sets a column of a row: `sets("removed", true, how)`; or several, which may depend on the row. */
interface Sets<R extends TableRow> {
  (patch: Patch<R> | PatchOf<R>, how: How<R>): Tagged<ActionSpec<R>>;
  <K extends keyof R & string>(column: K, value: R[K], how: How<R>): Tagged<ActionSpec<R>>;
}

function sets<R extends TableRow>(
  what: string | Patch<R> | PatchOf<R>,
  value: unknown,
  given?: How<R>,
): Tagged<ActionSpec<R>> {
  const how = given ?? (value as How<R>);
  const patch = (typeof what === "string" ? { [what]: value } : what) as Patch<R> | PatchOf<R>;
  const patchOf = typeof patch === "function" ? patch : () => patch;
  return does((db, row, table) => void db.update(table, row.id, patchOf(row, db)), how);
}

/** Sets a column of a row that is another so far: `becomes("pinned", true, { api: "pin" })`. */
function becomes<R extends TableRow, K extends keyof R & string>(
  column: K,
  value: R[K],
  how: How<R>,
): Tagged<ActionSpec<R>> {
  const { when } = how;
  return sets<R>(column, value, {
    ...how,
    when: (row, db) => row[column] !== value && (when?.(row, db) ?? true),
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
  sets: sets as Sets<R>,
  becomes: <K extends keyof R & string>(...given: Parameters<typeof becomes<R, K>>) =>
    becomes<R, K>(...given),
  removes: removes<R>,
  adds: <S extends TableRow>(...given: Parameters<typeof adds<R, S>>) => adds<R, S>(...given),
  drawn: drawn<R>,
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
