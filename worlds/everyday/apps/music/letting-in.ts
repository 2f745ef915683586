/**
 * Things of the owner that contacts are let into, and things of contacts that the owner is let into:
 * playlists here, albums in photos. Who may see, have and edit one, and the APIs by which they are
 * shared, left and joined.
 */

import { firstId, type Item, idOf, itemOf, must, resource, rowById } from "bowline/resources";
import type { Api, Reader, Table, TableRow } from "bowline/world";
import { z } from "bowline/world";
import { handle, handleOrNull, personBy, receiver, someHandle, who } from "../shared.ts";
import { people } from "../tables.ts";

interface Owned extends TableRow {
  /** Whose it is; null: the owner's. */
  readonly person: number | null;
  /** What the owner may do with it. */
  readonly role: string;
  readonly removed: boolean;
  readonly left: boolean;
}

interface Share extends TableRow {
  readonly person: number;
  readonly role: string;
  readonly ended: boolean;
}

/** What is shared. */
interface Thing<R extends Owned, S extends Share> {
  readonly app: string;
  /** `playlist`, also the column of shares. */
  readonly noun: string;
  /** `Playlist`, as names of APIs end. */
  readonly Noun: string;
  readonly table: Table<R>;
  readonly shares: Table<S>;
  /** The last one is that of editors. */
  readonly roles: readonly [guest: string, editor: string];
  /** What guests may do: `listened to`. */
  readonly used: string;
  /** For examples: an own one. */
  readonly some: (db: Reader) => number;
}

type Guard<R> = (db: Reader, id: number, param?: string) => R;

/** Finds what the owner may see, what is the owner's, and what the owner may edit, or refuses it. */
export function guards<R extends Owned>({
  app,
  noun,
  Noun,
  table,
  used,
}: Pick<Thing<R, Share>, "app" | "noun" | "Noun" | "table" | "used">) {
  const seen: Guard<R> = (db, id, param = "id") => {
    const row = rowById(db, table, id, { noun, param });
    must(!row.left, 403, `${param}: ${noun} ${id} was left; ${app}.join${Noun} first`);
    must(!row.removed, 404, `${param}: ${noun} ${id} was removed; ${app}.restore${Noun} first`);
    return row;
  };
  const own: Guard<R> = (db, id, param = "id") => {
    const row = seen(db, id, param);
    const of = handleOrNull(db, row.person);
    must(of === null, 403, `${param}: expected an own ${noun}, got ${id}, which is of "${of}"`);
    return row;
  };
  const editable: Guard<R> = (db, id, param = "id") => {
    const row = seen(db, id, param);
    const may = row.role === "editor";
    must(may, 403, `${param}: ${noun} ${id} may be ${used}, not edited`);
    return row;
  };
  return { seen, own, editable };
}

/** The APIs by which own ones are shared. */
export function sharingOf<R extends Owned, S extends Share>(thing: Thing<R, S>) {
  const { app, noun, Noun, table, roles, some } = thing;
  const shares = thing.shares as unknown as Table<Share>;
  const { own } = guards(thing);
  const id = idOf(`own ${noun}`);
  const role = z.enum(roles);
  const of = (row: Share) => (row as unknown as { readonly [column: string]: number })[noun]!;
  const standing = (db: Reader, match: object) => db.where(shares, { ...match, ended: false });
  const aShare = (db: Reader) =>
    standing(db, {}).find((row) => db.get(table, of(row))?.removed === false);
  const share = resource({
    noun: "share",
    item: itemOf(shares, { ...who, role: role as z.ZodType<string> }),
    keys: { id, person: handle("with whom no longer") },
    find: (args, { db }) => {
      const one = own(db, args.id).id;
      const person = personBy(db, args.person, "person");
      const [row] = standing(db, { [noun]: one, person: person.id });
      const hint = `${app}.share${Noun} does`;
      must(row, 404, `person: ${noun} ${one} is not shared with "${person.handle}"; ${hint}`);
      return row;
    },
    example: (db) => {
      const row = aShare(db);
      return { id: row ? of(row) : 1, person: handleIn(db, row?.person) };
    },
  });
  const apis: { readonly [name: string]: Api } = {
    sharedWith: share.list(
      `List whom the owner let into an own ${noun}, in the order of sharing.`,
      {
        params: { id },
        rows: ({ id }, { db }) => standing(db, { [noun]: own(db, id).id }),
        example: (db) => {
          const row = aShare(db);
          return { id: row ? of(row) : some(db) };
        },
      },
    ),
    [`share${Noun}`]: share.add(
      `Let a contact into an own ${noun}, as a ${roles[0]} or an editor.`,
      {
        params: {
          id,
          person: handle("with whom"),
          role: role.default(roles[0]).describe("what they may do"),
        },
        row: (args, { db }) => {
          const one = own(db, args.id).id;
          const { id: person, handle } = receiver(db, args.person, "person");
          const [row] = standing(db, { [noun]: one, person });
          must(!row, 409, () => {
            const known = `"${handle}" is already ${row?.role} of ${noun} ${one}`;
            return `person: ${known}; ${app}.setRole changes that`;
          });
          return { [noun]: one, person, ended: false, role: args.role };
        },
        example: (db) => {
          const id = some(db);
          const guests = standing(db, { [noun]: id }).map(({ person }) => person);
          return { id, person: stranger(db, guests) };
        },
      },
    ),
    setRole: share.change(`Change what somebody may do in an own ${noun}.`, {
      params: { person: handle("whose role"), role: role.describe("the new role") },
      set: (row, { person, role }) => {
        must(row.role !== role, 409, `role: "${person}" is already ${role}`);
        return { role };
      },
      example: (db) => {
        const role = aShare(db)?.role === "editor" ? roles[0] : "editor";
        return { ...share.example(db), role };
      },
    }),
    [`unshare${Noun}`]: share.set(`Stop sharing an own ${noun} with somebody.`, { ended: true }),
  };
  return apis;
}

/** The APIs by which those of contacts are left, and joined again. */
export function joiningOf<R extends Owned>(
  { noun, Noun, table }: Pick<Thing<R, Share>, "noun" | "Noun" | "table">,
  item: Item<R>,
) {
  const theirs = resource<Owned>({
    noun,
    item: item as unknown as Item<Owned>,
    find: ({ id }, { db }) => {
      const row = rowById(db, table, id, { noun });
      const isTheirs = row.person !== null;
      must(isTheirs, 422, `id: expected a contact's ${noun}, got ${id}, which is the owner's`);
      return row;
    },
    example: (db, fits) => ({ id: firstId(db, table, (row) => row.person !== null && fits(row)) }),
  });
  const apis: { readonly [name: string]: Api } = {
    [`leave${Noun}`]: theirs.set(
      `Leave a contact's ${noun}: it is no longer listed.`,
      { left: true },
      "was left already",
    ),
    [`join${Noun}`]: theirs.set(
      `Join a contact's ${noun} again that was left.`,
      { left: false },
      "was never left",
    ),
  };
  return apis;
}

// --- rows for examples: nothing here throws on an empty start state ---

export { firstId as idIn, handleOrNull as whose };

export function handleIn(db: Reader, id: number | null | undefined): string {
  const row = id == null ? undefined : db.get(people, id);
  return (row ?? db.where(people, { blocked: false })[0])?.handle ?? "amara.o";
}

/** Someone who is not among these. */
export const stranger = (db: Reader, among: readonly (number | null)[]): string =>
  someHandle(db, ({ id }) => !among.includes(id));
