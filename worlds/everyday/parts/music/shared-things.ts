/**
 * Things that the owner shares with contacts, or that contacts share with the owner: playlists, and albums in photos.
 * Playlists and albums have the same columns, actions and relations. `SharedThings` describes where the rows of such
 * things are and how the things are named.
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
import { distinctFromCall, distinctFromItems, distinctFromPages } from "./music-and-photos.ts";

interface ShareableRow extends TableRow {
  /** The id of the contact who owns the thing; null when it is the owner's. */
  readonly person: number | null;
  readonly role: string;
  readonly removed: boolean;
  readonly left: boolean;
}

interface ShareRow extends TableRow {
  readonly person: number;
  readonly role: string;
  readonly ended: boolean;
}

export interface SharedThings<R extends ShareableRow> {
  readonly app: string;
  readonly table: Table<R>;
  /** The table of shares. Its column with the id of the thing is called like the thing, such as `playlist`. */
  readonly shares: Table<ShareRow>;
  /** What the thing is called in the names of parts and APIs, such as `playlist`. */
  readonly thing: string;
  /** The roles of people with whom a thing is shared. The last role is that of editors. */
  readonly roles: readonly R["role"][];
  /** Draws one of the owner's things, which the solution finds by its name. */
  readonly find: (draw: DrawContext, fits?: (row: R) => boolean) => Value<R> | undefined;
}

export const isOwnedByOwner = ({ person, removed }: ShareableRow) => person === null && !removed;
export const isJoinedByOwner = ({ person, left }: ShareableRow) => person !== null && !left;
export const isNotBlocked = ({ blocked }: Person) => !blocked;

const roleWithArticle = (role: string) => (role === "editor" ? "an editor" : `a ${role}`);
/** Returns the end of API names: `Playlist` for `playlist`. */
const apiSuffix = ({ thing }: { readonly thing: string }) =>
  thing[0]!.toUpperCase() + thing.slice(1);

type SharesOfThing = Pick<SharedThings<ShareableRow>, "shares" | "thing">;

/** Returns the shares of a thing that have not ended. */
export const activeShares = (
  { shares, thing }: SharesOfThing,
  db: Reader,
  id: number,
): readonly ShareRow[] => db.where(shares, { [thing]: id, ended: false });

const guestIds = (shared: SharesOfThing, db: Reader, id: number) =>
  activeShares(shared, db, id).map(({ person }) => person);

const isGuest = (shared: SharesOfThing, db: Reader, id: number, person: number) =>
  guestIds(shared, db, id).includes(person);

function insertShare(
  { shares, thing }: SharesOfThing,
  db: Writer,
  id: number,
  guest: Omit<ShareRow, "id" | "ended">,
) {
  db.insert(shares, { [thing]: id, ...guest, ended: false });
}

function endShare(shared: SharesOfThing, db: Writer, id: number, person: number) {
  const row = activeShares(shared, db, id).find((one) => one.person === person);
  db.update(shared.shares, row!.id, { ended: true });
}

/**
 * Declares columns of the owner's things. `chance` is the probability that a task asks for shared things, and not for
 * things that are not shared.
 */
export const columnsOfOwnThings = <R extends ShareableRow>(
  shared: SharedThings<R>,
  chance: number,
  ...excludes: readonly string[]
): Columns<R> =>
  declareColumns<R>(({ byArgument, withOrWithout, person }) => ({
    "shared-with": person(({ id }, db) => guestIds(shared, db, id), byArgument("person"), {
      excludes: ["shared", ...excludes],
    })`that I share with $ | shared with $ | that are shared with $ | that I let $ into
      | into which $ was let`,
    shared: withOrWithout(
      ({ id }, db) => guestIds(shared, db, id).length > 0,
      (yes) => ({ test: yes ? "x.shared>0" : "x.shared===0" }),
      { chance, excludes },
    )`that I share with somebody | shared with at least one person | which are shared with someone
      | into which I let one person or more | that are shared with one person or more``
        that I share with nobody | shared with no one | which are not shared with anybody
        | into which I let nobody else | that are not shared at all`,
  }));

