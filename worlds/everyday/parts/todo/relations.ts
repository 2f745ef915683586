/** Relations from todos to assignees, steps and prerequisites, and from people to their todos. */
import { relationBetween, relations } from "bowline/goals";
import { todos } from "../../apps/tables.ts";
import { readDetails } from "../../apps/todo/details.ts";
import { details, steps } from "../../apps/todo/tables.ts";
import { distinctForEach, distinctOverPages } from "../files-notes-todos.ts";

const assigneesRelation = (from: string) =>
  relationBetween(from, "people", {
    relatedIds: (id, db) => readDetails(db, id).assignee,
    cells: (ids, to) => [
      `var ${to}=[];for(const f of ${ids}){const a=apis.todo.details({id:f}).assignee;if(a&&!${to}.includes(a))${to}.push(a)}print(${to})`,
    ],
  })`the assignees of # | everyone who is an assignee of # | all people who are to do, as assignees,
    # | each person who is the assignee of # | all contacts that are the assignees of #`;

const stepsRelation = (done: boolean) =>
  ({
    from: "todos",
    to: done ? "done-steps" : "steps",
    relatedIds: (todo, db) => db.where(steps, { todo, done }).map(({ id }) => id),
    cells: distinctOverPages(`apis.todo.steps({id:f,done:${done},size:20,page:p++})`, "id"),
  }) satisfies Parameters<typeof relationBetween>[0];

export const todoRelations = relations("todo", {
  "todos.assignees": assigneesRelation("todos"),
  "assigned-todos.assignees": assigneesRelation("assigned-todos"),
  "people.todos": relationBetween("people", "todos", {
    relatedIds: (assignee, db) =>
      db
        .where(details, { assignee })
        .map(({ todo }) => todo)
        .filter((id) => db.get(todos, id)?.done === false),
    cells: distinctOverPages("apis.todo.list({done:false,person:f,size:20,page:p++})", "id"),
  })`all open todos assigned to # | every open todo that is assigned to #
    | all open todos which have been assigned to # | each todo that is still open and assigned to #
    | all those todos that are open and assigned to #`,
  "todos.open-steps": relationBetween(stepsRelation(false))`all open steps of #
    | every step that is not done yet of # | all steps that are still open of #
    | each step which is still to be done of # | all those steps that are not yet done of #`,
  "todos.done-steps": relationBetween(stepsRelation(true))`all done steps of #
    | every step that is already done of # | all steps that have been done of #
    | each step which has been done already of # | all those steps that are done of #`,
  "todos.waits": relationBetween("todos", "todos", {
    relatedIds: (id, db) => readDetails(db, id).waits,
    cells: distinctForEach("...apis.todo.details({id:f}).waits"),
  })`all todos that are waited for by # | every todo that is waited for by #
    | all todos that block, because they are waited for, #
    | each todo which is waited for by # | all those todos that are waited for by #`,
});
