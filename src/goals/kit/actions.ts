/**
 * Actions: what can be done with every row of a set. Each states its meaning, its one API call and its phrases.
 *
 *     export const alarmActions = actions(
 *       { kind: "alarms", app: "clock", table: alarmRows },
 *       ({ sets, drawnAction }) => ({
 *         silence: sets({ on: false }, { when: (row) => row.on, api: "silence" })`Silence # | ...`,
 *         delay: drawnAction(({ rng }) => {
 *           const minutes = rng.pick([5, 10, 15]);
 *           const call = { api: "delay", args: `minutes:${minutes}` };
 *           return sets({ minutes }, call)`Delay # by ${minutes} minutes | ...`;
 *         }),
 *       }),
 *     );
 *
 * What an action does to rows, and which API an agent calls, are declared together but written independently.
 */
import type { Reader, Table, TableRow, Writer } from "../../world/index.ts";
import type { Action, DrawContext, Effect, Value, ValuesByType } from "../parts.ts";
import type { ActionListOptions, ActionSpec } from "./action-spec.ts";
import { drawThenMake } from "./draw-then-make.ts";
import {
  actionWith,
  actionWithFound,
  actionWithOne,
  actionWithOneOf,
  actionWithPerson,
  actionWithValue,
} from "./drawn-actions.ts";
import { drawnActionWithFound, drawnActionWithPerson } from "./findable-things.ts";
import type { Drawn, Ingredient, Ingredients } from "./ingredients.ts";
import { type NeedsPhrase, phraseNounFrames, phraseTag } from "./phrases.ts";
import { type RowCondition, toPredicate } from "./row-condition.ts";

/** How an agent performs an action, and for which rows. */
export interface ActionCall<R extends TableRow> {
  /**
   * A condition for the rows that the API does not refuse; by default it accepts all rows. A row that was removed is
   * never accepted.
   */
  readonly when?: RowCondition<R>;
  /** The API of the app, called as `apis.app.api({id:x,args})`. */
  readonly api?: string;
  readonly args?: string;
  /** Code that replaces `api`: one statement or expression for the key in `x`. */
  readonly call?: string;
  readonly uses?: readonly Value<unknown>[];
  readonly setup?: (db: Writer) => void;
}

/** Makes the actions of one list by their names. Throws when `kind` names an action that is not declared. */
export function actions<R extends TableRow>(
  list: ActionListOptions<R>,
  declare: (kit: ActionKit<R>) => { readonly [name: string]: ActionSpec<R> },
): Action[] {
  const declared = declare(actionKit<R>());
  const all = Object.keys(declared);
  const kinds = typeof list.kind === "string" ? { [list.kind]: all.join(" ") } : list.kind;
  return Object.entries(kinds).flatMap(([kind, names]) =>
    splitNames(names).map((name) => {
      const spec = declared[name];
      if (spec) return makeAction(list, kind, name, spec);
      throw new Error(
        `the actions of the kind "${kind}" include "${name}", which is not declared; declared are ${all.join(", ")}`,
      );
    }),
  );
}

const splitNames = (names = ""): readonly string[] => names.split(" ").filter(Boolean);

function makeAction<R extends TableRow>(
  list: ActionListOptions<R>,
  kind: string,
  name: string,
  { difficulty, takes, effect }: ActionSpec<R>,
): Action {
  const [app] = Object.entries(list.otherApps ?? {}).find(([, all]) =>
    splitNames(all).includes(name),
  ) ?? [list.app];
  return {
    name,
    kind,
    app,
    difficulty:
      difficulty ?? (splitNames(list.difficult).includes(name) ? 2 : (list.difficulty ?? 1)),
    ...(takes ? { takes } : {}),
    draw: (draw) => effect(draw, list),
  };
}

