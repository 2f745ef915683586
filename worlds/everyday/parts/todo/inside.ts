/** What is done with the steps of todos and for people; and which actions fit which kinds of todos. */
import { actions, jsLiteral, oneOf } from "bowline/goals";
import type { Reader } from "bowline/world";
import { people, todos } from "../../apps/tables.ts";
import { activeListShares, canChangeList } from "../../apps/todo/details.ts";
import { listShares, type Step, steps } from "../../apps/todo/tables.ts";
import { under } from "../papers.ts";
import { onTodos, ownList } from "./actions.ts";
import { inInbox } from "./words.ts";

const mayChangeStep = ({ todo }: Step, db: Reader) => {
  const row = db.get(todos, todo);
  return row !== undefined && canChangeList(db, row.list);
};

const STEPS = {
  kind: "steps",
  app: "todo",
  table: steps,
  key: "step",
  when: mayChangeStep,
} as const;

const onSteps = actions<Step>(STEPS, ({ removesRow, sets }) => ({
  "check-step": sets("done", true, { api: "checkStep" })`Mark # as done | Tick off #
    | Check # as done | In the todo app, mark # as done | Check off #`,
  "uncheck-step": sets("done", false, { api: "uncheckStep" })`Mark # as open again | Uncheck #
    | Reopen # | In the todo app, uncheck # | Set # back to open`,
  "remove-step": removesRow({ api: "removeStep" })`Remove # | Delete # | Take away #
    | In the todo app, remove # | Strike off #`,
}));

const ROLES = ["viewer", "editor"] as const;
const PEOPLE = { kind: "people", app: "todo", table: people, difficult: "todo-about" } as const;

const forPeople = actions(PEOPLE, ({ addsRow, applies, actionWith, actionWithOne }) => ({
  /** A todo a person, with the name in it. */
  "todo-about": actionWithOne(oneOf(["call", "visit", "write to", "thank"]), ({ value: verb }) =>
    addsRow(todos, ({ name }, db) => inInbox(db, `${verb} ${name}`), {
      call: `const c=apis.contacts.show({person:x});apis.todo.add({title:${jsLiteral(`${verb} `)}+c.name,list:"inbox"})`,
    }),
  )`Add a todo "$ NAME" to my inbox list, with the full name in place of NAME, for #
    | Put a todo "$ NAME" on my inbox list, where NAME stands for the full name, for #
    | With the full name in place of NAME, add the todo "$ NAME" to my inbox list for #
    | Make me a todo "$ NAME" on the inbox list, NAME being the full name, for #
    | On my inbox list, add a todo "$ NAME" (NAME is the full name) for #`,
  "share-list": actionWith({ list: ownList, role: oneOf(ROLES) }, (drawn) => {
    const [{ id: list }, role] = [drawn.list.value, drawn.role.value];
    return applies(
      (db, { id: person }) => {
        const [old] = db.where(listShares, { list, person });
        if (old) db.update(listShares, old.id, { role, status: "active" });
        else db.insert(listShares, { list, person, role, status: "active" });
      },
      {
        when: ({ id: person, blocked }, db) =>
          !blocked && activeListShares(db, { list, person }).length === 0,
        call: `apis.todo.shareList({list:${drawn.list.code},with:x,role:${drawn.role.code}})`,
      },
    );
  })`As $role, let # have access to my todo list "$list" | Share my todo list "$list", with the role
    $role, with # | Give access to my todo list "$list", with the role $role, to #
    | In the todo app, share the list "$list", with the role $role, with #
    | With the role $role, share my todo list "$list" with #`,
}));

/** What fits any todo, and so any kind of set of them. */
const ANY = "remove set-due priority estimate tag comment add-step log-time retitle";

export const todoActions = [
  ...under("todos", onTodos, `${ANY} complete postpone move event assign`),
  ...under("done-todos", onTodos, "reopen remove comment retitle tag move"),
  ...under(
    "repeating-todos",
    onTodos,
    "complete-round end-repeat postpone priority tag comment estimate",
  ),
  ...under("assigned-todos", onTodos, `unassign complete ${ANY}`),
  ...under("steps", onSteps, "check-step"),
  ...under("done-steps", onSteps, "uncheck-step"),
  ...under("steps", onSteps, "remove-step"),
  ...under("done-steps", onSteps, "remove-step"),
  ...forPeople,
];
