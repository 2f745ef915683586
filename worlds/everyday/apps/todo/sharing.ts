/** Lists shared with contacts by role, lists of others, and who does what: only an editor of a list gets its todos. */

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
import { activeListShares, detailsOf, foreign, ownList, setDetails } from "./details.ts";
import { listName, lists } from "./index.ts";
import { foreignLists, LIST_ROLES, type ListShare, listShares } from "./tables.ts";
import { aList, aTodo, fullTodos, todoRow } from "./views.ts";

const list = shortTextParam("name of the list");
const role = z.enum(LIST_ROLES).describe("editors may change the list's todos");

const shares = resource({
  noun: "share",
  item: listShares.item({
    list: listName,
    name: nameField,
    handle: handleField,
    role: z.enum(LIST_ROLES),
  }),
  keys: { list, with: handleParam("with whom it is shared") },
  find: (args, { db }) => {
    const { id, name } = ownList(db, args.list);
    const person = requirePerson(db, args.with, "with").id;
    const [found] = activeListShares(db, { list: id, person });
    const hint = "todo.listMembers lists them";
    refuseUnless(found, 404, `with: "${name}" is not shared with "${args.with}"; ${hint}`);
    return found;
  },
  example: aShare,
});

/** An active share of whom nobody's todos depend. */
function aShare(db: Reader): { list: string; with: string } {
  const row = activeListShares(db, {}).find((share) => assignedTo(db, share).length === 0);
  const name = row ? db.get(todoLists, row.list)?.name : undefined;
  return { list: name ?? "inbox", with: row ? handleOf(db, row.person) : "amara.o" };
}

/** Open todos of the list that this person shall do. */
function assignedTo(db: Reader, { list, person }: ListShare): Todo[] {
  const open = db.where(todos, { list, done: false });
  return open.filter(({ id }) => detailsOf(db, id).assignee === person);
}

function refuseAssigned(db: Reader, share: ListShare, param: string): void {
  const [first, ...more] = assignedTo(db, share);
  refuseUnless(!first, 409, () => {
    const others = more.length > 0 ? ` and ${more.length} more` : "";
    return `${param}: "${handleOf(db, share.person)}" shall do todo ${first?.id}${others}; todo.unassign first`;
  });
}

const foreignItem = foreignLists.item({
  name: listName,
  from: handleField,
  role: z.enum(LIST_ROLES),
  open: [z.int(), ({ list }, { db }) => db.where(todos, { list, done: false }).length],
});

/** Editors of the todo's list; on a list of another, its owner too. */
function doers(db: Reader, list: number): number[] {
  const editors = activeListShares(db, { list }).filter(({ role }) => role === "editor");
  const other = foreign(db, list);
  return [...editors.map(({ person }) => person), ...(other ? [other.person] : [])];
}

export const sharingApis = {
  shareList: shares.add("Share a list of yours with a contact.", {
    params: { list, with: handleParam("with whom"), role: role.default("viewer") },
    row: (args, { db }) => {
      const { id: list, name } = ownList(db, args.list);
      const { id: person, handle } = requireReceiver(db, args.with, "with");
      const [old] = db.where(listShares, { list, person });
      const known = `"${name}" is already shared with "${handle}" as ${old?.role}`;
      refuseUnless(old?.status !== "active", 409, `with: ${known}; todo.setListRole changes that`);
      const what = { role: args.role, status: "active" } as const;
      return old ? db.update(listShares, old.id, what) : { list, person, ...what };
    },
    example: (db) => {
      const person = db.where(people, { handle: exampleHandleWhere(db) })[0]?.id ?? 1;
      const free = (id: number) => activeListShares(db, { list: id, person }).length === 0;
      return { list: aList(db, free), with: exampleHandleWhere(db), role: "editor" };
    },
  }),
  unshareList: shares.change("Stop sharing a list with a person who has no open todo on it.", {
    set: (row, _, { db }) => {
      refuseAssigned(db, row, "with");
      return { status: "ended" };
    },
  }),
  setListRole: shares.change("Change what a person with whom a list is shared may do.", {
    params: { role },
    set: (row, { role, ...args }, { db }) => {
      refuseUnless(row.role !== role, 409, `role: "${args.with}" is ${role} already`);
      if (role === "viewer") refuseAssigned(db, row, "with");
      return { role };
    },
    example: (db) => {
      const share = aShare(db);
      const row = activeListShares(db, {}).find((one) => handleOf(db, one.person) === share.with);
      return { ...share, role: row?.role === "editor" ? "viewer" : "editor" };
    },
  }),
  listMembers: shares.list("List with whom lists of yours are shared, in the order of sharing.", {
    rows: { status: "active" },
    filters: {
      list: [list.describe("only this list"), (name, { db }) => ({ list: ownList(db, name).id })],
    },
    example: (db) => ({ list: aShare(db).list }),
  }),
  listsOfOthers: listApi("List the lists of others that you see, and what you may do there.", {
    item: foreignItem,
  }),
  renameList: lists.change("Change the name of a list of yours; the inbox keeps its name.", {
    params: { name: shortTextParam("the new name") },
    find: ({ list }, { db }) => ownList(db, list),
    checkRow: ({ name }) => refuseUnless(name !== "inbox", 409, "list: the inbox keeps its name"),
    example: (db) => ({
      list: aList(db, (id) => db.get(todoLists, id)?.name !== "inbox"),
      name: "odd jobs",
    }),
  }),
  assign: fullTodos.change(
    "Assign a todo on a shared list to one of the list's editors, in place of another.",
    {
      params: { to: handleParam("who shall do it") },
      set: (row, { to }, { db }) => {
        const person = requireReceiver(db, to, "to");
        const able = doers(db, row.list);
        refuseUnless(able.includes(person.id), 422, () => {
          const who = able.map((one) => handleOf(db, one)).join(", ") || "nobody";
          return `to: expected an editor of the todo's list (${who}), got "${to}"`;
        });
        const taken = detailsOf(db, row.id).assignee === person.id;
        refuseUnless(!taken, 409, `to: "${person.handle}" shall do todo ${row.id} already`);
        return { assignee: person.id };
      },
      example: (db) => {
        const row = todoRow(db, ({ list, id }) => {
          return doers(db, list).length > 0 && detailsOf(db, id).assignee === null;
        });
        const [person] = row ? doers(db, row.list) : [];
        return { id: row?.id ?? 1, to: person === undefined ? "amara.o" : handleOf(db, person) };
      },
    },
  ),
  unassign: fullTodos.set(
    "Let nobody in particular do a todo.",
    { assignee: null },
    "is assigned to nobody",
  ),
  duplicate: fullTodos.act(
    "Add an open todo with the list, priority, estimate and tags of a todo, and another title.",
    {
      params: { title: shortTextParam("title of the new todo") },
      run: ({ id, list }, { title }, { db }) => {
        const { priority, minutes, tags } = detailsOf(db, id);
        const made = db.insert(todos, { title, list, due: null, done: false });
        setDetails(db, made.id, { priority, minutes, tags });
        return made;
      },
      example: (db) => ({ id: aTodo(db), title: "the same again" }),
    },
  ),
};