/** Declares columns of things that contacts share with the owner. */
export const columnsOfJoinedThings = <R extends ShareableRow>({
  roles,
}: SharedThings<R>): Columns<R> =>
  declareColumns<R>(({ byArgument, drawnClause, alternatives, person }) => ({
    from: person((row) => row.person, byArgument("from"), { excludes: ["role"] })`that belong to $
      | whose owner is $ | that are owned by $ | which $ owns | which belong to $`,
    role: drawnClause(({ rng }) => {
      const role = rng.pick(roles.toReversed());
      return {
        words: alternatives`where I have the role ${role} | where I am ${roleWithArticle(role)}
          | whose owner gave me the role ${role} | where my role is ${role}
          | that I can use as ${roleWithArticle(role)}`,
        holds: (row) => row.role === role,
        code: { args: `role:"${role}"` },
      };
    }),
  }));

/** Makes actions that share one of the owner's things with a person, and that end a share. */
export const shareAndUnshareActions = <R extends ShareableRow>(
  { applies }: ActionKit<R>,
  shared: SharedThings<R>,
) => ({
  [`share-${shared.thing}`]: drawnActionWithPerson<R>(
    ({ value: { id: person }, words, code }, { rng }) => {
      const role = rng.pick(shared.roles);
      const roleText = roleWithArticle(role);
      return applies((db, { id }) => insertShare(shared, db, id, { person, role }), {
        when: (row, db) => isOwnedByOwner(row) && !isGuest(shared, db, row.id, person),
        api: `share${apiSuffix(shared)}`,
        args: `person:${code},role:"${role}"`,
      })`Share # with ${words}, as ${roleText} | Let ${words} into # as ${roleText}
      | Give ${words} access to #, in the role of ${roleText} | Make ${words} ${roleText} of #
      | As ${roleText}, let ${words} into #`;
    },
  ),
  [`unshare-${shared.thing}`]: actionWithPerson<R>(
    ({ value: { id: person }, code }) =>
      applies((db, { id }) => endShare(shared, db, id, person), {
        when: (row, db) => isOwnedByOwner(row) && isGuest(shared, db, row.id, person),
        api: `unshare${apiSuffix(shared)}`,
        args: `person:${code}`,
      }),
    ({ db }) => db.all(shared.table).flatMap(({ id }) => guestIds(shared, db, id)),
  )`Stop sharing # with $ | Quit sharing # with $ | End the sharing of # with $
    | Take the access to # away from $ | End the access that $ has to #`,
});

/** Makes the action that leaves a thing of a contact. */
export const leaveThingAction = <R extends ShareableRow>(
  { applies }: ActionKit<R>,
  shared: SharedThings<R>,
) =>
  applies((db, { id }) => void db.update(shared.table, id, { left: true } as Partial<R>), {
    when: isJoinedByOwner,
    api: `leave${apiSuffix(shared)}`,
  })`Leave # | Quit # | Take me out of # | Give up my access to # | Get me out of #`;

/** Makes two actions on people: giving them access to one thing, and ending their access to it. */
export const letInAndShutOutActions = <R extends ShareableRow>(
  { applies }: ActionKit<Person>,
  shared: SharedThings<R>,
) => ({
  [`let-into-${shared.thing}`]: drawnActionWithFound(
    shared.find,
    ({ value: { id }, words, code }, { rng }) => {
      const role = rng.pick(shared.roles);
      return applies((db, { id: person }) => insertShare(shared, db, id, { person, role }), {
        when: (row, db) => isNotBlocked(row) && !isGuest(shared, db, id, row.id),
        call: `apis.${shared.app}.share${apiSuffix(shared)}({id:${code},person:x,role:"${role}"})`,
      })`Share ${words} with # in the role of ${role} | Let # into ${words} with the role ${role}
      | Give # access to ${words} in the role of ${role} | With the role
      of ${role}, share ${words} with # | In the role of ${role}, give access to ${words} to #`;
    },
  ),
  [`shut-out-of-${shared.thing}`]: actionWithFound(
    (draw) => shared.find(draw, ({ id }) => guestIds(shared, draw.db, id).length > 0),
    ({ value: { id }, code }) =>
      applies((db, { id: person }) => endShare(shared, db, id, person), {
        when: (row, db) => isGuest(shared, db, id, row.id),
        call: `apis.${shared.app}.unshare${apiSuffix(shared)}({id:${code},person:x})`,
      }),
  )`Stop sharing $ with # | No longer share $ with # | Take # off the people with access to $
    | End the sharing of $ with # | Close $ to #`,
});

