/** From todos to who does them, to their steps and to what they wait for; from people to their todos. */
import type { Relation } from "../../../../goals/index.ts";
import { todos } from "../../apps/tables.ts";
import { detailsOf } from "../../apps/todo/details.ts";
import { details, steps } from "../../apps/todo/tables.ts";
import { distinct, throughPages } from "../papers.ts";

const assigneesOf = (kind: string): Relation => ({
  name: `${kind}.assignees`,
  from: kind,
  to: "people",
  app: "todo",
  words: [
    (noun) => `the assignees of ${noun}`,
    (noun) => `everyone who is an assignee of ${noun}`,
    (noun) => `all people who are to do, as assignees, ${noun}`,
    (noun) => `each person who is the assignee of ${noun}`,
    (noun) => `all contacts that are the assignees of ${noun}`,
  ],
  map: (db, ids) => distinct(ids.flatMap((id) => detailsOf(db, id).assignee ?? [])),
  cells: (from, to) => [
    `var ${to}=[];for(const f of ${from}){const a=apis.todo.details({id:f}).assignee;if(a&&!${to}.includes(a))${to}.push(a)}print(${to})`,
  ],
});

const theirs: Relation = {
  name: "people.todos",
  from: "people",
  to: "todos",
  app: "todo",
  words: [
    (noun) => `all open todos assigned to ${noun}`,
    (noun) => `every open todo that is assigned to ${noun}`,
    (noun) => `all open todos which have been assigned to ${noun}`,
    (noun) => `each todo that is still open and assigned to ${noun}`,
    (noun) => `all those todos that are open and assigned to ${noun}`,
  ],
  map: (db, ids) => {
    const rows = ids.flatMap((assignee) => db.where(details, { assignee }));
    return distinct(rows.map(({ todo }) => todo).filter((id) => db.get(todos, id)?.done === false));
  },
  cells: (from, to) => [
    throughPages(from, to, "apis.todo.agenda({assignee:f,size:20,page:p++})", "id"),
  ],
};

const openSteps: Relation = {
  name: "todos.open-steps",
  from: "todos",
  to: "steps",
  app: "todo",
  words: [
    (noun) => `all open steps of ${noun}`,
    (noun) => `every step that is not done yet of ${noun}`,
    (noun) => `all steps that are still open of ${noun}`,
    (noun) => `each step which is still to be done of ${noun}`,
    (noun) => `all those steps that are not yet done of ${noun}`,
  ],
  map: (db, ids) =>
    ids.flatMap((todo) => db.where(steps, { todo, done: false }).map(({ id }) => id)),
  cells: (from, to) => [
    throughPages(from, to, "apis.todo.steps({id:f,done:false,size:20,page:p++})", "id"),
  ],
};

const doneSteps: Relation = {
  name: "todos.done-steps",
  from: "todos",
  to: "done-steps",
  app: "todo",
  words: [
    (noun) => `all done steps of ${noun}`,
    (noun) => `every step that is already done of ${noun}`,
    (noun) => `all steps that have been done of ${noun}`,
    (noun) => `each step which has been done already of ${noun}`,
    (noun) => `all those steps that are done of ${noun}`,
  ],
  map: (db, ids) =>
    ids.flatMap((todo) => db.where(steps, { todo, done: true }).map(({ id }) => id)),
  cells: (from, to) => [
    throughPages(from, to, "apis.todo.steps({id:f,done:true,size:20,page:p++})", "id"),
  ],
};

const waitedFor: Relation = {
  name: "todos.waits",
  from: "todos",
  to: "todos",
  app: "todo",
  words: [
    (noun) => `all todos that are waited for by ${noun}`,
    (noun) => `every todo that is waited for by ${noun}`,
    (noun) => `all todos that block, because they are waited for, ${noun}`,
    (noun) => `each todo which is waited for by ${noun}`,
    (noun) => `all those todos that are waited for by ${noun}`,
  ],
  map: (db, ids) => distinct(ids.flatMap((id) => detailsOf(db, id).waits)),
  cells: (from, to) => [
    `var ${to}=[];for(const f of ${from})${to}.push(...apis.todo.details({id:f}).waits);${to}=[...new Set(${to})];print(${to})`,
  ],
};

export const todoRelations: readonly Relation[] = [
  assigneesOf("todos"),
  assigneesOf("assigned-todos"),
  theirs,
  openSteps,
  doneSteps,
  waitedFor,
];
