/** Rarer phrases and columns of things that the reader knows elsewhere. */
import {
  belonging,
  compared,
  fixed,
  isPerson,
  NAME,
  type Phrase,
  type Row,
  type Tables,
  valued,
} from "./phrases.ts";
import type { ThingField } from "./things.ts";

const day = (row: Row) => String(row["at"]).slice(0, 10);
export const rowOf = (tables: Tables, table: string, id: unknown) =>
  tables(table).find((row) => row.id === id);
export const rowsFor = (tables: Tables, table: string, column: string, { id }: Row) =>
  tables(table).filter((row) => row[column] === id);
export const traits = (row: Row, tables: Tables) =>
  belonging(tables, "notes.traits", "note", row.id);

/** Readers of a note. A share whose role is "none" was taken back. */
export const readers = (row: Row, tables: Tables) =>
  rowsFor(tables, "notes.shares", "note", row).filter(
    (share) => belonging(tables, "notes.roles", "share", share.id)?.["role"] !== "none",
  );

export const linked = fixed(
  "that link to another note|with a link to another note|that have at least one link to another note|which point to another note by a link|from which a link leads to another note",
  (row, tables) =>
    ((traits(row, tables)?.["links"] ?? []) as readonly number[]).some(
      (to) => rowOf(tables, "notes.notes", to) !== undefined,
    ),
);
const readersField: ThingField = {
  words: "number of readers (people with whom a note is shared)",
  read: (row, tables) => readers(row, tables).length,
};

export const photosIn = (row: Row, tables: Tables) =>
  tables("photos.placed")
    .filter((one) => one["album"] === row.id && one["removed"] === false)
    .map((one) => rowOf(tables, "photos.photos", one["photo"]))
    .filter((photo) => photo !== undefined && photo["trashed"] === false) as Row[];
export const photoCount = compared(
  "with|that have|holding|that contain|which hold",
  "number",
  (row, tables) => photosIn(row, tables).length,
  "photos?",
);
export const withVideo = fixed(
  "that contain at least one video|with at least one video|which include at least one video|that hold one or more videos|where one photo or more is a video",
  (row, tables) => photosIn(row, tables).some((photo) => photo["kind"] === "video"),
);

const METHODS: { readonly [words: string]: string } = {
  equally: "equal",
  "by exact amounts": "exact",
  "by percentages": "percent",
};
const PLURALS: { readonly [words: string]: string } = {
  "still pictures": "photo",
  videos: "video",
  scans: "scan",
};
export const GENRE = "(soul|pop|rock|folk|jazz|blues|country|ambient|classical|electronic)";
const hasComment =
  "with at least one comment|that have a comment|on which there is a comment|that somebody has commented on|with one or more comments on them";
const texts = (row: Row, tables: Tables) => rowsFor(tables, "messages.texts", "person", row);
export const songsOf = (row: Row, tables: Tables) =>
  tables("music.entries")
    .filter((entry) => entry["playlist"] === row.id && entry["removed"] === false)
    .map((entry) => rowOf(tables, "music.songs", entry["song"])!);
const spentThisMonth = (row: Row, tables: Tables) =>
  tables("bank.transactions")
    .filter(
      (one) =>
        one["category"] === row["category"] && Number(one["cents"]) < 0 && day(one) >= "2026-03-01",
    )
    .reduce((sum, one) => sum - Number(one["cents"]), 0);

const KINDS: { readonly [end: string]: string } = {
  csv: "table",
  md: "document",
  log: "log",
  zip: "bundle",
};
const fileKind = valued(
  '(?:of the kind|with the kind|whose kind is|which the files app counts as being of the kind) "([^"]*)"|that are listed as (\\w+) files',
  (row, kind) => KINDS[/\.(\w+)$/.exec(String(row["name"]))?.[1] ?? ""] === kind,
);

