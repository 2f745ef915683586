/** What actions of mail mean, written on tables. Instants are derived, so no check compares them. */
import type { Reader, Writer } from "../../../../world/index.ts";
import { copies } from "../../apps/mail/tables.ts";
import { type Mail, mails } from "../../apps/tables.ts";
import { NOW } from "../../population/time.ts";

export function sendMail(
  db: Writer,
  letter: Pick<Mail, "person" | "subject" | "body" | "origin">,
  others: readonly number[] = [],
): void {
  const flags = { outgoing: true, folder: "sent", label: null, starred: false } as const;
  const { id } = db.insert(mails, { ...letter, ...flags, unread: false, at: NOW });
  for (const person of others) {
    if (person !== letter.person) db.insert(copies, { mail: id, person });
  }
}

export function copiedTo(db: Reader, mail: number): number[] {
  return db.where(copies, { mail }).map(({ person }) => person);
}
