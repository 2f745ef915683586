/** Actions of other apps for each thing of a set: a message that says its name, a todo. */
import type { Action, ActionKit, ActionSpec } from "../../../../goals/index.ts";
import { withFriend } from "../../../../goals/index.ts";
import type { Reader, TableRow, Writer } from "../../../../world/index.ts";
import { texts, todoLists, todos } from "../../apps/tables.ts";
import { NOW } from "../../population/time.ts";

function sendText(db: Writer, person: number, text: string): void {
  const flags = { outgoing: true, replyTo: null, reaction: null, starred: false, unread: false };
  // Instants are not content; any will do.
  db.insert(texts, { person, text, ...flags, at: NOW });
}

interface Telling<R extends TableRow> {
  /** `song` */
  readonly thing: string;
  /** `title`: of the row, of what the API gives, and in words. */
  readonly property: keyof R & string;
  /** `music.song` */
  readonly api: string;
}

/** Texts a contact the name of each thing. `when` also gets the state from before the task. */
export const telling = <R extends TableRow>(
  { does }: ActionKit<R>,
  { thing, property, api }: Telling<R>,
  when?: (row: R, db: Reader, before: Reader) => boolean,
): ActionSpec<R> =>
  withFriend((friend, draw) => {
    const rest = `a message for each ${thing} that says its ${property} and nothing else`;
    return does((db, row) => sendText(db, friend.value.id, String(row[property])), {
      ...(when ? { when: (row: R, db: Reader) => when(row, db, draw.db) } : {}),
      call: `const o=apis.${api}({id:x});apis.messages.send({to:${friend.code},text:o.${property}})`,
    })`Tell ${friend.words} about #: ${rest} | Let ${friend.words} know of # by ${rest}
      | Text ${friend.words} about #, ${rest} | Message ${friend.words} about #, with ${rest}
      | Inform ${friend.words} of #, by ${rest}`;
  });

export function addTodo(db: Writer, title: string, due: string | null): void {
  const list = db.where(todoLists, { name: "inbox" })[0]!.id;
  db.insert(todos, { title, list, due, done: false });
}

/** Actions that are done in another app than that of their rows, by their names. */
export const elsewhere = (
  apps: { readonly [name: string]: string },
  all: readonly Action[],
): Action[] => all.map((action) => ({ ...action, app: apps[action.name] ?? action.app }));
