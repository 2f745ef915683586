/**
 * Things that the owner has and lets contacts into, or that contacts have and let the owner into:
 * playlists here, albums in photos. Both are narrowed, shared and followed alike; what they hold and
 * where it stands is said in `Shared`.
 */
import {
  type ActionKit,
  type Alternatives,
  actionWithFound,
  actionWithPerson,
  alternatives,
  type Columns,
  type DrawContext,
  declareColumns,
  drawnActionWithFound,
  drawnActionWithPerson,
  everyoneWhoDoesToEach,
  relationBetween,
  type Value,
} from "bowline/goals";
import type { Reader, Table, TableRow, Writer } from "bowline/world";
import type { Person } from "../../apps/tables.ts";
import { ofEach, ofItems, ofPages } from "./common.ts";

interface Owned extends TableRow {
  /** Whose it is; null: the owner's. */
  readonly person: number | null;
  readonly role: string;
  readonly removed: boolean;
  readonly left: boolean;
}

interface Share extends TableRow {
  readonly person: number;
  readonly role: string;
  readonly ended: boolean;
}

export interface Shared<R extends Owned> {
  readonly app: string;
  readonly table: Table<R>;
  /** Whom they are shared with, by the name of the thing: `playlist`. */
  readonly shares: Table<Share>;
  /** `playlist`, in names of parts and of APIs. */
  readonly thing: string;
  /** The last one is that of editors. */
  readonly roles: readonly R["role"][];
  /** An own one by its name. */
  readonly find: (draw: DrawContext, fits?: (row: R) => boolean) => Value<R> | undefined;
}

export const isOwned = ({ person, removed }: Owned) => person === null && !removed;
export const isJoined = ({ person, left }: Owned) => person !== null && !left;
export const isWelcome = ({ blocked }: Person) => !blocked;

const aRole = (role: string) => (role === "editor" ? "an editor" : `a ${role}`);
/** As names of APIs end: `Playlist`. */
const ending = ({ thing }: { readonly thing: string }) => thing[0]!.toUpperCase() + thing.slice(1);

type Sharing = Pick<Shared<Owned>, "shares" | "thing">;

/** Not ended. */
export const sharesOf = ({ shares, thing }: Sharing, db: Reader, id: number): readonly Share[] =>
  db.where(shares, { [thing]: id, ended: false });

const guestsOf = (shared: Sharing, db: Reader, id: number) =>
  sharesOf(shared, db, id).map(({ person }) => person);

const isGuest = (shared: Sharing, db: Reader, id: number, person: number) =>
  guestsOf(shared, db, id).includes(person);

function share(
  { shares, thing }: Sharing,
  db: Writer,
  id: number,
  guest: Omit<Share, "id" | "ended">,
) {
  db.insert(shares, { [thing]: id, ...guest, ended: false });
}

function endShare(shared: Sharing, db: Writer, id: number, person: number) {
  const row = sharesOf(shared, db, id).find((one) => one.person === person);
  db.update(shared.shares, row!.id, { ended: true });
}

/** Of own ones; `chance` that those are asked for which are shared at all. */
export const ownColumns = <R extends Owned>(
  shared: Shared<R>,
  chance: number,
  ...excludes: readonly string[]
): Columns<R> =>
  declareColumns<R>(({ byArgument, withOrWithout, person }) => ({
    "shared-with": person(({ id }, db) => guestsOf(shared, db, id), byArgument("sharedWith"), {
      excludes: ["shared", ...excludes],
    })`that I share with $ | shared with $ | that are shared with $ | that I let $ into
      | which $ was let into`,
    shared: withOrWithout(
      ({ id }, db) => guestsOf(shared, db, id).length > 0,
      (yes) => ({ test: yes ? "x.shared>0" : "x.shared===0" }),
      { chance, excludes },
    )`that I share with somebody | shared with at least one person | which are shared with someone
      | that one person or more was let into | that are shared with one person or more``
        that I share with nobody | shared with no one | which are not shared with anybody
        | that nobody else was let into | that are not shared at all`,
  }));

/** Of those of contacts. */
export const joinedColumns = <R extends Owned>({ roles }: Shared<R>): Columns<R> =>
  declareColumns<R>(({ byArgument, drawnClause, alternatives, person }) => ({
    from: person((row) => row.person, byArgument("from"), { excludes: ["role"] })`that belong to $
      | whose owner is $ | that are owned by $ | which $ owns | which belong to $`,
    role: drawnClause(({ rng }) => {
      const role = rng.pick(roles.toReversed());
      return {
        words: alternatives`where I have the role ${role} | where I am ${aRole(role)} | whose owner gave me
          the role ${role} | where my role is ${role} | that I can use as ${aRole(role)}`,
        holds: (row) => row.role === role,
        code: { args: `role:"${role}"` },
      };
    }),
  }));