interface ContainedItems {
  /** The contained item, such as `song`. */
  readonly item: string;
  /** The API that lists the contained items, such as `playlistSongs`. */
  readonly api: string;
  readonly idsOf: (db: Reader, id: number) => readonly number[];
}

/**
 * Makes a relation from things to the items in them. The owner's things and those of contacts are two kinds, because
 * different actions are possible on the items of each.
 */
export const containedItemsRelation =
  <R extends ShareableRow>({ app }: SharedThings<R>, { item, api, idsOf }: ContainedItems) =>
  (from: string, to: string) =>
    relationBetween(from, to, {
      relatedIds: (id, db) => idsOf(db, id),
      cells: distinctFromPages(`${app}.${api}({id:x,size:20,page:p++})`),
    })`the ${item}s in # | all ${item}s that are in # | every ${item} of #
      | the ${item}s contained in # | each ${item} to be found in #`;

export const ownersRelation = <R extends ShareableRow>({ app, table, thing }: SharedThings<R>) =>
  relationBetween(`contacts-${thing}s`, "people", {
    relatedIds: (id, db) => db.get(table, id)!.person,
    code: distinctFromCall(`${app}.${thing}({id:x}).owner`),
  })`the owners of # | everyone who owns any of # | all contacts who own any of #
    | each contact who is an owner of any of # | whichever contacts own any of #`;

/**
 * Makes a relation from people to the things that they share with the owner. `noun` is what the things are called:
 * `photo album`.
 */
export const ownedByRelation = <R extends ShareableRow>(
  { app, table, thing }: SharedThings<R>,
  noun: string,
) =>
  relationBetween("people", `contacts-${thing}s`, {
    relatedIds: (person, db) =>
      db.where(table, { person, left: false, removed: false } as Partial<R>).map(({ id }) => id),
    code: (from) =>
      `${from}.flatMap(x=>apis.${app}.${thing}s({from:x,size:20}).items.map(y=>y.id))`,
  })`the ${noun}s owned by # | every ${noun} that belongs to # | all ${noun}s of which the owner is
    among # | whatever ${noun}s belong to # | each ${noun} whose owner is among #`;

export const membersRelation = <R extends ShareableRow>(shared: SharedThings<R>) =>
  relationBetween(`${shared.thing}s`, "people", {
    wordsForEach: everyoneWhoDoesToEach("has been let by me into"),
    relatedIds: (id, db) => guestIds(shared, db, id),
    code: distinctFromItems(`${shared.app}.sharedWith({id:x,size:20})`, "handle"),
  })`everyone with whom I share any of # | the people I share any of # with
    | all contacts that I let into any of #
    | whoever I have let into any of # | those people who were let into any of # by me`;

/** Writes phrases for creating a thing, such as a playlist, with two items in it. */
export const createWithTwoPhrases = (noun: string, name: string, both: string): Alternatives =>
  alternatives`Create a ${noun} "${name}" with ${both}
    | Make a new ${noun} called "${name}" that holds ${both}
    | Set up a ${noun} "${name}" and put ${both} into it
    | I need a new ${noun} named "${name}" with ${both} in it
    | Start a new ${noun} "${name}" and add ${both}`;

/** Writes phrases for renaming a thing. `what` is its name or its title. */
export const renamePhrases = (one: string, what: string, name: string): Alternatives =>
  alternatives`Rename ${one} to "${name}" | Change the ${what} of ${one} to "${name}" | From now
    on, ${one} is to have the ${what} "${name}" | Let ${one} have the new ${what} "${name}" | Give
    ${one} the ${what} "${name}" in place of the old one`;
