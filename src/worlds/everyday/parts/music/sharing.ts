/**
 * Things that the owner has and lets contacts into, or that contacts have and let the owner into:
 * playlists here, albums in photos. Both are narrowed, shared and followed alike; what they hold and
 * how it is written is said in `Shared`.
 */
import {
  type ActionKit,
  asked,
  type Column,
  columns,
  type Draw,
  eachOf,
  either,
  type Forms,
  forms,
  joins,
  using,
  type Value,
  withFriend,
} from "../../../../goals/index.ts";
import type { Reader, Table, TableRow, Writer } from "../../../../world/index.ts";
import type { Person } from "../../apps/tables.ts";
import { ofEach, ofItems, ofPages } from "./drawing.ts";

interface Owned extends TableRow {
  /** Whose it is; null: the owner's. */
  readonly person: number | null;
  readonly role: string;
  readonly removed: boolean;
  readonly left: boolean;
}

export interface Shared<R extends Owned> {
  readonly app: string;
  readonly table: Table<R>;
  /** `Playlist`, as names of APIs end. */
  readonly Thing: string;
  /** `playlist`, in names of parts and of APIs. */
  readonly thing: string;
  /** The last one is that of editors. */
  readonly roles: readonly R["role"][];
  /** Not ended. */
  readonly sharesOf: (
    db: Reader,
    id: number,
  ) => readonly { readonly person: number; readonly role: string }[];
  readonly share: (db: Writer, id: number, person: number, role: R["role"]) => void;
  readonly endShare: (db: Writer, id: number, person: number) => void;
  /** An own one by its name. */
  readonly find: (draw: Draw, fits?: (row: R) => boolean) => Value<R> | undefined;
}

export const isOwned = ({ person, removed }: Owned) => person === null && !removed;
export const isJoined = ({ person, left }: Owned) => person !== null && !left;
export const isWelcome = ({ blocked }: Person) => !blocked;

const aRole = (role: string) => (role === "editor" ? "an editor" : `a ${role}`);

const guestsOf = <R extends Owned>({ sharesOf }: Shared<R>, db: Reader, id: number) =>
  sharesOf(db, id).map(({ person }) => person);

const isGuestOf =
  <R extends Owned>(shared: Shared<R>) =>
  (db: Reader, id: number, person: number) =>
    guestsOf(shared, db, id).includes(person);

// --- clauses ---

/** Of own ones; `chance` that those are asked for which are shared at all. */
export const ownColumns = <R extends Owned>(
  shared: Shared<R>,
  { chance, excludes = [] }: { readonly chance: number; readonly excludes?: readonly string[] },
): { readonly [name: string]: Column<R> } =>
  columns<R>(({ person }) => ({
    "shared-with": person(({ id }, db) => guestsOf(shared, db, id), asked("sharedWith"), {
      excludes: ["shared", ...excludes],
    })`that I share with $ | shared with $ | that are shared with $ | that I let $ into
      | which $ was let into`,
    shared: either<R>(
      ({ id }, db) => shared.sharesOf(db, id).length > 0,
      (yes) => ({ test: yes ? "x.shared>0" : "x.shared===0" }),
      { chance, excludes },
    )`that I share with somebody | shared with at least one person | which are shared with someone
      | that one person or more was let into | that are shared with one person or more``
      that I share with nobody | shared with no one | which are not shared with anybody
      | that nobody else was let into | that are not shared at all`,
  }));

/** Of those of contacts. */
export const joinedColumns = <R extends Owned>({
  roles,
}: Shared<R>): { readonly [name: string]: Column<R> } =>
  columns<R>(({ person, clause }) => ({
    from: person((row) => row.person, asked("from"), { excludes: ["role"] })`
      that belong to $ | whose owner is $ | that are owned by $ | which $ owns | which belong to $`,
    role: clause(({ rng }) => {
      const role = rng.pick(roles.toReversed());
      return {
        words: forms`where I have the role ${role} | where I am ${aRole(role)}
          | whose owner gave me the role ${role} | where my role is ${role}
          | that I can use as ${aRole(role)}`,
        holds: (row) => row.role === role,
        code: { args: `role:"${role}"` },
      };
    }),
  }));

// --- actions ---

/** With own ones. */
export const sharing = <R extends Owned>({ does }: ActionKit<R>, shared: Shared<R>) => {
  const { table, Thing, thing, roles } = shared;
  const isIn = isGuestOf(shared);
  return {
    [`share-${thing}`]: withFriend((friend, { rng }) => {
      const role = rng.pick(roles);
      const as = aRole(role);
      return does((db, { id }) => shared.share(db, id, friend.value.id, role), {
        when: (row, db) => isOwned(row) && !isIn(db, row.id, friend.value.id),
        api: `share${Thing}`,
        args: `person:${friend.code},role:"${role}"`,
      })`Share # with ${friend.words}, as ${as} | Let ${friend.words} into # as ${as}
        | Give ${friend.words} access to #, in the role of ${as} | Make ${friend.words} ${as} of #
        | As ${as}, let ${friend.words} into #`;
    }),
    [`unshare-${thing}`]: withFriend(
      (friend) =>
        does((db, { id }) => shared.endShare(db, id, friend.value.id), {
          when: (row, db) => isOwned(row) && isIn(db, row.id, friend.value.id),
          api: `unshare${Thing}`,
          args: `person:${friend.code}`,
        })`Stop sharing # with ${friend.words} | Quit sharing # with ${friend.words}
          | End the sharing of # with ${friend.words} | Take from ${friend.words} the access to #
          | Have the access of ${friend.words} ended to #`,
      (db) => db.all(table).flatMap(({ id }) => guestsOf(shared, db, id)),
    ),
  };
};

