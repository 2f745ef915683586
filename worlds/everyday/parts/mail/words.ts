/** What the mail parts share: amounts and days in prose, sending, columns of several sets. */
import {
  byArgument,
  type Column,
  type ColumnKit,
  type Columns,
  type DrawContext,
  jsLiteral,
} from "bowline/goals";
import type { Reader, TableRow, Writer } from "bowline/world";
import { copies } from "../../apps/mail/tables.ts";
import { type Mail, mails } from "../../apps/tables.ts";
import { NOW } from "../../population/time.ts";

/** The first amount in a text in cents; 0 without one. `amountCode` says the same in dollars. */
export function centsIn(text: string): number {
  const [, amount] = /\$(\d+\.\d\d)/.exec(text) ?? [];
  return amount === undefined ? 0 : Math.round(Number(amount) * 100);
}
export const amountCode = (text: string) =>
  `Number((/\\$(\\d+\\.\\d\\d)/.exec(${text})||[0,0])[1])`;

/** The first day in a text; "" without one. */
export const dayIn = (text: string): string => /\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? "";
export const dayCode = (text: string) => `(/\\d{4}-\\d\\d-\\d\\d/.exec(${text})||[""])[0]`;

/** Who got a copy of a mail. */
export const copiedTo = (db: Reader, mail: number): number[] =>
  db.where(copies, { mail }).map(({ person }) => person);

/** Instants are derived, so no check compares them. */
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

/** Mails as a set of a kind. */
export const letters = (kind: string, name: string) => ({
  kind,
  name: `mails.${name}`,
  app: "mail",
  table: mails,
});

/** Rows of one person each. */
type Personal = TableRow & { readonly person: number | null };

/** A column of `person`, rather by those of whom there are several rows than by those of one. */
export const rather = <R extends Personal>(column: Column<R>): Column<R> => ({
  clauses: (name) =>
    column.clauses(name).map((clause) => ({
      ...clause,
      draw: (draw, rows) => clause.draw(draw, oftenSeen(draw, rows)),
    })),
});

function oftenSeen<R extends Personal>(draw: DrawContext, rows: readonly R[]): readonly R[] {
  const counts = new Map<number | null, number>();
  for (const { person } of rows) counts.set(person, (counts.get(person) ?? 0) + 1);
  const own = new Set<number | null>(draw.people.map(({ id }) => id));
  const several = rows.filter(({ person }) => own.has(person) && counts.get(person)! > 1);
  return several.length > 0 && draw.rng.chance(0.7) ? several : rows;
}

export const fromSomebody = <R extends TableRow>(
  { person }: ColumnKit<R>,
  sender: (row: R, db: Reader) => number,
): Column<R> => person(
  sender,
  byArgument("from"),
)`from $ | that $ sent me | sent by $ | that came from $
  | which I got from $`;

/** What sent mail, drafts and mail on schedule have alike: a receiver and a subject. */
export const addressed = <R extends Personal & { readonly subject: string }>({
  person,
  text,
}: ColumnKit<R>): Columns<R> => ({
  to: rather(
    person((row) => row.person, byArgument("to"))`to $ | addressed to $ | with $ as the receiver
      | that are meant for $ | whose receiver is $`,
  ),
  subject: text((row) => row.subject, { item: "subject", noun: "subject" }),
});

/** Some beginnings of subjects tell what a mail is. */
export const begins = ({ choice }: ColumnKit<Mail>, words: readonly string[]): Column<Mail> =>
  choice(
    ({ subject }) => words.filter((word) => subject.startsWith(word)),
    {},
    { code: (word) => ({ test: `x.subject.startsWith(${word})` }) },
  )`whose subject begins with "$" | with a subject that starts with "$"
    | whose subject line starts with "$"
    | with "$" at the very beginning of the subject | whose subjects have "$" right at the start`;

export const withoutLabel = ({ withProperty }: ColumnKit<Mail>): Column<Mail> =>
  withProperty(({ label }) => label === null, {
    test: "x.label===null",
  })`without a label | that have no label
    | which are not labelled | that carry no label | with no label at all`;

/** By an exact subject or name, in the items that a call gives. */
export const itemsCalled = (items: string, property: string, title: string, key = "id") =>
  `${items}.filter(x=>x.${property}===${jsLiteral(title)}).map(x=>x.${key})`;
