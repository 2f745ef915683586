/** How a mail appears in answers, and the lookup that every mail API shares. */
import { z } from "zod";
import { ApiError, type Reader } from "../../../../world/index.ts";
import { handleOf, rowBy } from "../shared.ts";
import { type Mail, mails } from "../tables.ts";

export const mailItem = z.strictObject({
  subject: z.string(),
  id: z.int(),
  from: z.string(),
  label: z.string().nullable(),
  unread: z.boolean(),
});

export const mailView =
  (db: Reader) =>
  ({ subject, id, person, label, unread }: Mail) => ({
    subject,
    id,
    from: handleOf(db, person),
    label,
    unread,
  });

export const sentItem = z.strictObject({ subject: z.string(), id: z.int(), to: z.string() });

export const sentView =
  (db: Reader) =>
  ({ subject, id, person }: Mail) => ({ subject, id, to: handleOf(db, person) });

export function receivedMail(db: Reader, id: number): Mail {
  const row = rowBy(db, mails, id, "mail");
  if (!row.outgoing) return row;
  throw new ApiError(422, `id: expected a received mail, got ${id}, which the owner sent`);
}