/** With those of contacts. */
export const leaving = <R extends Owned>({ does }: ActionKit<R>, { table, Thing }: Shared<R>) =>
  does((db, { id }) => void db.update(table, id, { left: true } as Partial<R>), {
    when: isJoined,
    api: `leave${Thing}`,
  })`Leave # | Quit # | Take me out of # | Let me leave # | Get me out of #`;

/** With people, who are let into one or out of it. */
export const admitting = <R extends Owned>({ does }: ActionKit<Person>, shared: Shared<R>) => {
  const { app, Thing, thing, roles, find, sharesOf } = shared;
  const isIn = isGuestOf(shared);
  return {
    [`let-into-${thing}`]: using(find, (one, { rng }) => {
      const role = rng.pick(roles);
      return does((db, { id }) => shared.share(db, one.value.id, id, role), {
        when: (row, db) => isWelcome(row) && !isIn(db, one.value.id, row.id),
        call: `apis.${app}.share${Thing}({id:${one.code},person:x,role:"${role}"})`,
      })`Share ${one.words} with # in the role of ${role}
        | Let # into ${one.words} with the role ${role}
        | Give # access to ${one.words} in the role of ${role}
        | With the role of ${role}, share ${one.words} with #
        | In the role of ${role}, give access to ${one.words} to #`;
    }),
    [`shut-out-of-${thing}`]: using(
      (draw) => find(draw, ({ id }) => sharesOf(draw.db, id).length > 0),
      (one) => {
        return does((db, { id }) => shared.endShare(db, one.value.id, id), {
          when: ({ id }, db) => isIn(db, one.value.id, id),
          call: `apis.${app}.unshare${Thing}({id:${one.code},person:x})`,
        })`Stop sharing ${one.words} with # | No longer share ${one.words} with #
          | Take # off those with access to ${one.words} | End the sharing of ${one.words} with #
          | Close ${one.words} to #`;
      },
    ),
  };
};

// --- relations ---

interface Inside {
  /** `song` */
  readonly item: string;
  /** `playlistSongs` */
  readonly api: string;
  readonly of: (db: Reader, id: number) => readonly number[];
}

/** Own ones and those of contacts are two kinds, because other things may be done with them. */
export const inside =
  <R extends Owned>({ app }: Shared<R>, { item, api, of }: Inside) =>
  (from: string, to: string) =>
    joins({
      from,
      to,
      of: (id, db) => of(db, id),
      cells: ofPages(`${app}.${api}({id:x,size:20,page:p++})`),
    })`the ${item}s in # | all ${item}s that are in # | every ${item} of #
      | the ${item}s contained in # | each ${item} to be found in #`;

export const owners = <R extends Owned>({ app, table, thing }: Shared<R>) =>
  joins({
    from: `contacts-${thing}s`,
    to: "people",
    of: (id, db) => db.get(table, id)!.person,
    code: ofEach(`${app}.${thing}({id:x}).owner`),
  })`the owners of # | everyone who owns any of # | all contacts who own any of #
    | each contact who is an owner of any of # | whichever contacts own any of #`;

/** `noun`: what they are called, `photo album`. */
export const ownedBy = <R extends Owned>({ app, table, thing }: Shared<R>, noun: string) =>
  joins({
    from: "people",
    to: `contacts-${thing}s`,
    of: (person, db) =>
      db.where(table, { person, left: false, removed: false } as Partial<R>).map(({ id }) => id),
    code: (from) =>
      `${from}.flatMap(x=>apis.${app}.${thing}s({from:x,size:20}).items.map(y=>y.id))`,
  })`the ${noun}s owned by # | every ${noun} that belongs to #
    | all ${noun}s of which the owner is among # | whatever ${noun}s belong to #
    | each ${noun} whose owner is among #`;

export const members = <R extends Owned>(shared: Shared<R>) =>
  joins({
    from: `${shared.thing}s`,
    to: "people",
    each: eachOf("has been let by me into"),
    of: (id, db) => guestsOf(shared, db, id),
    code: ofItems(`${shared.app}.sharedWith({id:x,size:20})`, "handle"),
  })`everyone with whom I share any of # | the people I share any of # with
    | all contacts that I let into any of # | whoever I have let into any of #
    | those people who were let into any of # by me`;

// --- deeds ---

/** One made with two things in it. */
export const madeWith = (noun: string, name: string, both: string): Forms =>
  forms`
    Create a ${noun} "${name}" with ${both} | Make a new ${noun} called "${name}" that holds ${both}
    | Set up a ${noun} "${name}" and put ${both} into it
    | I need a new ${noun} named "${name}" with ${both} in it
    | Start a new ${noun} "${name}" and add ${both}`;

/** `what`: its name, or its title. */
export const renamed = (one: string, what: string, name: string): Forms =>
  forms`Rename ${one} to "${name}" | Change the ${what} of ${one} to "${name}"
    | Call ${one} "${name}" from now on | Let ${one} have the new ${what} "${name}"
    | Give ${one} the ${what} "${name}" in place of the old one`;
