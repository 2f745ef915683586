/** Things that few tasks speak of: nouns, phrases and columns. */
import {
  GENRE,
  linked,
  photoCount,
  photosIn,
  readers,
  rowOf,
  rowsFor,
  songsOf,
  traits,
  withVideo,
} from "./more-phrases.ts";
import {
  belonging,
  compared,
  fixed,
  isPerson,
  NAME,
  type Row,
  type Tables,
  valued,
} from "./phrases.ts";
import type { Thing } from "./things.ts";

const writtenOn = (row: Row) => String(row["at"]).slice(0, 10);

const IN_A_ROLE =
  '(?:in the role|with the role|whose role is|who have the role) "(\\w+)"(?: there)?|for whom the role is "(\\w+)"';
const viewerRole = valued(IN_A_ROLE, (row, role, tables) =>
  rowsFor(tables, "calendar.shares", "person", row).some(
    (one) => one["ended"] === false && one["role"] === role,
  ),
);
const ownerRole = valued(IN_A_ROLE, (row, role, tables) =>
  rowsFor(tables, "calendar.others", "person", row).some((one) => one["role"] === role),
);
const productOf = (row: Row, tables: Tables) => rowOf(tables, "shop.products", row["product"]);

export const rareThings: readonly Thing[] = [
  {
    name: "calendar viewers",
    table: "contacts.people",
    noun: "people (?:with (?:access|rights) to my calendar|on the sharing list of my calendar|on my calendar's sharing list)|viewers of my calendar",
    includes: (row, tables) =>
      rowsFor(tables, "calendar.shares", "person", row).some((one) => one["ended"] === false),
    phrases: [viewerRole],
    fields: [],
  },
  {
    name: "calendar owners",
    table: "contacts.people",
    noun: "owners of (?:the )?calendars (?:that are )?(?:shared with|shown to) me|people with calendars (?:shared with|shown to) me",
    includes: (row, tables) => rowsFor(tables, "calendar.others", "person", row).length > 0,
    phrases: [ownerRole],
    fields: [],
  },
  {
    name: "proposals",
    table: "calendar.proposals",
    noun: "open proposals (?:of another time by guests|by guests for another time)|guests' open proposals of a new time|undecided proposals of guests for another time|open guest proposals of a new time",
    includes: (row) => row["status"] === "open" && row["person"] !== null,
    phrases: [
      compared("|that are", "day", (row) => String(row["day"]), "or a later day"),
      valued(`(?:from|by|that came from|made by) ${NAME}|that ${NAME} made`, (row, name, tables) =>
        isPerson(tables, row["person"], name),
      ),
      fixed(
        "that start before noon|that begin before 12:00|with a start before 12:00|which start earlier than 12:00|whose start is before noon",
        (row) => String(row["time"]) < "12:00",
      ),
      fixed(
        "that start at 18:00 or later|that begin no earlier than 18:00|with a start at 18:00 or after|which start at six in the evening or later|whose start is 18:00 or later",
        (row) => String(row["time"]) >= "18:00",
      ),
    ],
    fields: [
      {
        words: "event title",
        read: (row, tables) => String(rowOf(tables, "calendar.events", row["event"])?.["title"]),
      },
      {
        words: "proposed day",
        read: (row) => String(row["day"]),
        ranks: { most: "latest|last", least: "next|earliest|first" },
      },
    ],
  },
  {
    name: "attachments",
    table: "mail.attachments",
    noun: "attachments? (?:in inbox and archive|of mails in inbox and archive|of received mails outside the trash)|files? attached to (?:mails in inbox and archive|received mails outside the trash)",
    includes: (row, tables) => rowOf(tables, "mail.mails", row["mail"])?.["folder"] !== "trash",
    phrases: [
      valued(
        '(?:of the kind|whose kind is|that are of kind) "(\\w+)"|with "(\\w+)" as their kind|which mail lists as "(\\w+)"',
        (row, kind) => row["kind"] === kind,
      ),
      compared(
        "of|with|that are|that have|whose size is",
        "number",
        (row) => Number(row["kilobytes"]),
        "kilobytes(?: or (?:more|larger))?",
      ),
    ],
    fields: [
      { words: "file name", read: (row) => String(row["name"]) },
      {
        words: "size in kilobytes",
        read: (row) => Number(row["kilobytes"]),
        ranks: { most: "largest|biggest", least: "smallest" },
      },
    ],
  },
  {
    name: "reviews",
    table: "shop.reviews",
    noun: "(?:product )?reviews? of mine(?: in the shop)?|reviews? in the shop by me|reviews? by me in the shop|shop reviews? of mine",
    includes: (row) =>
      row["person"] === null && row["author"] === null && row["withdrawn"] === false,
    phrases: [
      valued(
        '(?:of products in|about products from|whose product is in|that are about a product of|where the product belongs to) the category "([^"]*)"',
        (row, category, tables) => productOf(row, tables)?.["category"] === category,
      ),
      valued(
        '(?:that say|with the words|in which I wrote|that contain the words) "([^"]*)"(?: in them)?|whose text has "([^"]*)" in it',
        (row, words) => String(row["text"]).includes(words),
      ),
      valued(
        "(?:with|of|in which I gave|that have|with a rating of) (\\d) stars?",
        (row, stars) => row["stars"] === Number(stars),
      ),
      compared(
        "from|written|that I wrote|which date from|that were written",
        "day",
        writtenOn,
        "or before that",
      ),
    ],
    fields: [{ words: "number of stars", read: (row) => Number(row["stars"]) }],
  },
  {
    name: "alerts",
    table: "shop.alerts",
    noun: "(?:shop )?price alerts?(?: of mine)?(?: in the shop)?|alerts? for prices in the shop",
    includes: () => true,
    phrases: [
      fixed(
        "that are not reached|whose price is not reached|where the product still costs more than the alert says|which have not been reached so far|for which the price is not low enough so far",
        (row, tables) => Number(productOf(row, tables)?.["cents"]) > Number(row["cents"]),
      ),
      fixed(
        "that are reached|whose price is reached|where the product costs no more than the alert says|which have been reached by now|for which the price is low enough by now",
        (row, tables) => Number(productOf(row, tables)?.["cents"]) <= Number(row["cents"]),
      ),
    ],
    fields: [{ words: "alert price", read: (row) => Number(row["cents"]), isMoney: true }],
  },
  {
    name: "contacts' playlists",
    table: "music.playlists",
    noun: "(?:music )?playlists? (?:of|owned by) (?:my )?contacts(?: in the music app)?",
    includes: (row) => row["person"] !== null && row["removed"] === false && row["left"] === false,
    phrases: [
      valued(
        "(?:where (?:I have the|my) role(?: is)?|whose owner gave me the role) (\\w+)|(?:where I am|that I can use as) an? (\\w+)",
        (row, role) => row["role"] === role,
      ),
      valued(
        `that contain at least one ${GENRE} song|with at least one song of the genre ${GENRE}|which include at least one ${GENRE} song|that hold one or more songs of the genre ${GENRE}|where one song or more is of the genre ${GENRE}`,
        (row, genre, tables) => songsOf(row, tables).some((song) => song["genre"] === genre),
      ),
    ],
    fields: [],
  },
  {
    name: "own albums",
    table: "photos.albums",
    noun: "(?:photo )?albums? of (?:mine|my own)(?: in (?:my|the) photos? app)?",
    includes: (row) => row["person"] === null && row["removed"] === false,
    phrases: [
      photoCount,
      withVideo,
      valued(
        `(?:that I share with|shared with|that are shared with) ${NAME}|that I let ${NAME} into|into which ${NAME} was let`,
        (row, name, tables) =>
          rowsFor(tables, "photos.shares", "album", row).some(
            (one) => one["ended"] === false && isPerson(tables, one["person"], name),
          ),
      ),
    ],
    fields: [
      { words: "title", read: (row) => String(row["title"]) },
      { words: "number of photos", read: (row, tables) => photosIn(row, tables).length },
      {
        words: "size in kilobytes",
        read: (row, tables) =>
          photosIn(row, tables).reduce((sum, photo) => sum + Number(photo["kilobytes"]), 0),
        ranks: {
          most: "(?:largest|biggest) \\(in kilobytes\\)",
          least: "smallest \\(in kilobytes\\)",
        },
      },
    ],
  },
  {
    name: "polls",
    table: "messages.polls",
    noun: "open polls? in (?:my (?:group )?chats|Messages)|open (?:group )?chat polls?",
    includes: (row, tables) =>
      row["closed"] === false &&
      rowOf(tables, "messages.chats", row["chat"])?.["role"] !== "removed",
    phrases: [
      valued(
        '(?:that ask|with the question|whose question is|in which the question is) "([^"]*)"|that have "([^"]*)" as their question',
        (row, question) => row["question"] === question,
      ),
      valued(
        `(?:by|from|whose author is) ${NAME}|that ${NAME} is the author of|with ${NAME} as their author`,
        (row, name, tables) => isPerson(tables, row["person"], name),
      ),
    ],
    fields: [],
  },
  {
    name: "sent mails",
    table: "mail.mails",
    noun: "sent (?:e-)?mails?(?! (?:on|marked|with a follow-up))(?: of mine)?|(?:e-)?mails? in my sent folder",
    includes: (row) => row["outgoing"] === true,
    phrases: [
      valued(
        `(?:to|addressed to|that are meant for|whose receiver is) ${NAME}|with ${NAME} as the receiver`,
        (row, name, tables) => isPerson(tables, row["person"], name),
      ),
      valued(
        `of which ${NAME} got a copy|that were copied to ${NAME}|with ${NAME} among those who got a copy|of which I sent ${NAME} a copy|that ${NAME} got as a copy`,
        (row, name, tables) =>
          rowsFor(tables, "mail.copies", "mail", row).some((one) =>
            isPerson(tables, one["person"], name),
          ),
      ),
      valued(
        'whose subject (?:line )?(?:begins|starts) with "([^"]*)"|with a subject that starts with "([^"]*)"|with "([^"]*)" at the very beginning of the subject|whose subjects have "([^"]*)" right at the start',
        (row, start) => String(row["subject"]).startsWith(start),
      ),
    ],
    fields: [
      {
        words: "number of people with a copy",
        read: (row, tables) => rowsFor(tables, "mail.copies", "mail", row).length,
      },
    ],
  },
  {
    name: "repeating todos",
    table: "todo.todos",
    noun: "repeating todos?|(?:open )?todos? that repeats?|todos? of mine that comes? again|todos? that (?:have|has) a rhythm|todos? with a rhythm",
    includes: (row, tables) => {
      const every = belonging(tables, "todo.details", "todo", row.id)?.["every"];
      return row["done"] === false && every !== null && every !== "never" && every !== undefined;
    },
    phrases: [
      valued(
        "(?:of|with|that have|which are of) (low|normal|high) priority|whose priority is (low|normal|high)",
        (row, priority, tables) =>
          belonging(tables, "todo.details", "todo", row.id)?.["priority"] === priority,
      ),
      compared("due|that are due|which are due|whose due day is", "day", (row) =>
        row["due"] === null ? null : String(row["due"]),
      ),
    ],
    fields: [],
  },
  {
    name: "checklists",
    table: "notes.notes",
    noun: 'notes? (?:of mine )?(?:tagged|with the tag) "checklist"|notes? that (?:are|is) tagged "checklist"|notes? that (?:have|has) the tag "checklist"',
    includes: (row, tables) =>
      row["tag"] === "checklist" && traits(row, tables)?.["state"] === "active",
    phrases: [
      linked,
      fixed(
        "with something open on (?:their|its) checklist|whose checklist has at least one open item|that have an item on the checklist which is not ticked|with at least one item on the checklist that is not ticked yet|in whose checklist something is still open",
        (row, tables) =>
          rowsFor(tables, "notes.items", "note", row).some((one) => one["done"] === false),
      ),
      fixed(
        "that are shared with somebody|which I share with someone|that I share with at least one person|that at least one other person can see because I share (?:them|it)|which are shared with one person or more",
        (row, tables) => readers(row, tables).length > 0,
      ),
      valued(
        'whose text has the word "([^"]*)" in it|in whose text you can read "([^"]*)"|whose text mentions "([^"]*)"|that say "([^"]*)" somewhere in the text|with "([^"]*)" somewhere in (?:their|its) text',
        (row, word) =>
          String(row["text"])
            .toLowerCase()
            .split(/[^a-z]+/)
            .includes(word),
      ),
    ],
    fields: [
      { words: "title", read: (row) => String(row["title"]) },
      {
        words: "number of items on the checklist",
        read: (row, tables) => rowsFor(tables, "notes.items", "note", row).length,
        ranks: { most: "fullest \\(by items\\)", least: "emptiest \\(by items\\)" },
      },
    ],
  },
];
