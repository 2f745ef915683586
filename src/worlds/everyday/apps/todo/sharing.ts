/** Lists shared with contacts by role, lists of others, and who does what: only an editor of a list gets its todos. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  freeName,
  handle,
  handleOf,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personBy,
  receiver,
} from "../shared.ts";
import { people, type Todo, type TodoList, todoLists, todos } from "../tables.ts";
import { activeListShares, detailsOf, foreign, ownList, setDetails, todoBy } from "./details.ts";
import { foreignLists, LIST_ROLES, type ListShare, listShares } from "./tables.ts";
import { agendaItem, agendaView, aList, aTodo, someone, todoRow } from "./views.ts";

const id = idOf("todo");
const list = line("name of the list");
const role = z.enum(LIST_ROLES).describe("editors may change the list's todos");

const shareItem = z.strictObject({
  list: z.string(),
  name: z.string(),
  handle: z.string(),
  role: z.enum(LIST_ROLES),
});

const shareView = (db: Reader) => (row: ListShare) => ({
  list: db.get(todoLists, row.list)?.name ?? "removed",
  name: db.get(people, row.person)?.name ?? "removed",
  handle: handleOf(db, row.person),
  role: row.role,
});

function shareBy(db: Reader, listName: string, came: string): ListShare {
  const row = ownList(db, listName);
  const person = personBy(db, came, "with").id;
  const [found] = activeListShares(db, { list: row.id, person });
  if (found) return found;
  throw new ApiError(
    404,
    `with: "${row.name}" is not shared with "${came}"; todo.listMembers lists them`,
  );
}

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
  if (!first) return;
  const others = more.length > 0 ? ` and ${more.length} more` : "";
  throw new ApiError(
    409,
    `${param}: "${handleOf(db, share.person)}" shall do todo ${first.id}${others}; todo.unassign first`,
  );
}

const shareList = defineApi({
  summary: "Share a list of yours with a contact.",
  params: z.strictObject({ list, with: handle("with whom"), role: role.default("viewer") }),
  returns: shareItem,
  example: (db) => {
    const person = db.where(people, { handle: someone(db) })[0]?.id ?? 1;
    const free = (id: number) => activeListShares(db, { list: id, person }).length === 0;
    return { list: aList(db, free), with: someone(db), role: "editor" as const };
  },
  handler: ({ db }, args) => {
    const row = ownList(db, args.list);
    const person = receiver(db, args.with, "with");
    const [old] = db.where(listShares, { list: row.id, person: person.id });
    if (old?.status === "active") {
      throw new ApiError(
        409,
        `with: "${row.name}" is already shared with "${person.handle}" as ${old.role}; todo.setListRole changes that`,
      );
    }
    const what = { role: args.role, status: "active" } as const;
    const made = old
      ? db.update(listShares, old.id, what)
      : db.insert(listShares, { list: row.id, person: person.id, ...what });
    return shareView(db)(made);
  },
});

const unshareList = defineApi({
  summary: "Stop sharing a list with a person who has no open todo on it.",
  params: z.strictObject({ list, with: handle("with whom it is shared") }),
  returns: shareItem,
  example: (db) => aShare(db),
  handler: ({ db }, args) => {
    const row = shareBy(db, args.list, args.with);
    refuseAssigned(db, row, "with");
    return shareView(db)(db.update(listShares, row.id, { status: "ended" }));
  },
});

const setListRole = defineApi({
  summary: "Change what a person with whom a list is shared may do.",
  params: z.strictObject({ list, with: handle("with whom it is shared"), role }),
  returns: shareItem,
  example: (db) => {
    const share = aShare(db);
    const row = activeListShares(db, {}).find((one) => handleOf(db, one.person) === share.with);
    return { ...share, role: row?.role === "editor" ? ("viewer" as const) : ("editor" as const) };
  },
  handler: ({ db }, args) => {
    const row = shareBy(db, args.list, args.with);
    if (row.role === args.role) {
      throw new ApiError(409, `role: "${args.with}" is ${args.role} already`);
    }
    if (args.role === "viewer") refuseAssigned(db, row, "with");
    return shareView(db)(db.update(listShares, row.id, { role: args.role }));
  },
});

const listMembers = defineApi({
  summary: "List with whom lists of yours are shared, in the order of sharing.",
  params: z.strictObject({ list: list.optional().describe("only this list"), ...paging }),
  returns: pageOf(shareItem),
  example: (db) => ({ list: aShare(db).list }),
  handler: ({ db }, { list, ...page }) => {
    const match = list === undefined ? {} : { list: ownList(db, list).id };
    return paged(activeListShares(db, match), page, shareView(db));
  },
});

const foreignItem = z.strictObject({
  name: z.string(),
  from: z.string(),
  role: z.enum(LIST_ROLES),
  open: z.int(),
});

const listsOfOthers = defineApi({
  summary: "List the lists of others that you see, and what you may do there.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(foreignItem),
  example: () => ({}),
  handler: ({ db }, page) =>
    paged(db.all(foreignLists), page, ({ list, person, role }) => ({
      name: db.get(todoLists, list)?.name ?? "removed",
      from: handleOf(db, person),
      role,
      open: db.where(todos, { list, done: false }).length,
    })),
});

const renameList = defineApi({
  summary: "Change the name of a list of yours; the inbox keeps its name.",
  params: z.strictObject({ list, name: line("the new name") }),
  returns: z.strictObject({ name: z.string(), size: z.int() }),
  example: (db) => ({
    list: aList(db, (id) => db.get(todoLists, id)?.name !== "inbox"),
    name: "odd jobs",
  }),
  handler: ({ db }, args) => {
    const row = ownList(db, args.list);
    if (row.name === "inbox") throw new ApiError(409, "list: the inbox keeps its name");
    freeName(db, todoLists, args.name, row.id);
    const renamed: TodoList = db.update(todoLists, row.id, { name: args.name });
    return { name: renamed.name, size: db.where(todos, { list: row.id }).length };
  },
});

// --- who does what ---

/** Editors of the todo's list; on a list of another, its owner too. */
function doers(db: Reader, list: number): number[] {
  const editors = activeListShares(db, { list }).filter(({ role }) => role === "editor");
  const other = foreign(db, list);
  return [...editors.map(({ person }) => person), ...(other ? [other.person] : [])];
}

