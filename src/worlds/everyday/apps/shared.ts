/**
 * What all apps do alike: pages, people by handle, rows by id or name, money, days, and the errors for each.
 *
 * An error message starts with the parameter's name and says what was expected and what came, so that an agent can
 * mend its call from that one line.
 */
import { z } from "zod";
import { nearest } from "../../../core/index.ts";
import { ApiError, type Reader, type Table, type TableRow } from "../../../world/index.ts";
import { type Person, people } from "./tables.ts";

// --- pages ---

export const paging = {
  page: z.int().min(1).default(1).describe("which page, from 1"),
  size: z.int().min(1).max(20).default(5).describe("items a page"),
};

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

/** A `where` match of the filters that were given. */
export function given<T extends object>(filters: T): { [C in keyof T]?: Exclude<T[C], undefined> } {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [C in keyof T]?: Exclude<T[C], undefined> };
}

const newest = new WeakMap<readonly TableRow[], readonly TableRow[]>();

/**
 * The same list, as an untouched table gives it again and again, is sorted once. Rows come by id, mostly in order of
 * time: reversed, hardly anything is left to sort.
 */
export function newestFirst<R extends TableRow & { readonly at: string }>(
  rows: readonly R[],
): readonly R[] {
  const known = newest.get(rows);
  if (known) return known as readonly R[];
  const sorted = rows
    .toReversed()
    .sort((a, b) => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1));
  newest.set(rows, sorted);
  return sorted;
}

export function contains(text: string, query: string): boolean {
  return text.toLowerCase().includes(query.toLowerCase());
}

// --- parameters ---

export const query = z.string().min(1).max(100).describe("words to look for; case is ignored");

export function handle(whose: string) {
  return z.string().min(1).max(80).describe(`${whose}, a handle such as "amara.o"`);
}

export function idOf(what: string) {
  return z.int().min(1).describe(`id of the ${what}`);
}

export function line(what: string) {
  return z.string().trim().min(1).max(100).describe(what);
}

export function prose(what: string) {
  return z.string().min(1).max(2000).describe(what);
}

export function day(what: string) {
  return z.iso.date().describe(`${what}, such as "2026-03-14"`);
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
  const row = db.get(table, id);
  if (row) return row;
  throw new ApiError(404, `id: there is no ${what} with id ${id}`);
}

/** A group or a list by its name; case is ignored. */
export function named<R extends TableRow & { readonly name: string }>(
  db: Reader,
  table: Table<R>,
  name: string,
  param: string,
): R {
  const rows = db.all(table);
  const found = rows.find((row) => same(row.name, name));
  if (found) return found;
  const hint = nearest(
    name,
    rows.map((row) => row.name),
  );
  throw new ApiError(404, `${param}: there is no ${param} "${name}"${didYouMean(hint)}`);
}

/** A 409 when a row of that name exists (other than `except`). */
export function freeName<R extends TableRow & { readonly name: string }>(
  db: Reader,
  table: Table<R>,
  name: string,
  except?: number,
): void {
  const taken = db.all(table).find((row) => same(row.name, name) && row.id !== except);
  if (taken) throw new ApiError(409, `name: "${taken.name}" exists already; expected a new name`);
}

export function same(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

function didYouMean(hint: string | undefined): string {
  return hint === undefined ? "" : `; did you mean "${hint}"?`;
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

export function dayOf(instant: string): string {
  return instant.slice(0, 10);
}

/** A 422 when the day is before today. */
export function notPast(day: string, now: string, param: string): void {
  if (day >= dayOf(now)) return;
  throw new ApiError(422, `${param}: expected today (${dayOf(now)}) or later, got ${day}`);
}
