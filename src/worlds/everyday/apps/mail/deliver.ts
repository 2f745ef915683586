/** The one way in which full mail leaves the house: a sent mail and, beside it, who else gets a copy. */
import type { CallContext } from "../../../../world/index.ts";
import { type Mail, mails, type Person } from "../tables.ts";
import { copies } from "./tables.ts";
import { sentView } from "./views.ts";

export type Letter = Pick<Mail, "person" | "subject" | "body" | "origin">;

/** The same row as `mail.send` writes. `others` without the receiver; repeats count once. */
export function deliver({ db, now }: CallContext, letter: Letter, others: readonly Person[] = []) {
  const flags = { outgoing: true, folder: "sent", label: null, starred: false } as const;
  const row = db.insert(mails, { ...letter, ...flags, unread: false, at: now });
  for (const person of new Set(others.map((other) => other.id))) {
    if (person !== letter.person) db.insert(copies, { mail: row.id, person });
  }
  return sentView(db)(row);
}
