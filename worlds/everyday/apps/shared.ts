/**
 * What all apps do alike: people by handle, rows by id, money, days, and the errors for each. What any world's apps need,
 * such as lists, is the kit's (`src/world/resources`).
 *
 * An error message starts with the parameter's name and says what was expected and what came, so that an agent can
 * mend its call from that one line.
 */

import { type atLeast, didYouMean, type Look, rowById, same } from "bowline/resources";
import { ApiError, nearest, type Reader, type Table, type TableRow, z } from "bowline/world";
import { type Person, people } from "./tables.ts";

// --- pages ---

/** The `returns` of a list of such items. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.strictObject({ items: z.array(item), more: z.boolean() });
}

/** One page of rows, each as its view. A page past the end is empty. */
export function paged<R, V>(
  rows: readonly R[],
  { page, size }: { page: number; size: number },
  view: (row: R) => V,
): { items: V[]; more: boolean } {
  const end = page * size;
  return { items: rows.slice(end - size, end).map(view), more: rows.length > end };
}

// --- parameters ---

export function handle(whose: string) {
  return z.string().min(1).max(80).describe(`${whose}, a handle such as "amara.o"`);
}

export function clock(what: string) {
  const pattern = /^([01]\d|2[0-3]):[0-5]\d$/;
  return z
    .string()
    .regex(pattern, "expected a time such as 18:30")
    .describe(`${what}, such as "18:30"`);
}

export const amount = z
  .number()
  .min(0.01)
  .max(10_000)
  .describe("dollars, at most 2 decimals, such as 12.5");

// --- people ---

/** The person with this handle, or a 404 that knows the nearest one. */
export function personBy(db: Reader, came: string, param: string): Person {
  const wanted = came.trim().toLowerCase();
  const [found] = db.where(people, { handle: wanted });
  if (found) return found;
  const everyone = db.all(people);
  if (everyone.some((person) => same(person.name, came))) {
    throw new ApiError(
      404,
      `${param}: expected a handle, got the name "${came}"; contacts.find gives its handle`,
    );
  }
  const hint = nearest(
    wanted,
    everyone.map((person) => person.handle),
  );
  throw new ApiError(404, `${param}: no contact has handle "${came}"${didYouMean(hint)}`);
}

/** For optional filters: undefined stays undefined. */
export function personId(db: Reader, came: string | undefined, param: string): number | undefined {
  return came === undefined ? undefined : personBy(db, came, param).id;
}

/** Someone to whom something may be sent: known and not blocked. */
export function receiver(db: Reader, came: string, param: string): Person {
  const person = personBy(db, came, param);
  if (!person.blocked) return person;
  throw new ApiError(422, `${param}: "${person.handle}" is blocked; contacts.unblock first`);
}

export function handleOf(db: Reader, person: number): string {
  return db.get(people, person)?.handle ?? "removed";
}

/** Null where it is the owner's. */
export function handleOrNull(db: Reader, person: number | null): string | null {
  return person === null ? null : handleOf(db, person);
}

/** For examples: the first who is not blocked, or the nth after. */
export const someone = (db: Reader, nth = 0): string =>
  db.where(people, { blocked: false })[nth]?.handle ?? "amara.o";

/** For examples: somebody who is not blocked and fits. */
export function someHandle(db: Reader, fits: (row: Person) => boolean = () => true): string {
  return db.where(people, { blocked: false }).find(fits)?.handle ?? "amara.o";
}

type OfPerson = { readonly person: number };

/** Fields of an item: the handle and the name of the person of the row. */
export const theirHandle = [
  z.string(),
  ({ person }: OfPerson, { db }: Look) => handleOf(db, person),
] as const;
export const theirName = [
  z.string(),
  ({ person }: OfPerson, { db }: Look) => db.get(people, person)?.name ?? "removed",
] as const;

/** Both, as items that are people have them. */
export const who = { name: theirName, handle: theirHandle };

/** The handle of the row's person; null for the owner. */
export const anyHandle = [
  z.string().nullable(),
  ({ person }: { readonly person: number | null }, { db }: Look) => handleOrNull(db, person),
] as const;

/** A filter of lists: rows with which the person of this handle has to do, as the test says. */
export function withPerson<R>(
  whose: string,
  param: string,
  test: (row: R, person: number, db: Reader) => boolean,
) {
  const match = (came: string, { db }: Look) => {
    const person = personBy(db, came, param).id;
    return (row: R) => test(row, person, db);
  };
  return [handle(whose), match] as const;
}

/** A filter of lists: rows whose `column` is the person with this handle. */
export function ofPerson(whose: string, param: string, column = "person") {
  const match = (came: string, { db }: Look): object => ({
    [column]: personBy(db, came, param).id,
  });
  return [handle(whose), match] as const;
}

/** `amara.o`; where that is taken `amara.ok`, `amara.oka`, ... and at last a number. */
export function newHandle(db: Reader, name: string): string {
  const [first = "", ...rest] = plain(name).split(" ");
  const last = rest.join("");
  const taken = (handle: string) => db.where(people, { handle }).length > 0;
  for (let letters = Math.min(1, last.length); letters <= last.length; letters++) {
    const handle = letters === 0 ? first : `${first}.${last.slice(0, letters)}`;
    if (!taken(handle)) return handle;
  }
  let number = 2;
  while (taken(`${first}${number}`)) number++;
  return `${first}${number}`;
}

/** Lower-case ASCII letters, digits and single spaces. */
function plain(name: string): string {
  const ascii = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return (
    ascii
      .replace(/[^a-z0-9 ]/g, "")
      .trim()
      .replace(/ +/g, " ") || "someone"
  );
}

// --- rows ---

export function rowBy<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  id: number,
  what: string,
): R {
  return rowById(db, table, id, { noun: what });
}

// --- money and days ---

/** Dollars to cents. Sums in floating point are forgiven a millionth of a cent; a third decimal is not. */
export function centsOf(amount: number): number {
  const cents = Math.round(amount * 100);
  if (Math.abs(amount * 100 - cents) <= 1e-6) return cents;
  throw new ApiError(422, `amount: expected dollars with at most 2 decimals, got ${amount}`);
}

export function dollars(cents: number): number {
  return cents / 100;
}

/** A field of an item: the row's cents. */
export const inDollars = [
  z.number(),
  ({ cents }: { readonly cents: number }) => dollars(cents),
] as const;

/** A filter of lists: rows whose cents are at least, or at most, so many dollars. */
export function costing(than: typeof atLeast) {
  return (dollars: number) => than("cents")(centsOf(dollars));
}

/** A field of an item: the day of the row's instant. */
export const onDay = [z.string(), ({ at }: { readonly at: string }) => dayOf(at)] as const;

export function dayOf(instant: string): string {
  return instant.slice(0, 10);
}

/** The day so many days later; earlier when they are negative. */
export function dayPlus(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A 422 when the day is before today. */
export function notPast(day: string, now: string, param: string): void {
  if (day >= dayOf(now)) return;
  throw new ApiError(422, `${param}: expected today (${dayOf(now)}) or later, got ${day}`);
}
