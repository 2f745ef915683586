/**
 * Defines APIs of the starter that refuse more calls in the full app: changing lists of other people that are only for
 * viewing, completing a todo that repeats or waits for other todos, and removing a list that is shared or belongs to
 * another person.
 */

import { refuseUnless } from "bowline/resources";
import type { Api, Reader } from "bowline/world";
import { requireRow } from "../shared.ts";
import { todos } from "../tables.ts";
import {
  activeListShares,
  openPrerequisites,
  readDetails,
  requireChangeableList,
  requireChangeableTodo,
  requireOwnList,
} from "./details.ts";
import { todo } from "./index.ts";

function addCheckToApi<Args>(name: string, check: (db: Reader, args: Args) => unknown): Api {
  const api = todo.apis[name]!;
  return {
    ...api,
    handler: (context, args) => {
      check(context.db, args);
      return api.handler(context, args);
    },
  };
}

type ById = { readonly id: number };
type ByList = { readonly list: string };

function requireCompletable(db: Reader, { id }: ById): void {
  requireChangeableTodo(db, id);
  const [first, ...more] = openPrerequisites(db, id);
  refuseUnless(!first, 409, () => {
    const others = more.length > 0 ? ` and ${more.length} more` : "";
    const todos = `todo ${first?.id} "${first?.title}"${others}`;
    return `id: todo ${id} waits for ${todos}; complete that first or todo.stopWaiting`;
  });
  const { every } = readDetails(db, id);
  const isRepeating = every !== null && !requireRow(db, todos, id, "todo").done;
  const hint = "todo.completeRound moves it to its next day, todo.endRepeat stops it";
  refuseUnless(!isRepeating, 409, `id: todo ${id} repeats ${every}; ${hint}`);
}

function requireRemovableList(db: Reader, { list }: ByList): void {
  const shared = activeListShares(db, { list: requireOwnList(db, list).id }).length;
  refuseUnless(
    shared === 0,
    409,
    `list: "${list}" is shared with ${shared}; todo.unshareList first`,
  );
}

const requireChangeable = (db: Reader, { id }: ById) => requireChangeableTodo(db, id);

export const stricterApis = {
  add: addCheckToApi("add", (db, { list }: ByList) => requireChangeableList(db, list)),
  complete: addCheckToApi("complete", requireCompletable),
  reopen: addCheckToApi("reopen", requireChangeable),
  rename: addCheckToApi("rename", requireChangeable),
  move: addCheckToApi("move", (db, args: ById & ByList) => [
    requireChangeableTodo(db, args.id),
    requireChangeableList(db, args.list),
  ]),
  setDue: addCheckToApi("setDue", requireChangeable),
  clearDue: addCheckToApi("clearDue", requireNotRepeating),
  remove: addCheckToApi("remove", requireChangeable),
  removeList: addCheckToApi("removeList", requireRemovableList),
};

function requireNotRepeating(db: Reader, { id }: ById): void {
  requireChangeableTodo(db, id);
  const { every } = readDetails(db, id);
  const hint = "todo.endRepeat first";
  refuseUnless(every === null, 409, `id: todo ${id} repeats ${every} and needs its day; ${hint}`);
}
