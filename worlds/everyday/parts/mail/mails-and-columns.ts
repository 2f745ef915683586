/** Functions that several mail parts use: they find amounts and days in texts, insert sent mails, and make columns. */
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

/**
 * Returns the first amount in a text in cents, or 0 without one. `amountCode` writes code for the same amount in
 * dollars.
 */
export function centsInText(text: string): number {
  const [, amount] = /\$(\d+\.\d\d)/.exec(text) ?? [];
  return amount === undefined ? 0 : Math.round(Number(amount) * 100);
}
export const amountCode = (text: string) =>
  `Number((/\\$(\\d+\\.\\d\\d)/.exec(${text})||[0,0])[1])`;

/** Returns the first day in a text, or "" without one. */
export const dayInText = (text: string): string => /\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? "";
export const dayCode = (text: string) => `(/\\d{4}-\\d\\d-\\d\\d/.exec(${text})||[""])[0]`;

/** Returns the ids of people who got a copy of a mail. */
export const idsOfCopyReceivers = (db: Reader, mail: number): number[] =>
  db.where(copies, { mail }).map(({ person }) => person);

/** Inserts a sent mail and its copies. Times are derived, so no check compares them. */
export function insertSentMail(
  db: Writer,
  letter: Pick<Mail, "person" | "subject" | "body" | "origin">,
  copyReceivers: readonly number[] = [],
): void {
  const flags = { outgoing: true, folder: "sent", label: null, starred: false } as const;
  const { id } = db.insert(mails, { ...letter, ...flags, unread: false, at: NOW });
  for (const person of copyReceivers) {
    if (person !== letter.person) db.insert(copies, { mail: id, person });
  }
}

/** Returns the options that all collections of mails have in common. */
export const mailCollectionOptions = (kind: string, name: string) => ({
  kind,
  name: `mails.${name}`,
  app: "mail",
  table: mails,
});

/** A row that belongs to one person, or to none. */
type RowOfPerson = TableRow & { readonly person: number | null };

/** Changes a column of people so that, when it draws a person, it prefers people with several rows. */
export const preferPeopleWithSeveralRows = <R extends RowOfPerson>(
  column: Column<R>,
): Column<R> => ({
  clauses: (name) =>
    column.clauses(name).map((clause) => ({
      ...clause,
      draw: (draw, rows) => clause.draw(draw, rowsOfFrequentPeople(draw, rows)),
    })),
});

function rowsOfFrequentPeople<R extends RowOfPerson>(
  draw: DrawContext,
  rows: readonly R[],
): readonly R[] {
  const counts = new Map<number | null, number>();
  for (const { person } of rows) counts.set(person, (counts.get(person) ?? 0) + 1);
  const nameableIds = new Set<number | null>(draw.people.map(({ id }) => id));
  const rowsOfSeveral = rows.filter(
    ({ person }) => nameableIds.has(person) && counts.get(person)! > 1,
  );
  return rowsOfSeveral.length > 0 && draw.rng.chance(0.7) ? rowsOfSeveral : rows;
}

export const senderColumn = <R extends TableRow>(
  { person }: ColumnKit<R>,
  sender: (row: R, db: Reader) => number | null,
): Column<R> =>
  person(
    sender,
    byArgument("from"),
  )`from $ | that $ sent me | sent by $ | that came from $ | which I got from $`;

/** Declares the columns that sent mails, drafts and scheduled mails share: a receiver and a subject. */
export const receiverAndSubjectColumns = <R extends RowOfPerson & { readonly subject: string }>({
  person,
  text,
}: ColumnKit<R>): Columns<R> => ({
  to: preferPeopleWithSeveralRows(
    person((row) => row.person, byArgument("to"))`to $ | addressed to $ | with $ as the receiver
      | that are meant for $ | whose receiver is $`,
  ),
  subject: text((row) => row.subject, { item: "subject", noun: "subject" }),
});

/** Makes a column for the beginning of the subject. In some mails, it says what kind of mail it is. */
export const subjectStartColumn = (
  { choice }: ColumnKit<Mail>,
  words: readonly string[],
): Column<Mail> =>
  choice(
    ({ subject }) => words.filter((word) => subject.startsWith(word)),
    {},
    { code: (word) => ({ test: `x.subject.startsWith(${word})` }) },
  )`whose subject begins with "$" | with a subject that starts with "$"
    | whose subject line starts with "$"
    | with "$" at the very beginning of the subject | whose subjects have "$" right at the start`;

export const withoutLabelColumn = ({ withProperty }: ColumnKit<Mail>): Column<Mail> =>
  withProperty(({ label }) => label === null, {
    test: "x.label===null",
  })`without a label | that have no label
    | which are not labelled | that carry no label | with no label at all`;

/** Writes an expression for the items of a call that have exactly this subject or name. */
export const findByExactNameCode = (items: string, property: string, title: string, key = "id") =>
  `${items}.filter(x=>x.${property}===${jsLiteral(title)}).map(x=>x.${key})`;
