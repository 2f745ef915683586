/**
 * Defines the APIs of lists shared with contacts by role, lists of others, and assignees. Only an editor of a list can
 * be assigned its todos.
 */

import { listApi, refuseUnless, resource, shortTextParam } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  exampleHandleWhere,
  handleField,
  handleOf,
  handleParam,
  nameField,
  requirePerson,
  requireReceiver,
} from "../shared.ts";
import { people, type Todo, todoLists, todos } from "../tables.ts";
import {
  activeListShares,
  findListOfOther,
  readDetails,
  requireOwnList,
  writeDetails,
} from "./details.ts";
import { listName, listResource } from "./index.ts";
import { LIST_ROLES, type ListShare, listShares, listsOfOthers } from "./tables.ts";
import { exampleOwnList, exampleTodo, exampleTodoId, todoWithDetails } from "./todo-items.ts";

const list = shortTextParam("name of the list");
const role = z.enum(LIST_ROLES).describe("editors may change the list's todos");

const shareResource = resource({
  noun: "share",
  item: listShares.item({
    list: listName,
    name: nameField,
    handle: handleField,
    role: z.enum(LIST_ROLES),
  }),
  keys: { list, person: handleParam("with whom it is shared") },
  find: (args, { db }) => {
    const { id, name } = requireOwnList(db, args.list);
    const person = requirePerson(db, args.person, "person").id;
    const [found] = activeListShares(db, { list: id, person });
    const hint = "todo.listMembers lists them";
    refuseUnless(found, 404, `person: "${name}" is not shared with "${args.person}"; ${hint}`);
    return found;
  },
  example: exampleShare,
});

/** Returns an active share with a person who has no open todo on the list. Examples of API calls use it. */
function exampleShare(db: Reader): { list: string; person: string } {
  const row = activeListShares(db, {}).find((share) => openTodosAssigned(db, share).length === 0);
  const name = row ? db.get(todoLists, row.list)?.name : undefined;
  return { list: name ?? "inbox", person: row ? handleOf(db, row.person) : "amara.o" };
}

/** Returns the open todos of the shared list that are assigned to this person. */
function openTodosAssigned(db: Reader, { list, person }: ListShare): Todo[] {
  const open = db.where(todos, { list, done: false });
  return open.filter(({ id }) => readDetails(db, id).assignee === person);
}

function refuseAssigned(db: Reader, share: ListShare, param: string): void {
  const [first, ...more] = openTodosAssigned(db, share);
  refuseUnless(!first, 409, () => {
    const others = more.length > 0 ? ` and ${more.length} more` : "";
    return `${param}: "${handleOf(db, share.person)}" shall do todo ${first?.id}${others}; todo.unassign first`;
  });
}

const listOfOtherItem = listsOfOthers.item({
  name: listName,
  from: handleField,
  role: z.enum(LIST_ROLES),
  open: [z.int(), ({ list }, { db }) => db.where(todos, { list, done: false }).length],
});

/**
 * Returns the ids of the people who may be assigned a todo of the list: the list's editors and, on another person's
 * list, that person.
 */
function possibleAssignees(db: Reader, list: number): number[] {
  const editors = activeListShares(db, { list }).filter(({ role }) => role === "editor");
  const other = findListOfOther(db, list);
  return [...editors.map(({ person }) => person), ...(other ? [other.person] : [])];
}

