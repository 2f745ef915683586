/** Columns of todos, by which goals narrow, rank and ask for todos. */
import { alternatives, type ColumnExposure, declareColumns } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Todo, todoLists } from "../../apps/tables.ts";
import { readDetails } from "../../apps/todo/details.ts";
import { comments, steps, timeEntries } from "../../apps/todo/tables.ts";
import { drawWordClause } from "../files-notes-todos.ts";

const minutesSpent = ({ id }: Todo, db: Reader) =>
  db.where(timeEntries, { todo: id }).reduce((sum, { minutes }) => sum + minutes, 0);

const titleContainsPhrase = (word: string) => alternatives`with the word "${word}" in the title
  | whose title has the word "${word}" in it | in whose title you can read "${word}"
  | that have "${word}" as a word of the title | whose title contains the word "${word}"`;

/**
 * Declares the columns of todos. Some list APIs take the list and the priority as arguments; for the others the items
 * show them.
 */
const declareTodoColumns = (exposure: {
  readonly list: ColumnExposure;
  readonly priority: ColumnExposure;
}) =>
  declareColumns<Todo>(
    ({
      atLeast,
      atMost,
      choice,
      drawnClause,
      day,
      withProperty,
      number,
      person,
      superlatives,
      text,
    }) => ({
      title: text(({ title }) => title, { item: "title", noun: "title" }),
      list: choice(({ list }, db) => db.get(todoLists, list)?.name ?? "removed", exposure.list)`
      on the list "$" | that are on the list "$"
      | from the list "$" | which stand on the list "$" | whose list is "$"`,
      priority: choice(
        ({ id }, db) => readDetails(db, id).priority,
        exposure.priority,
      )`of $ priority
      | with $ priority | that have $ priority | whose priority is $ | which are of $ priority`,
      tag: choice(({ id }, db) => readDetails(db, id).tags, { arg: "tag" })`tagged "$"
      | with the tag "$" | that have the tag "$" | which are tagged "$" | that carry the tag "$"`,
      assignee: person(
        ({ id }, db) => readDetails(db, id).assignee,
        (handle) => ({ args: `person:${handle}` }),
      )`assigned to $ | that are assigned to $ | that $ is to do | which are for $ to do
      | whose assignee is $`,
      due: day(
        ({ due }) => due,
        { item: "due", noun: "due day" },
        superlatives`latest (by due day) / earliest (by due day) | latest (by due day) / earliest
          (by due day) | latest (by due day) / earliest (by due day) | latest (by due day) /
          earliest (by due day) | latest (by due day) / earliest (by due day)`,
        atMost("until", { arg: "until", excludes: ["undated"] })`due on $ or earlier
        | that are due on or before $ | which are due no later than $
        | whose due day is $ or a day before it | that are due by $ (that day included)`,
        atLeast("from", { arg: "since", excludes: ["undated"] })`due on $ or later
        | that are due on or after $ | which are due no earlier than $
        | whose due day is $ or a day after it | that are due from $ on (that day included)`,
      ),
      undated: withProperty(
        ({ due }) => due === null,
        { test: "x.due===null" },
        { excludes: ["from", "until"] },
      )`without a due day | that have no due day | with no due day at all
      | which are not due on any day | that lack a due day`,
      minutes: number(
        ({ id }, db) => readDetails(db, id).minutes,
        { code: "(x.minutes||0)", noun: "estimate in minutes" },
        superlatives`longest (by estimate) / shortest (by estimate)
          | longest (by estimate) / shortest (by estimate)
          | longest (by estimate) / shortest (by estimate)
          | longest (by estimate) / shortest (by estimate)
          | longest (by estimate) / shortest (by estimate)`,
        atLeast("long", {
          excludes: ["short"],
          code: (minutes) => ({ test: `x.minutes!==null&&x.minutes>=${minutes}` }),
        })`estimated at $ minutes or more | with an estimate of at least $ minutes
        | that are estimated to take $ minutes or longer
        | whose estimate is $ minutes or more | with an estimate that is no shorter than $ minutes`,
        atMost("short", {
          excludes: ["long"],
          code: (minutes) => ({ test: `x.minutes!==null&&x.minutes<=${minutes}` }),
        })`estimated at $ minutes or less | with an estimate of at most $ minutes
        | that are estimated to take no longer than $ minutes
        | whose estimate is $ minutes or less | with an estimate that is not above $ minutes`,
      ),
      spent: number(minutesSpent, {
        code: "apis.todo.details({id:x.id}).spent",
        noun: "time spent in minutes",
      }),
      every: choice(({ id }, db) => readDetails(db, id).every, {
        code: "apis.todo.details({id:x.id}).every",
      })`that repeat $ | which come again $ | that are repeated $ | with a $ rhythm
      | whose rhythm is $`,
      says: drawnClause(drawWordClause(({ title }) => title, "x.title", titleContainsPhrase)),
      commented: withProperty(({ id }, db) => db.where(comments, { todo: id }).length > 0, {
        test: "apis.todo.comments({id:x.id}).items.length>0",
      })`with at least one comment | that have a comment | on which there is a comment
      | that somebody has commented on | with one or more comments on them`,
      steps: withProperty(({ id }, db) => db.where(steps, { todo: id, done: false }).length > 0, {
        test: "apis.todo.details({id:x.id}).openSteps>0",
      })`with at least one open step | that have a step which is not done | with a step that is
        still open | of which at least one step is still to be done | that have one or more open
        steps`,
    }),
  );

export const columnsByArgument = declareTodoColumns({
  list: { arg: "list" },
  priority: { arg: "priority" },
});
export const columnsByItem = declareTodoColumns({
  list: { item: "list" },
  priority: { item: "priority" },
});
