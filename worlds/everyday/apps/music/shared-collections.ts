/**
 * Makes APIs for collections that people share: playlists in the music app and albums in the photos app. The owner
 * shares collections with contacts, and contacts share their collections with the owner. This file says who may see and
 * edit a collection, and makes the APIs that share a collection, leave it and join it again.
 */

import {
  defineItem,
  firstRowId,
  type Item,
  idParam,
  refuseUnless,
  resource,
  rowById,
} from "bowline/resources";
import type { Api, Reader, Table, TableRow } from "bowline/world";
import { z } from "bowline/world";
import {
  exampleHandleWhere,
  handleOrNull,
  handleParam,
  personFields,
  requirePerson,
  requireReceiver,
} from "../shared.ts";
import { people } from "../tables.ts";

interface Collection extends TableRow {
  /** The person to whom the collection belongs, or null when it is the owner's. */
  readonly person: number | null;
  /** What the owner may do with the collection. */
  readonly role: string;
  readonly removed: boolean;
  readonly left: boolean;
}

interface Share extends TableRow {
  readonly person: number;
  readonly role: string;
  readonly ended: boolean;
}

/** A kind of collection that can be shared, such as playlists. */
interface CollectionKind<R extends Collection, S extends Share> {
  readonly app: string;
  /** The noun, such as `playlist`. It is also the name of the column of shares that holds the collection's id. */
  readonly noun: string;
  /** The noun with a capital letter, such as `Playlist`, as it ends the names of APIs. */
  readonly Noun: string;
  readonly table: Table<R>;
  readonly shares: Table<S>;
  /** The two roles of people with whom a collection is shared. The second role is that of editors. */
  readonly roles: readonly [guest: string, editor: string];
  /** What guests may do with a collection, as a participle for error messages: `listened to`. */
  readonly guestUse: string;
  /** Returns the id of an own collection for the examples of API calls. */
  readonly exampleOwnId: (db: Reader) => number;
}

type RequireCollection<R> = (db: Reader, id: number, param?: string) => R;

/**
 * Makes three functions that find a collection by id or refuse the call: one that the owner may see, one that belongs
 * to the owner, and one that the owner may edit.
 */
export function makeGuards<R extends Collection>({
  app,
  noun,
  Noun,
  table,
  guestUse,
}: Pick<CollectionKind<R, Share>, "app" | "noun" | "Noun" | "table" | "guestUse">) {
  const requireVisible: RequireCollection<R> = (db, id, param = "id") => {
    const row = rowById(db, table, id, { noun, param });
    refuseUnless(!row.left, 403, `${param}: ${noun} ${id} was left; ${app}.join${Noun} first`);
    refuseUnless(
      !row.removed,
      404,
      `${param}: ${noun} ${id} was removed; ${app}.restore${Noun} first`,
    );
    return row;
  };
  const requireOwn: RequireCollection<R> = (db, id, param = "id") => {
    const row = requireVisible(db, id, param);
    const owner = handleOrNull(db, row.person);
    refuseUnless(
      owner === null,
      403,
      `${param}: expected an own ${noun}, got ${id}, which is of "${owner}"`,
    );
    return row;
  };
  const requireEditable: RequireCollection<R> = (db, id, param = "id") => {
    const row = requireVisible(db, id, param);
    const canEdit = row.role === "editor";
    refuseUnless(canEdit, 403, `${param}: ${noun} ${id} may be ${guestUse}, not edited`);
    return row;
  };
  return { seen: requireVisible, own: requireOwn, editable: requireEditable };
}

