/** Actions on steps of todos and on people. Selects which actions each kind of todos gets. */
import { actions, jsLiteral, oneOf } from "bowline/goals";
import type { Reader } from "bowline/world";
import { people, todos } from "../../apps/tables.ts";
import { activeListShares, canChangeList } from "../../apps/todo/details.ts";
import { listShares, type Step, steps } from "../../apps/todo/tables.ts";
import { selectActions } from "../files-notes-todos.ts";
import { allTodoActions, drawOwnList } from "./actions.ts";
import { makeInboxTodo } from "./todos-by-title.ts";

const canChangeStep = ({ todo }: Step, db: Reader) => {
  const row = db.get(todos, todo);
  return row !== undefined && canChangeList(db, row.list);
};

const STEPS_LIST = {
  kind: "steps",
  app: "todo",
  table: steps,
  key: "step",
  when: canChangeStep,
} as const;

const stepActions = actions<Step>(STEPS_LIST, ({ removesRow, sets }) => ({
  "check-step": sets("done", true, { api: "checkStep" })`Mark # as done | Tick off #
    | Check # as done | In the todo app, mark # as done | Check off #`,
  "uncheck-step": sets("done", false, { api: "uncheckStep" })`Mark # as open again | Uncheck #
    | Reopen # | In the todo app, uncheck # | Set # back to open`,
  "remove-step": removesRow({ api: "removeStep" })`Remove # | Delete # | Take away #
    | In the todo app, remove # | Strike off #`,
}));

const ROLES = ["viewer", "editor"] as const;
const PEOPLE_LIST = {
  kind: "people",
  app: "todo",
  table: people,
  difficult: "todo-about",
} as const;

const peopleActions = actions(PEOPLE_LIST, ({ addsRow, applies, actionWith, actionWithOne }) => ({
  /** Adds a todo for each person, with the name in its title. */
  "todo-about": actionWithOne(oneOf(["call", "visit", "write to", "thank"]), ({ value: verb }) =>
    addsRow(todos, ({ name }, db) => makeInboxTodo(db, `${verb} ${name}`), {
      call: `const c=apis.contacts.show({person:x});apis.todo.add({title:${jsLiteral(`${verb} `)}+c.name,list:"inbox"})`,
    }),
  )`Add a todo "$ NAME" to my inbox list, with the full name in place of NAME, for #
    | Put a todo "$ NAME" on my inbox list, where NAME stands for the full name, for #
    | With the full name in place of NAME, add the todo "$ NAME" to my inbox list for #
    | On the inbox list, make a todo "$ NAME" for each of these people, with the full name for NAME: #
    | On my inbox list, add a todo "$ NAME" (NAME is the full name) for #`,
  "share-list": actionWith({ list: drawOwnList, role: oneOf(ROLES) }, (drawn) => {
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
        call: `apis.todo.shareList({list:${drawn.list.code},person:x,role:${drawn.role.code}})`,
      },
    );
  })`As $role, let # have access to my todo list "$list" | Share my todo list "$list", with the role
    $role, with # | Give access to my todo list "$list", with the role $role, to #
    | In the todo app, share the list "$list", with the role $role, with #
    | With the role $role, share my todo list "$list" with #`,
}));

/** The names of the actions that are possible on todos of every kind. */
const ACTIONS_FOR_ANY_TODO =
  "remove set-due priority estimate tag comment add-step log-time retitle";

export const todoActions = [
  ...selectActions(
    "todos",
    allTodoActions,
    `${ACTIONS_FOR_ANY_TODO} complete postpone move event assign`,
  ),
  ...selectActions("done-todos", allTodoActions, "reopen remove comment retitle tag move"),
  ...selectActions(
    "repeating-todos",
    allTodoActions,
    "complete-round end-repeat postpone priority tag comment estimate",
  ),
  ...selectActions("assigned-todos", allTodoActions, `unassign complete ${ACTIONS_FOR_ANY_TODO}`),
  ...selectActions("steps", stepActions, "check-step"),
  ...selectActions("done-steps", stepActions, "uncheck-step"),
  ...selectActions("steps", stepActions, "remove-step"),
  ...selectActions("done-steps", stepActions, "remove-step"),
  ...peopleActions,
];
