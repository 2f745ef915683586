/** What a role allows in a chat, and clauses for what stands in chats: which chat, and by whom. */

import type { Action, Clause, Draw, Effect } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Chat, type ChatRole, chatMembers, chats } from "../../apps/messages/tables.ts";
import { oneOfSome } from "../bounds.ts";
import { js } from "../contacts/common.ts";

export const isInside = (db: Reader, chat: number) => {
  const row = db.get(chats, chat);
  return row !== undefined && row.role !== "removed";
};
export const othersIn = (db: Reader, chat: number) =>
  db.where(chatMembers, { chat }).filter(({ role }) => role !== "removed");
export const rules = (role: ChatRole | undefined) => role === "owner" || role === "admin";
export const mayPost = (row: Chat | undefined) =>
  row !== undefined && row.role !== "removed" && (!row.announcements || rules(row.role));

/** Chats whose members may be named, and with them the chat. */
export function ownChats(draw: Draw): readonly Chat[] {
  const own = new Set(draw.people.map(({ id }) => id));
  return draw.db.all(chats).filter(({ id }) => {
    const inside = draw.db.where(chatMembers, { chat: id });
    return inside.length > 0 && inside.every(({ person }) => own.has(person));
  });
}

type InChat = { readonly id: number; readonly chat: number; readonly person: number | null };

/** A clause that names the chat. */
export function inChat<R extends InChat>(): Clause<R> {
  return {
    name: "chat",
    draw: (draw, rows) => {
      const own = new Set(ownChats(draw).map(({ id }) => id));
      const chat = oneOfSome(
        draw.rng,
        rows.map((row) => row.chat).filter((id) => own.has(id)),
      );
      const name = chat === undefined ? undefined : draw.db.get(chats, chat)?.name;
      if (name === undefined || rows.every((row) => row.chat === chat)) return undefined;
      const c = js(name);
      return {
        words: [
          `in the group chat ${c}`,
          `from my group chat ${c}`,
          `that stand in the group chat ${c}`,
          `which are in the chat ${c}`,
          `of the group chat ${c}`,
        ],
        holds: (row) => row.chat === chat,
        code: { args: `chat:${c}` },
      };
    },
  };
}

export function byPerson<R extends InChat>(): Clause<R> {
  return {
    name: "from",
    draw: (draw, rows) => {
      const ids = rows.flatMap(({ person }) => person ?? []);
      const person = new Set(ids).size > 1 ? draw.person(ids) : undefined;
      if (!person) return undefined;
      const p = person.words;
      return {
        words: [
          `by ${p}`,
          `from ${p}`,
          `that ${p} is the author of`,
          `whose author is ${p}`,
          `with ${p} as their author`,
        ],
        holds: (row) => row.person === person.value.id,
        code: { args: `from:${person.code}` },
        uses: [person],
      };
    },
  };
}

export const distinct = (ids: readonly (number | null)[]) => [
  ...new Set(ids.filter((id) => id !== null)),
];

export const act = (
  kind: string,
  name: string,
  draw: (draw: Draw) => Effect | undefined,
  takes?: Action["takes"],
): Action => ({ name, kind, app: "messages", difficulty: 1, draw, ...(takes && { takes }) });
