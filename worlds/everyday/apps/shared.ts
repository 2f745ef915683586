/**
 * Functions that several apps of the Everyday world use: they look up people by handle and rows by id, convert money
 * and days, and throw the errors for these. Functions that the apps of any world need, such as lists, are in
 * `src/world/resources`.
 *
 * An error message starts with the parameter's name and says what was expected and what came, so that an agent can
 * correct its call from that one line.
 */

import {
  type atLeast,
  equalIgnoringCase,
  rowById,
  suggestion,
  type ViewContext,
} from "bowline/resources";
import { ApiError, nearestWord, type Reader, type Table, type TableRow, z } from "bowline/world";
import { type Person, people } from "./tables.ts";

/** Returns the schema of what a list API returns: one page of items with the schema `item`. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return z.strictObject({ items: z.array(item), more: z.boolean() });
}

/** Returns one page of the rows, each converted by `toView`. A page past the end is empty. */
export function takePage<R, V>(
  rows: readonly R[],
  { page, size }: { page: number; size: number },
  toView: (row: R) => V,
): { items: V[]; more: boolean } {
  const end = page * size;
  return { items: rows.slice(end - size, end).map(toView), more: rows.length > end };
}

/**
 * Writes the summary of a list that leaves something out: `leavingOut("List files.", "the trash is")`. Lists that show
 * it when they are asked for it say so too.
 */
export function leavingOut(summary: string, what: string, unlessAsked = false): string {
  return `${summary.slice(0, -1)}; ${what} left out${unlessAsked ? " unless asked for" : ""}.`;
}

export function handleParam(whose: string) {
  return z.string().min(1).max(80).describe(`${whose}, a handle such as "amara.o"`);
}

export function timeParam(description: string) {
  const pattern = /^([01]\d|2[0-3]):[0-5]\d$/;
  return z
    .string()
    .regex(pattern, "expected a time such as 18:30")
    .describe(`${description}, such as "18:30"`);
}

export const amount = z
  .number()
  .min(0.01)
  .max(10_000)
  .describe("dollars, at most 2 decimals, such as 12.5");

/** Returns the person with this handle. Throws a 404 that suggests the nearest handle when there is none. */
export function requirePerson(db: Reader, handle: string, param: string): Person {
  const normalized = handle.trim().toLowerCase();
  const [found] = db.where(people, { handle: normalized });
  if (found) return found;
  const everyone = db.all(people);
  if (everyone.some((person) => equalIgnoringCase(person.name, handle))) {
    throw new ApiError(
      404,
      `${param}: expected a handle, got the name "${handle}"; contacts.find gives its handle`,
    );
  }
  const hint = nearestWord(
    normalized,
    everyone.map((person) => person.handle),
  );
  throw new ApiError(404, `${param}: no contact has handle "${handle}"${suggestion(hint)}`);
}

/** Returns the id of the person with this handle, for optional filters. Returns undefined when no handle was given. */
export function optionalPersonId(
  db: Reader,
  handle: string | undefined,
  param: string,
): number | undefined {
  return handle === undefined ? undefined : requirePerson(db, handle, param).id;
}

/**
 * Returns the person with this handle. Throws when there is none (404) or when the person is blocked, so that nothing
 * can be sent to them (422).
 */
export function requireReceiver(db: Reader, handle: string, param: string): Person {
  const person = requirePerson(db, handle, param);
  if (!person.blocked) return person;
  throw new ApiError(422, `${param}: "${person.handle}" is blocked; contacts.unblock first`);
}

export function handleOf(db: Reader, person: number): string {
  return db.get(people, person)?.handle ?? "removed";
}

/** Returns the person's handle. Returns null when `person` is null, which stands for the owner. */
export function handleOrNull(db: Reader, person: number | null): string | null {
  return person === null ? null : handleOf(db, person);
}

/** Returns the handle of the nth contact who is not blocked, counted from 0. Examples of API calls use it. */
export const exampleHandle = (db: Reader, nth = 0): string =>
  db.where(people, { blocked: false })[nth]?.handle ?? "amara.o";

/**
 * Returns the handle of the first contact who is not blocked and for whom `fits` returns true. Examples of API calls
 * use it.
 */
