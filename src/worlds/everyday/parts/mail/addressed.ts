/** What sent mail, drafts and mail on schedule have alike: a receiver and a subject. */
import type { Field } from "../../../../goals/index.ts";
import type { Draft, ScheduledMail } from "../../apps/mail/tables.ts";
import type { Mail } from "../../apps/tables.ts";
import { fromClause } from "./words.ts";

/** To someone. */
export const to = <R extends Mail | Draft | ScheduledMail>() =>
  fromClause<R>(
    "to",
    "to",
    (row) => row.person,
    (name) => [
      `to ${name}`,
      `addressed to ${name}`,
      `with ${name} as the receiver`,
      `that are meant for ${name}`,
      `whose receiver is ${name}`,
    ],
  );

export const subjectOf = <R extends Mail | Draft | ScheduledMail>(): Field<R> => ({
  name: "subject",
  unit: "text",
  noun: "subject",
  value: (row) => row.subject,
  code: "x.subject",
});
