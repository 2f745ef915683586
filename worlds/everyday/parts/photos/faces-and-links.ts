/** Goals about faces without a name and about active links: their collections and actions. */
import { actions, defineCollection, nouns } from "bowline/goals";
import type { Face, Link } from "../../apps/photos/tables.ts";
import * as tables from "../../apps/photos/tables.ts";
import { TODAY } from "../../population/time.ts";
import { idsOfPeopleShown } from "./photo-rows.ts";

const FACES_LIST = { kind: "faces", app: "photos", table: tables.faces } as const;

const needsName = ({ person, ignored }: Face) => person === null && !ignored;

export const faceCollection = defineCollection<Face>({
  ...FACES_LIST,
  includes: (row, db) => needsName(row) && !db.get(tables.photoRows, row.photo)!.trashed,
  list: "faces",
  nouns: nouns`unnamed face / unnamed faces in my photos | face without a name / faces without a
    name in my photos | nameless face / nameless faces in my photos | face that needs a name /
    faces in my photos still without a name | face to be named / still unnamed faces in my photos`,
  columns: ({ drawnClause, alternatives, withProperty, person, byItemProperty, text }) => ({
    guessed: person(
      ({ guess }) => guess,
      byItemProperty("guess"),
    )`that the app takes for $ | guessed to be $ | that the app guesses to be $ | whose guess is $
      | that by the app's guess belong to $`,
    side: drawnClause(({ rng }) => {
      const side = rng.pick(tables.SIDES);
      const where = side === "middle" ? "in the middle" : `on the ${side}`;
      return {
        words: alternatives`${where} of the picture | that are ${where} of the picture
          | which appear ${where} of the picture
          | to be seen ${where} of the picture | that can be seen ${where} of the picture`,
        holds: (row) => row.side === side,
        code: { test: `x.side==="${side}"` },
      };
    }),
    unguessed: withProperty(
      ({ guess }) => guess === null,
      { test: "x.guess===null" },
      { excludes: ["guessed"] },
    )`that the app has no guess for | without a guess by the app | without a guess about the person
      | that the app cannot guess a person for | that come without a guess`,
    photo: text(({ photo }, db) => db.get(tables.photoRows, photo)!.name, {
      item: "name",
      noun: "name of the photo",
    }),
  }),
});

const faceActions = actions<Face>(
  { ...FACES_LIST, difficult: "confirm-guess", when: needsName },
  ({ actionWithPerson, sets }) => ({
    "name-face": actionWithPerson(({ value: { id: person }, code }) =>
      sets("person", person, {
        when: ({ photo }, db) => !idsOfPeopleShown(db, photo).includes(person),
        api: "nameFace",
        args: `person:${code}`,
      }),
    )`Give the name of $ to # | Name $ as the person behind # | Set $ as the name for #
      | Identify # as $ | Assign # to $`,
    /**
     * Two faces in one photo cannot be the same person. If the guesses for two faces of a photo name the same person,
     * the set is drawn again.
     */
    "confirm-guess": sets(({ guess }) => ({ person: guess }), {
      when: ({ guess, photo }, db) =>
        guess !== null && !idsOfPeopleShown(db, photo).includes(guess),
      call: "const o=apis.photos.face({id:x});apis.photos.nameFace({id:x,person:o.guess})",
    })`Confirm the app's guess for # | Name # after the person that the app guesses | Accept the
      app's guess of the person for # | Give to # the name of the person that the app takes them for
      | Follow the app's guess in naming #`,
    "ignore-face": sets("ignored", true, { api: "ignoreFace" })`Ignore # | Set # to be ignored
      | Let the app ignore # | Mark # as ignored | Put # among the ignored faces`,
  }),
);

const LINKS_LIST = { kind: "links", app: "photos", table: tables.links } as const;

export const linkCollection = defineCollection<Link>({
  ...LINKS_LIST,
  includes: ({ revoked, expires }) => !revoked && expires >= TODAY,
  list: { api: "links", args: "active:true" },
  allowsWhole: true,
  nouns: nouns`working photo link / working links of my photo app | active photo link / active links
    of my photo app | valid photo link / still valid links of my photo app | active link(s)
    of the photos app | working link of the photos app / still working links of the photos app`,
  columns: ({ atMost, day, withOrWithout, superlatives, text }) => ({
    of: text(
      ({ photo, album }, db) =>
        photo === null
          ? db.get(tables.albums, album!)!.title
          : db.get(tables.photoRows, photo)!.name,
      { item: "of", noun: "photo or album name" },
    ),
    "of-what": withOrWithout(
      ({ album }) => album !== null,
      (yes) => ({ test: yes ? "x.album!==null" : "x.photo!==null" }),
    )`to an album | that lead to an album | which show an album | that open an album
      | which lead to an album``to a single photo | that lead to a single photo
        | which show a single photo | that open a single photo | which lead to a single photo`,
    expires: day(
      (row) => row.expires,
      { item: "expires", noun: "last day" },
      superlatives`latest-expiring / soonest-expiring | last-expiring / first-expiring |
        latest-expiring / soonest-expiring | last-expiring / first-expiring | latest-expiring /
        soonest-expiring`,
      atMost("expiring")`that expire on $ or earlier | expiring no later than $ | whose last day is
        $ or earlier | that work until $ at the latest | which expire on $ or before`,
    ),
  }),
});

const linkActions = actions<Link>(LINKS_LIST, ({ changesTo, actionWithValue }) => ({
  "revoke-link": changesTo("revoked", true, { api: "revokeLink" })`Revoke # | Make # useless by
    revoking | Withdraw # at once | Call back # by revoking | Put an end to # by revocation`,
  "extend-link": actionWithValue("day", ({ value: expires, code }) =>
    changesTo("expires", expires, {
      when: ({ revoked }) => !revoked && expires >= TODAY,
      api: "extendLink",
      args: `expires:${code}`,
    }),
  )`Change the last day of # to $ | Let # expire on $ | Set # to expire on $
    | Make $ the last day of # | Move the last day of # to $`,
}));

export const faceAndLinkActions = [...faceActions, ...linkActions];