export function exampleHandleWhere(
  db: Reader,
  fits: (row: Person) => boolean = () => true,
): string {
  return db.where(people, { blocked: false }).find(fits)?.handle ?? "amara.o";
}

type PersonRow = { readonly person: number };

/** A field of an item: the handle of the row's person. `nameField` gives the person's name. */
export const handleField = [
  z.string(),
  ({ person }: PersonRow, { db }: ViewContext) => handleOf(db, person),
] as const;
export const nameField = [
  z.string(),
  ({ person }: PersonRow, { db }: ViewContext) => db.get(people, person)?.name ?? "removed",
] as const;

/** The two fields that identify a person in an item. */
export const personFields = { name: nameField, handle: handleField };

/** A field of an item: the handle of the row's person, or null when it is the owner. */
export const nullableHandleField = [
  z.string().nullable(),
  ({ person }: { readonly person: number | null }, { db }: ViewContext) => handleOrNull(db, person),
] as const;

/** Makes a filter of a list by person: it keeps the rows that `isRelated` connects with the person of this handle. */
export function personFilter<R>(
  whose: string,
  param: string,
  isRelated: (row: R, person: number, db: Reader) => boolean,
) {
  const match = (handle: string, { db }: ViewContext) => {
    const person = requirePerson(db, handle, param).id;
    return (row: R) => isRelated(row, person, db);
  };
  return [handleParam(whose), match] as const;
}

/** Makes a filter of a list by person: it keeps the rows whose `column` holds the person with this handle. */
export function personColumnFilter(whose: string, param: string, column = "person") {
  const match = (handle: string, { db }: ViewContext): object => ({
    [column]: requirePerson(db, handle, param).id,
  });
  return [handleParam(whose), match] as const;
}

/**
 * Makes a handle from a name: `amara.o`. When that is taken it tries `amara.ok`, `amara.oka` and so on, and at last a
 * number.
 */
export function makeHandle(db: Reader, name: string): string {
  const [first = "", ...rest] = toPlainAscii(name).split(" ");
  const last = rest.join("");
  const isTaken = (handle: string) => db.where(people, { handle }).length > 0;
  for (let letters = Math.min(1, last.length); letters <= last.length; letters++) {
    const handle = letters === 0 ? first : `${first}.${last.slice(0, letters)}`;
    if (!isTaken(handle)) return handle;
  }
  let number = 2;
  while (isTaken(`${first}${number}`)) number++;
  return `${first}${number}`;
}

/** Reduces a name to lower-case ASCII letters, digits and single spaces. */
function toPlainAscii(name: string): string {
  const ascii = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return (
    ascii
      .replace(/[^a-z0-9 ]/g, "")
      .trim()
      .replace(/ +/g, " ") || "someone"
  );
}

export function requireRow<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  id: number,
  noun: string,
): R {
  return rowById(db, table, id, { noun: noun });
}

/**
 * Converts dollars to cents. A floating-point error of up to a millionth of a cent is accepted. An amount with a third
 * decimal is refused with a 422.
 */
export function toCents(dollarAmount: number): number {
  const cents = Math.round(dollarAmount * 100);
  if (Math.abs(dollarAmount * 100 - cents) <= 1e-6) return cents;
  throw new ApiError(422, `amount: expected dollars with at most 2 decimals, got ${dollarAmount}`);
}

export function toDollars(cents: number): number {
  return cents / 100;
}

/** A field of an item: the row's cents as dollars. */
export const dollarsField = [
  z.number(),
  ({ cents }: { readonly cents: number }) => toDollars(cents),
] as const;

/** Makes a filter of a list by price in dollars. `compare` says whether the parameter is a lower or an upper bound. */
export function costFilter(compare: typeof atLeast) {
  return (dollars: number) => compare("cents")(toCents(dollars));
}

/** A field of an item: the day of the row's instant `at`. */
export const dayField = [z.string(), ({ at }: { readonly at: string }) => dayOf(at)] as const;

export function dayOf(instant: string): string {
  return instant.slice(0, 10);
}

/** Returns the day that is `days` days later, or earlier when `days` is negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Throws a 422 when the day is before today. */
export function requireTodayOrLater(day: string, now: string, param: string): void {
  if (day >= dayOf(now)) return;
  throw new ApiError(422, `${param}: expected today (${dayOf(now)}) or later, got ${day}`);
}
