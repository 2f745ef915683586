/**
 * What full todo refuses that the small app allows: to change lists of others that are for viewing only, to complete a
 * todo that waits for others or repeats, to remove a list of another or one that is shared. All else stays as it is.
 */

import { refuseUnless } from "bowline/resources";
import type { Api, Reader } from "bowline/world";
import { requireRow } from "../shared.ts";
import { todos } from "../tables.ts";
import { activeListShares, detailsOf, listBy, openBefore, ownList, todoBy } from "./details.ts";
import { todo } from "./index.ts";

function guarded<Args>(name: string, check: (db: Reader, args: Args) => unknown): Api {
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

function completable(db: Reader, { id }: ById): void {
  todoBy(db, id);
  const [first, ...more] = openBefore(db, id);
  refuseUnless(!first, 409, () => {
    const others = more.length > 0 ? ` and ${more.length} more` : "";
    const todos = `todo ${first?.id} "${first?.title}"${others}`;
    return `id: todo ${id} waits for ${todos}; complete that first or todo.stopWaiting`;
  });
  const { every } = detailsOf(db, id);
  const rounds = every !== null && !requireRow(db, todos, id, "todo").done;
  const hint = "todo.completeRound moves it to its next day, todo.endRepeat stops it";
  refuseUnless(!rounds, 409, `id: todo ${id} repeats ${every}; ${hint}`);
}

function removable(db: Reader, { list }: ByList): void {
  const shared = activeListShares(db, { list: ownList(db, list).id }).length;
  refuseUnless(
    shared === 0,
    409,
    `list: "${list}" is shared with ${shared}; todo.unshareList first`,
  );
}

const change = (db: Reader, { id }: ById) => todoBy(db, id);

export const guardedApis = {
  add: guarded("add", (db, { list }: ByList) => listBy(db, list)),
  complete: guarded("complete", completable),
  reopen: guarded("reopen", change),
  rename: guarded("rename", change),
  move: guarded("move", (db, args: ById & ByList) => [todoBy(db, args.id), listBy(db, args.list)]),
  setDue: guarded("setDue", change),
  clearDue: guarded("clearDue", unrepeated),
  remove: guarded("remove", change),
  removeList: guarded("removeList", removable),
};

function unrepeated(db: Reader, { id }: ById): void {
  todoBy(db, id);
  const { every } = detailsOf(db, id);
  const hint = "todo.endRepeat first";
  refuseUnless(every === null, 409, `id: todo ${id} repeats ${every} and needs its day; ${hint}`);
}