export const sharingApis = {
  shareList: shareResource.add("Share a list of yours with a contact.", {
    params: { list, person: handleParam("with whom"), role: role.default("viewer") },
    row: (args, { db }) => {
      const { id: list, name } = requireOwnList(db, args.list);
      const { id: person, handle } = requireReceiver(db, args.person, "person");
      const [existing] = db.where(listShares, { list, person });
      const known = `"${name}" is already shared with "${handle}" as ${existing?.role}`;
      refuseUnless(
        existing?.status !== "active",
        409,
        `person: ${known}; todo.setListRole changes that`,
      );
      const columns = { role: args.role, status: "active" } as const;
      return existing ? db.update(listShares, existing.id, columns) : { list, person, ...columns };
    },
    example: (db) => {
      const person = db.where(people, { handle: exampleHandleWhere(db) })[0]?.id ?? 1;
      const isUnshared = (id: number) => activeListShares(db, { list: id, person }).length === 0;
      return {
        list: exampleOwnList(db, isUnshared),
        person: exampleHandleWhere(db),
        role: "editor",
      };
    },
  }),
  unshareList: shareResource.change(
    "Stop sharing a list with a person who has no open todo on it.",
    {
      set: (row, _, { db }) => {
        refuseAssigned(db, row, "person");
        return { status: "ended" };
      },
    },
  ),
  setListRole: shareResource.change("Change what a person with whom a list is shared may do.", {
    params: { role },
    set: (row, { role, ...args }, { db }) => {
      refuseUnless(row.role !== role, 409, `role: "${args.person}" is ${role} already`);
      if (role === "viewer") refuseAssigned(db, row, "person");
      return { role };
    },
    example: (db) => {
      const share = exampleShare(db);
      const row = activeListShares(db, {}).find((one) => handleOf(db, one.person) === share.person);
      return { ...share, role: row?.role === "editor" ? "viewer" : "editor" };
    },
  }),
  listMembers: shareResource.list(
    "List with whom lists of yours are shared, in the order of sharing; shares that ended are left out.",
    {
      rows: { status: "active" },
      filters: {
        list: [
          list.describe("only this list"),
          (name, { db }) => ({ list: requireOwnList(db, name).id }),
        ],
      },
      example: (db) => ({ list: exampleShare(db).list }),
    },
  ),
  listsOfOthers: listApi("List the lists of others that you see, and what you may do there.", {
    item: listOfOtherItem,
  }),
  renameList: listResource.change("Change the name of a list of yours; the inbox keeps its name.", {
    params: { name: shortTextParam("the new name") },
    find: ({ list }, { db }) => requireOwnList(db, list),
    checkRow: ({ name }) => refuseUnless(name !== "inbox", 409, "list: the inbox keeps its name"),
    example: (db) => ({
      list: exampleOwnList(db, (id) => db.get(todoLists, id)?.name !== "inbox"),
      name: "odd jobs",
    }),
  }),
  assign: todoWithDetails.change(
    "Assign a todo on a shared list to one of the list's editors, in place of another.",
    {
      params: { person: handleParam("who shall do it") },
      set: (row, args, { db }) => {
        const person = requireReceiver(db, args.person, "person");
        const allowed = possibleAssignees(db, row.list);
        refuseUnless(allowed.includes(person.id), 422, () => {
          const handles = allowed.map((one) => handleOf(db, one)).join(", ") || "nobody";
          return `person: expected an editor of the todo's list (${handles}), got "${args.person}"`;
        });
        const isAssigned = readDetails(db, row.id).assignee === person.id;
        refuseUnless(
          !isAssigned,
          409,
          `person: "${person.handle}" shall do todo ${row.id} already`,
        );
        return { assignee: person.id };
      },
      example: (db) => {
        const row = exampleTodo(db, ({ list, id }) => {
          return possibleAssignees(db, list).length > 0 && readDetails(db, id).assignee === null;
        });
        const [person] = row ? possibleAssignees(db, row.list) : [];
        return {
          id: row?.id ?? 1,
          person: person === undefined ? "amara.o" : handleOf(db, person),
        };
      },
    },
  ),
  unassign: todoWithDetails.set(
    "Let nobody in particular do a todo.",
    { assignee: null },
    "is assigned to nobody",
  ),
  duplicate: todoWithDetails.act(
    "Add an open todo with the list, priority, estimate and tags of a todo, and another title.",
    {
      params: { title: shortTextParam("title of the new todo") },
      run: ({ id, list }, { title }, { db }) => {
        const { priority, minutes, tags } = readDetails(db, id);
        const created = db.insert(todos, { title, list, due: null, done: false });
        writeDetails(db, created.id, { priority, minutes, tags });
        return created;
      },
      example: (db) => ({ id: exampleTodoId(db), title: "the same again" }),
    },
  ),
};