const assign = defineApi({
  summary: "Assign a todo on a shared list to one of the list's editors, in place of another.",
  params: z.strictObject({ id, to: handle("who shall do it") }),
  returns: agendaItem,
  example: (db) => {
    const row = todoRow(db, ({ list, id }) => {
      return doers(db, list).length > 0 && detailsOf(db, id).assignee === null;
    });
    const [person] = row ? doers(db, row.list) : [];
    return { id: row?.id ?? 1, to: person === undefined ? "amara.o" : handleOf(db, person) };
  },
  handler: ({ db }, { id, to }) => {
    const row = todoBy(db, id);
    const person = receiver(db, to, "to");
    const able = doers(db, row.list);
    if (!able.includes(person.id)) {
      const who = able.map((one) => handleOf(db, one)).join(", ") || "nobody";
      throw new ApiError(422, `to: expected an editor of the todo's list (${who}), got "${to}"`);
    }
    if (detailsOf(db, id).assignee === person.id) {
      throw new ApiError(409, `to: "${person.handle}" shall do todo ${id} already`);
    }
    setDetails(db, id, { assignee: person.id });
    return agendaView(db)(row);
  },
});

const unassign = defineApi({
  summary: "Let nobody in particular do a todo.",
  params: z.strictObject({ id }),
  returns: agendaItem,
  example: (db) => ({ id: aTodo(db, (row) => detailsOf(db, row.id).assignee !== null) }),
  handler: ({ db }, { id }) => {
    const row = todoBy(db, id);
    if (detailsOf(db, id).assignee === null) {
      throw new ApiError(409, `id: todo ${id} is assigned to nobody`);
    }
    setDetails(db, id, { assignee: null });
    return agendaView(db)(row);
  },
});

const duplicate = defineApi({
  summary:
    "Add an open todo with the list, priority, estimate and tags of a todo, and another title.",
  params: z.strictObject({ id, title: line("title of the new todo") }),
  returns: agendaItem,
  example: (db) => ({ id: aTodo(db), title: "the same again" }),
  handler: ({ db }, args) => {
    const row = todoBy(db, args.id);
    const { priority, minutes, tags } = detailsOf(db, row.id);
    const made = db.insert(todos, { title: args.title, list: row.list, due: null, done: false });
    setDetails(db, made.id, { priority, minutes, tags });
    return agendaView(db)(made);
  },
});

export const sharingApis = {
  shareList,
  unshareList,
  setListRole,
  listMembers,
  listsOfOthers,
  renameList,
  assign,
  unassign,
  duplicate,
};