/** Rarer phrases, by the name of the thing that they narrow. */
export const morePhrases: { readonly [thing: string]: readonly Phrase[] } = {
  conversations: [
    compared(
      "with whom I exchanged|with|with whom there are|whose conversation with me has",
      "number",
      (row, tables) => texts(row, tables).length,
      "(?:or more )?messages(?: or more| to and fro| in all| between us)?",
    ),
    fixed(
      "from whom I have unread messages|who sent me messages I have not read|whose messages I have yet to read|from whom there are unread messages|with messages to me that are unread",
      (row, tables) => texts(row, tables).some((one) => !one["outgoing"] && one["unread"]),
    ),
  ],
  library: [
    valued(
      "(?:that I rated with|rated with|with my rating of|which I gave|that have) (\\d) stars?(?: from me)?",
      (row, stars) => row["stars"] === Number(stars),
    ),
  ],
  todos: [
    fixed(hasComment, (row, tables) => rowsFor(tables, "todo.comments", "todo", row).length > 0),
  ],
  invitations: [
    fixed(
      "on days on which my calendar has other events already|on days when I have at least one event of mine or accepted|that fall on days with an event of mine or an accepted one|for days that already have events in my calendar|on days that are not empty in my calendar",
      (row, tables) =>
        tables("calendar.events").some(
          (one) =>
            one["day"] === row["day"] &&
            one["response"] === "accepted" &&
            one["cancelled"] === false,
        ),
    ),
  ],
  concerts: [
    fixed(
      "(?:that|which) I (?:have )?marked as interesting|marked as interesting|carrying my mark as interesting|that are marked as interesting",
      (row) => row["interested"] === true,
    ),
    fixed(
      "(?:that I did not mark|not marked|which I have not marked|that are not marked) as interesting|without my mark as interesting",
      (row) => row["interested"] === false,
    ),
  ],
  products: [
    valued(
      "delivered within (\\d+) days?|that (?:are|is) delivered in (\\d+) days? or less|with a delivery time of at most (\\d+) days?|that takes? no more than (\\d+) days? to be delivered|which arrives? within (\\d+) days? of ordering",
      (row, days) => Number(row["days"]) <= Number(days),
    ),
  ],
  notes: [linked],
  "payment partners": [
    fixed(
      "who have a pending payment request to me|who are waiting for my answer to a payment request|whose payment request to me is pending|from whom a payment request to me is still open|who sent me a payment request that is pending",
      (row, tables) =>
        rowsFor(tables, "pay.requests", "person", row).some(
          (one) => one["outgoing"] === false && one["status"] === "pending",
        ),
    ),
  ],
  "shop orders": [
    valued(
      `that are gifts to ${NAME}|sent as a gift to ${NAME}|which ${NAME} gets as a gift|placed as gifts for ${NAME}|that go to ${NAME} as a gift`,
      (row, name, tables) => isPerson(tables, row["person"], name),
    ),
  ],
  bookings: [
    valued(
      `with ${NAME} among the travellers|on which ${NAME} travels|that include ${NAME} as a traveller|which list ${NAME} as a traveller|where ${NAME} is one of the travellers`,
      (row, name, tables) =>
        rowsFor(tables, "travel.travellers", "booking", row).some(
          (one) => one["dropped"] === false && isPerson(tables, one["person"], name),
        ),
    ),
    valued(
      "that take me to or let me stay in ([A-Z]\\w+)|which end in ([A-Z]\\w+) or are for a hotel there|with ([A-Z]\\w+) as the city of arrival or of the hotel|whose city of arrival or of the hotel is ([A-Z]\\w+)|where ([A-Z]\\w+) is the city of arrival or the hotel's city",
      (row, city, tables) =>
        (rowOf(tables, "travel.services", row["service"])?.["to"] ??
          rowOf(tables, "travel.hotels", row["hotel"])?.["city"]) === city,
    ),
  ],
  expenses: [
    valued(
      "(?:that are split|which were divided|split|whose shares were made|that were shared out) (equally|by exact amounts|by percentages)",
      (row, words) => row["method"] === METHODS[words],
    ),
    compared(
      "of which my share is|with a share of|that cost me a share of|in which my own share is|whose share for me is",
      "money",
      (row, tables) =>
        rowsFor(tables, "split.shares", "expense", row)
          .filter((share) => share["person"] === null)
          .reduce((sum, share) => sum + Number(share["cents"]), 0),
      "or more for me|for me",
    ),
  ],
  "albums of contacts": [photoCount, withVideo],
  "unnamed faces": [
    valued(
      "(?:that are |which appear |to be seen |that can be seen )?(?:on the|in the) (left|right|middle) of the picture",
      (row, side) => row["side"] === side,
    ),
  ],
  photos: [
    valued(
      'that are (still pictures|videos|scans) \\(kind "\\w+"\\)|(?:of the kind|whose kind is|which are of the kind|that have the kind) "(\\w+)"',
      (row, kind) => row["kind"] === (PLURALS[kind] ?? kind),
    ),
    fixed(
      "that are among my favourites|marked as favourites|which are favourites of mine|that I made favourites|which I have marked as favourites",
      (row) => row["favourite"] === true,
    ),
    valued(
      '(?:with the caption|captioned|that have the caption|whose caption is|that are captioned) "([^"]*)"',
      (row, caption) => row["caption"] === caption,
    ),
  ],
  trips: [
    valued(
      `hosted by ${NAME}|whose host is ${NAME}|that ${NAME} hosts|which belong to ${NAME}|that are trips of ${NAME}`,
      (row, name, tables) => isPerson(tables, row["person"], name),
    ),
  ],
  budgets: [
    compared(
      "with|that have|of which|whose rest this month is|that still leave",
      "money",
      (row, tables) => Number(row["cents"]) - spentThisMonth(row, tables),
      "left this month|or more left this month|or more are left this month|or more this month",
    ),
  ],
  accounts: [fixed("(?:that|which) are joint accounts", (row) => row["kind"] === "joint")],
  "viewer files": [fileKind],
  "editor files": [fileKind],
  "files of others": [
    fixed(
      'where I am an editor|for which my role is "editor"|that I may edit|with the role "editor" for me|in which I have the role "editor"',
      (row) => row["role"] === "editor",
    ),
    fixed(
      'where I am a viewer|for which my role is "viewer"|that I may only view|with the role "viewer" for me|in which I have the role "viewer"',
      (row) => row["role"] === "viewer",
    ),
  ],
};

/** Columns that few questions ask for, by the name of the thing. */
export const moreFields: { readonly [thing: string]: readonly ThingField[] } = {
  concerts: [
    {
      words: "artist",
      read: (row, tables) => String(rowOf(tables, "music.artists", row["artist"])?.["name"]),
    },
  ],
  notes: [readersField],
  "unnamed faces": [
    {
      words: "name of the photo",
      read: (row, tables) => String(rowOf(tables, "photos.photos", row["photo"])?.["name"]),
    },
  ],
};