/** Makes an action that applies a function to each row. */
function applies<R extends TableRow>(
  apply: (db: Writer, row: R, table: Table<R>) => void,
  how: ActionCall<R>,
): NeedsPhrase<ActionSpec<R>> {
  const { uses, setup } = how;
  return phraseTag((phrase) => ({
    effect: (_, list) => ({
      frames: phraseNounFrames(phrase),
      ...permitsForRows(list, how),
      apply: (db, id) => apply(db, db.get(list.table, id)!, list.table),
      call: (x) => callCode(how, list, x),
      ...(uses ? { uses } : {}),
      ...(setup ? { setup } : {}),
    }),
  }));
}

/** Returns the test that a row must pass, if there is one. A row that was removed never passes. */
function permitsForRows<R extends TableRow>(
  list: ActionListOptions<R>,
  how: ActionCall<R>,
): Pick<Effect, "permits"> {
  const given = [list.when, how.when].filter((when) => when !== undefined);
  if (given.length === 0) return {};
  const needs = toPredicate(given);
  return {
    permits: (db, id) => {
      const row = db.get(list.table, id);
      return row !== undefined && needs(row, db);
    },
  };
}

function callCode<R extends TableRow>(
  { api, args, call }: ActionCall<R>,
  list: ActionListOptions<R>,
  x: string,
): string {
  if (call !== undefined) return call;
  return `apis.${list.app}.${api}({${list.key ?? "id"}:${x}${args ? `,${args}` : ""}})`;
}

type Patch<R extends TableRow> = Partial<Omit<R, "id">>;
type PatchFunction<R extends TableRow> = (row: R, db: Reader) => Patch<R>;

/** Sets columns of a row, either several by a patch, or one by its name: `sets("removed", true, how)`. */
interface SetColumns<R extends TableRow, P> {
  (patch: P, how: ActionCall<R>): NeedsPhrase<ActionSpec<R>>;
  <C extends keyof R & string>(
    column: C,
    value: R[C],
    how: ActionCall<R>,
  ): NeedsPhrase<ActionSpec<R>>;
}

const acceptColumnOrPatch = <R extends TableRow, P>(
  set: (patch: P, how: ActionCall<R>) => NeedsPhrase<ActionSpec<R>>,
) =>
  ((what: P | string, value: unknown, how?: ActionCall<R>) =>
    how
      ? set({ [what as string]: value } as P, how)
      : set(what as P, value as ActionCall<R>)) as SetColumns<R, P>;

/** Makes an action that sets columns of a row. */
function sets<R extends TableRow>(
  patch: Patch<R> | PatchFunction<R>,
  how: ActionCall<R>,
): NeedsPhrase<ActionSpec<R>> {
  const patchOf = typeof patch === "function" ? patch : () => patch;
  return applies((db, row, table) => void db.update(table, row.id, patchOf(row, db)), how);
}

/**
 * Makes an action that sets columns. It is allowed only for rows in which at least one of them now has another value.
 */
function changesTo<R extends TableRow>(
  patch: Patch<R>,
  how: ActionCall<R>,
): NeedsPhrase<ActionSpec<R>> {
  const keys = Object.keys(patch) as (keyof typeof patch)[];
  const hasOtherValue = (row: R) => keys.some((key) => row[key] !== patch[key]);
  return sets<R>(patch, { ...how, when: [hasOtherValue, how.when ?? {}] });
}

/** How a column gets a drawn value. `arg` is the API's parameter; by default it has the name of the column. */
interface DrawnColumnCall<R extends TableRow> extends Pick<ActionCall<R>, "when" | "api"> {
  readonly arg?: string;
  /** Replaces `api`. Returns one statement or expression for the key in `x`, from the code of the value. */
  readonly call?: (code: string) => string;
}

/**
 * Makes an action that sets a column to a drawn value, which is `$` in the phrase. It is allowed only for rows with
 * another value.
 */
function setsToDrawn<R extends TableRow, C extends keyof R & string>(
  column: C,
  value: Ingredient<R[C] & (string | number)>,
  { when = {}, api, arg = column, call }: DrawnColumnCall<R>,
): NeedsPhrase<ActionSpec<R>> {
  return actionWithOne(value, (one) => {
    const called = call ? { call: call(one.code) } : { api: api!, args: `${arg}:${one.code}` };
    const patch = { [column]: one.value } as unknown as Partial<Omit<R, "id">>;
    return changesTo<R>(patch, { when, ...called });
  });
}