/** With own ones. */
export const sharing = <R extends Owned>({ applies }: ActionKit<R>, shared: Shared<R>) => ({
  [`share-${shared.thing}`]: drawnActionWithPerson<R>(
    ({ value: { id: person }, words, code }, { rng }) => {
      const role = rng.pick(shared.roles);
      const as = aRole(role);
      return applies((db, { id }) => share(shared, db, id, { person, role }), {
        when: (row, db) => isOwned(row) && !isGuest(shared, db, row.id, person),
        api: `share${ending(shared)}`,
        args: `person:${code},role:"${role}"`,
      })`Share # with ${words}, as ${as} | Let ${words} into # as ${as} | Give ${words} access to #,
      in the role of ${as} | Make ${words} ${as} of # | As ${as}, let ${words} into #`;
    },
  ),
  [`unshare-${shared.thing}`]: actionWithPerson<R>(
    ({ value: { id: person }, code }) =>
      applies((db, { id }) => endShare(shared, db, id, person), {
        when: (row, db) => isOwned(row) && isGuest(shared, db, row.id, person),
        api: `unshare${ending(shared)}`,
        args: `person:${code}`,
      }),
    ({ db }) => db.all(shared.table).flatMap(({ id }) => guestsOf(shared, db, id)),
  )`Stop sharing # with $ | Quit sharing # with $ | End the sharing of # with $
    | Take from $ the access to # | Have the access of $ ended to #`,
});

/** With those of contacts. */
export const leaving = <R extends Owned>({ applies }: ActionKit<R>, shared: Shared<R>) =>
  applies((db, { id }) => void db.update(shared.table, id, { left: true } as Partial<R>), {
    when: isJoined,
    api: `leave${ending(shared)}`,
  })`Leave # | Quit # | Take me out of # | Let me leave # | Get me out of #`;

/** With people, who are let into one or out of it. */
export const admitting = <R extends Owned>({ applies }: ActionKit<Person>, shared: Shared<R>) => ({
  [`let-into-${shared.thing}`]: drawnActionWithFound(
    shared.find,
    ({ value: { id }, words, code }, { rng }) => {
      const role = rng.pick(shared.roles);
      return applies((db, { id: person }) => share(shared, db, id, { person, role }), {
        when: (row, db) => isWelcome(row) && !isGuest(shared, db, id, row.id),
        call: `apis.${shared.app}.share${ending(shared)}({id:${code},person:x,role:"${role}"})`,
      })`Share ${words} with # in the role of ${role} | Let # into ${words} with the role ${role}
      | Give # access to ${words} in the role of ${role} | With the role
      of ${role}, share ${words} with # | In the role of ${role}, give access to ${words} to #`;
    },
  ),
  [`shut-out-of-${shared.thing}`]: actionWithFound(
    (draw) => shared.find(draw, ({ id }) => guestsOf(shared, draw.db, id).length > 0),
    ({ value: { id }, code }) =>
      applies((db, { id: person }) => endShare(shared, db, id, person), {
        when: (row, db) => isGuest(shared, db, id, row.id),
        call: `apis.${shared.app}.unshare${ending(shared)}({id:${code},person:x})`,
      }),
  )`Stop sharing $ with # | No longer share $ with # | Take # off those with access to $
    | End the sharing of $ with # | Close $ to #`,
});

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
    relationBetween(from, to, {
      relatedIds: (id, db) => of(db, id),
      cells: ofPages(`${app}.${api}({id:x,size:20,page:p++})`),
    })`the ${item}s in # | all ${item}s that are in # | every ${item} of #
      | the ${item}s contained in # | each ${item} to be found in #`;

export const owners = <R extends Owned>({ app, table, thing }: Shared<R>) =>
  relationBetween(`contacts-${thing}s`, "people", {
    relatedIds: (id, db) => db.get(table, id)!.person,
    code: ofEach(`${app}.${thing}({id:x}).owner`),
  })`the owners of # | everyone who owns any of # | all contacts who own any of #
    | each contact who is an owner of any of # | whichever contacts own any of #`;

/** `noun`: what they are called, `photo album`. */
export const ownedBy = <R extends Owned>({ app, table, thing }: Shared<R>, noun: string) =>
  relationBetween("people", `contacts-${thing}s`, {
    relatedIds: (person, db) =>
      db.where(table, { person, left: false, removed: false } as Partial<R>).map(({ id }) => id),
    code: (from) =>
      `${from}.flatMap(x=>apis.${app}.${thing}s({from:x,size:20}).items.map(y=>y.id))`,
  })`the ${noun}s owned by # | every ${noun} that belongs to # | all ${noun}s of which the owner is
    among # | whatever ${noun}s belong to # | each ${noun} whose owner is among #`;

export const members = <R extends Owned>(shared: Shared<R>) =>
  relationBetween(`${shared.thing}s`, "people", {
    wordsForEach: everyoneWhoDoesToEach("has been let by me into"),
    relatedIds: (id, db) => guestsOf(shared, db, id),
    code: ofItems(`${shared.app}.sharedWith({id:x,size:20})`, "handle"),
  })`everyone with whom I share any of # | the people I share any of # with
    | all contacts that I let into any of #
    | whoever I have let into any of # | those people who were let into any of # by me`;

/** One made with two things in it. */
export const madeWith = (noun: string, name: string, both: string): Alternatives =>
  alternatives`Create a ${noun} "${name}" with ${both} | Make a new ${noun} called "${name}" that holds
    ${both} | Set up a ${noun} "${name}" and put ${both} into it | I need a
    new ${noun} named "${name}" with ${both} in it | Start a new ${noun} "${name}" and add ${both}`;

/** `what`: its name, or its title. */
export const renamed = (one: string, what: string, name: string): Alternatives =>
  alternatives`Rename ${one} to "${name}" | Change the ${what} of ${one} to "${name}"
    | Call ${one} "${name}" from now on | Let ${one} have the new ${what} "${name}"
    | Give ${one} the ${what} "${name}" in place of the old one`;