/** Makes the APIs that share the owner's own collections with contacts. */
export function sharingApisOf<R extends Collection, S extends Share>(kind: CollectionKind<R, S>) {
  const { app, noun, Noun, table, roles, exampleOwnId } = kind;
  const shares = kind.shares as unknown as Table<Share>;
  const { own: requireOwn } = makeGuards(kind);
  const id = idParam(`own ${noun}`);
  const role = z.enum(roles);
  const collectionId = (row: Share) =>
    (row as unknown as { readonly [column: string]: number })[noun]!;
  const activeShares = (db: Reader, match: object) => db.where(shares, { ...match, ended: false });
  const exampleShare = (db: Reader) =>
    activeShares(db, {}).find((row) => db.get(table, collectionId(row))?.removed === false);
  const share = resource({
    noun: "share",
    item: defineItem(shares, { ...personFields, role: role as z.ZodType<string> }),
    keys: { id, person: handleParam("with whom no longer") },
    find: (args, { db }) => {
      const one = requireOwn(db, args.id).id;
      const person = requirePerson(db, args.person, "person");
      const [row] = activeShares(db, { [noun]: one, person: person.id });
      const hint = `${app}.share${Noun} does`;
      refuseUnless(
        row,
        404,
        `person: ${noun} ${one} is not shared with "${person.handle}"; ${hint}`,
      );
      return row;
    },
    example: (db) => {
      const row = exampleShare(db);
      return { id: row ? collectionId(row) : 1, person: handleOrExample(db, row?.person) };
    },
  });
  const apis: { readonly [name: string]: Api } = {
    sharedWith: share.list(
      `List whom the owner let into an own ${noun}, in the order of sharing; shares that ended are left out.`,
      {
        params: { id },
        rows: ({ id }, { db }) => activeShares(db, { [noun]: requireOwn(db, id).id }),
        example: (db) => {
          const row = exampleShare(db);
          return { id: row ? collectionId(row) : exampleOwnId(db) };
        },
      },
    ),
    [`share${Noun}`]: share.add(
      `Let a contact into an own ${noun}, as a ${roles[0]} or an editor.`,
      {
        params: {
          id,
          person: handleParam("with whom"),
          role: role.default(roles[0]).describe("what they may do"),
        },
        row: (args, { db }) => {
          const one = requireOwn(db, args.id).id;
          const { id: person, handle } = requireReceiver(db, args.person, "person");
          const [row] = activeShares(db, { [noun]: one, person });
          refuseUnless(!row, 409, () => {
            const known = `"${handle}" is already ${row?.role} of ${noun} ${one}`;
            return `person: ${known}; ${app}.setRole changes that`;
          });
          return { [noun]: one, person, ended: false, role: args.role };
        },
        example: (db) => {
          const id = exampleOwnId(db);
          const guests = activeShares(db, { [noun]: id }).map(({ person }) => person);
          return { id, person: exampleHandleExcept(db, guests) };
        },
      },
    ),
    setRole: share.change(`Change what somebody may do in an own ${noun}.`, {
      params: { person: handleParam("whose role"), role: role.describe("the new role") },
      set: (row, { person, role }) => {
        refuseUnless(row.role !== role, 409, `role: "${person}" is already ${role}`);
        return { role };
      },
      example: (db) => {
        const role = exampleShare(db)?.role === "editor" ? roles[0] : "editor";
        return { ...share.example(db), role };
      },
    }),
    [`unshare${Noun}`]: share.set(`Stop sharing an own ${noun} with somebody.`, { ended: true }),
  };
  return apis;
}

/** Makes the APIs that leave the collections of contacts and join them again. */
export function joiningApisOf<R extends Collection>(
  { noun, Noun, table }: Pick<CollectionKind<R, Share>, "noun" | "Noun" | "table">,
  item: Item<R>,
) {
  const contactsCollection = resource<Collection>({
    noun,
    item: item as unknown as Item<Collection>,
    find: ({ id }, { db }) => {
      const row = rowById(db, table, id, { noun });
      const isTheirs = row.person !== null;
      refuseUnless(
        isTheirs,
        422,
        `id: expected a contact's ${noun}, got ${id}, which is the owner's`,
      );
      return row;
    },
    example: (db, fits) => ({
      id: firstRowId(db, table, (row) => row.person !== null && fits(row)),
    }),
  });
  const apis: { readonly [name: string]: Api } = {
    [`leave${Noun}`]: contactsCollection.set(
      `Leave a contact's ${noun}: it is no longer listed.`,
      { left: true },
      "was left already",
    ),
    [`join${Noun}`]: contactsCollection.set(
      `Join a contact's ${noun} again that was left.`,
      { left: false },
      "was never left",
    ),
  };
  return apis;
}

export function handleOrExample(db: Reader, id: number | null | undefined): string {
  const row = id == null ? undefined : db.get(people, id);
  return (row ?? db.where(people, { blocked: false })[0])?.handle ?? "amara.o";
}

/** Returns the handle of a contact whose id is not excluded. Examples of API calls use it. */
export const exampleHandleExcept = (db: Reader, excludedIds: readonly (number | null)[]): string =>
  exampleHandleWhere(db, ({ id }) => !excludedIds.includes(id));