/** Makes an action that removes the row. */
const removesRow = <R extends TableRow>(how: ActionCall<R>): NeedsPhrase<ActionSpec<R>> =>
  applies((db, row, table) => db.remove(table, row.id), how);

/** Makes an action that adds a row to another table for each row of the set. */
const addsRow = <R extends TableRow, S extends TableRow>(
  table: Table<S>,
  makeRow: (row: R, db: Reader) => Omit<S, "id">,
  how: ActionCall<R>,
): NeedsPhrase<ActionSpec<R>> => applies((db, row) => void db.insert(table, makeRow(row, db)), how);

/** Makes an action that draws something first. `draw` returns undefined when nothing is suitable. */
function drawnAction<R extends TableRow>(
  draw: (draw: DrawContext) => ActionSpec<R> | undefined,
): ActionSpec<R> {
  return { effect: (from, list) => draw(from)?.effect(from, list) };
}

type TakenType = NonNullable<Action["takes"]>;

/**
 * Makes an action that needs a value, which is literal or looked up elsewhere. The value is drawn before anything else.
 */
function drawnActionWithValue<R extends TableRow, T extends TakenType>(
  takes: T,
  draw: (value: ValuesByType[T], draw: DrawContext) => ActionSpec<R> | undefined,
): ActionSpec<R> {
  return {
    takes,
    effect: (from, list) =>
      drawThenMake(
        () => from.value(takes),
        (value) => draw(value, from)?.effect(from, list),
      )(from),
  };
}

/** Gives an action the difficulty 2, because its call asks other APIs first. */
const difficulty2 = <R extends TableRow>(spec: ActionSpec<R>): ActionSpec<R> => ({
  ...spec,
  difficulty: 2,
});

/** The functions that declare a list of actions, for rows of one type. */
const actionKit = <R extends TableRow>() => ({
  applies: applies<R>,
  sets: acceptColumnOrPatch<R, Patch<R> | PatchFunction<R>>(sets),
  changesTo: acceptColumnOrPatch<R, Patch<R>>(changesTo),
  setsToDrawn: <C extends keyof R & string>(...given: Parameters<typeof setsToDrawn<R, C>>) =>
    setsToDrawn<R, C>(...given),
  removesRow: removesRow<R>,
  addsRow: <S extends TableRow>(...given: Parameters<typeof addsRow<R, S>>) =>
    addsRow<R, S>(...given),
  drawnAction: drawnAction<R>,
  actionWith: <I extends Ingredients>(...given: Parameters<typeof actionWith<R, I>>) =>
    actionWith<R, I>(...given),
  actionWithOne: <V extends Drawn<unknown>>(...given: Parameters<typeof actionWithOne<R, V>>) =>
    actionWithOne<R, V>(...given),
  drawnActionWithValue: <T extends TakenType>(
    ...given: Parameters<typeof drawnActionWithValue<R, T>>
  ) => drawnActionWithValue<R, T>(...given),
  actionWithValue: <T extends TakenType>(...given: Parameters<typeof actionWithValue<R, T>>) =>
    actionWithValue<R, T>(...given),
  actionWithFound: <V extends Value<unknown>>(...given: Parameters<typeof actionWithFound<R, V>>) =>
    actionWithFound<R, V>(...given),
  actionWithPerson: actionWithPerson<R>,
  actionWithOneOf: <T extends string | number>(
    ...given: Parameters<typeof actionWithOneOf<R, T>>
  ) => actionWithOneOf<R, T>(...given),
  drawnActionWithFound: <T>(...given: Parameters<typeof drawnActionWithFound<R, T>>) =>
    drawnActionWithFound<R, T>(...given),
  drawnActionWithPerson: drawnActionWithPerson<R>,
  difficulty2: difficulty2<R>,
});
/** The functions that `actions` passes to its declaration. */
export type ActionKit<R extends TableRow> = ReturnType<typeof actionKit<R>>;
