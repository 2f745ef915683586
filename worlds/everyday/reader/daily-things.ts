/** What the reader knows of the apps of daily life: nouns, phrases and columns of mail, todo, notes, music and photos. */
import { songPhrases } from "./music-things.ts";
import { isActiveNote, notePhrases, noteSize, noteTitle } from "./note-phrases.ts";
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

const TODAY = "2026-03-12";
const IN_SIXTY_DAYS = "2026-05-11";
const words = (text: unknown): readonly string[] =>
  String(text)
    .toLowerCase()
    .split(/[^a-z]+/);
const detail = (row: Row, tables: Tables) => belonging(tables, "todo.details", "todo", row.id);
const minutes = (row: Row, tables: Tables) => detail(row, tables)?.["minutes"] as number | null;
const due = (row: Row) => row["due"] as string | null;

const taggedWith = (tagsOf: (row: Row, tables: Tables) => readonly unknown[]) =>
  valued(
    '(?:with the tag|tagged|that are tagged|that have the tag|that carry the tag|which are tagged) "([^"]*)"',
    (row, value, tables) => tagsOf(row, tables).includes(value),
  );

const todoPhrases = [
  valued(
    '(?:on|from|that are on|which stand on) the list "([^"]*)"|whose list is "([^"]*)"',
    (row, value, tables) =>
      tables("todo.lists").some((list) => list.id === row["list"] && list["name"] === value),
  ),
  valued(
    "(?:of|with|that have|which are of) (low|normal|high) priority|whose priority is (low|normal|high)",
    (row, value, tables) => detail(row, tables)?.["priority"] === value,
  ),
  taggedWith((row, tables) => detail(row, tables)?.["tags"] as readonly unknown[]),
  compared(
    "estimated at|with an estimate of|that are estimated to take|whose estimate is|with an estimate that is",
    "number",
    minutes,
    "minutes",
  ),
  valued(
    'with the word "([^"]*)" in the title|whose title has the word "([^"]*)" in it|in whose title you can read "([^"]*)"|that have "([^"]*)" as a word of the title|whose title contains the word "([^"]*)"',
    (row, value) => words(row["title"]).includes(value),
  ),
  fixed(
    "without a due day|that have no due day|with no due day at all|which are not due on any day|that lack a due day",
    (row) => row["due"] === null,
  ),
  compared("due|that are due|which are due|whose due day is", "day", due),
  valued(
    `(?:that are )?assigned to ${NAME}|that ${NAME} is to do|which are for ${NAME} to do|whose assignee is ${NAME}`,
    (row, value, tables) => isPerson(tables, detail(row, tables)?.["assignee"], value),
  ),
  fixed(
    "with at least one open step|that have a step which is not done|with a step that is still open|of which at least one step is still to be done|that have one or more open steps",
    (row, tables) =>
      tables("todo.steps").some((step) => step["todo"] === row.id && step["done"] === false),
  ),
];
const todoFields = [
  { words: "title", read: (row: Row) => String(row["title"]) },
  {
    words: "estimate in minutes",
    read: minutes,
    ranks: { most: "longest \\(by estimate\\)", least: "shortest \\(by estimate\\)" },
  },
  {
    words: "due day",
    read: due,
    ranks: { most: "latest \\(by due day\\)", least: "earliest \\(by due day\\)" },
  },
];
const todo = (name: string, noun: string, includes: Thing["includes"]): Thing => ({
  ...{ name, noun, includes },
  ...{ table: "todo.todos", phrases: todoPhrases, fields: todoFields },
});

const todos: readonly Thing[] = [
  todo(
    "late-todos",
    "overdue todos?|open todos? that (?:are|is) overdue|todos? that (?:are|is) overdue|open todos? whose due day has passed|open todos? with a due day before today",
    (row) => row["done"] === false && row["due"] !== null && String(row["due"]) < TODAY,
  ),
  todo(
    "dated-todos",
    "open todos? due from today to 60 days ahead|open todos? that (?:are|is) due within the next 60 days|open todos? with a due day within 60 days from today|open todos? due today or within 60 days from now|open todos? due today or in the 60 days after it",
    (row) =>
      row["done"] === false &&
      row["due"] !== null &&
      String(row["due"]) >= TODAY &&
      String(row["due"]) <= IN_SIXTY_DAYS,
  ),
  todo(
    "assigned-todos",
    "assigned open todos?|open todos? (?:with an assignee|that (?:have|has) an assignee|(?:that (?:are|is) )?assigned to somebody|that others are to do)",
    (row, tables) => row["done"] === false && detail(row, tables)?.["assignee"] !== null,
  ),
  todo(
    "done-todos",
    "done todos?|todos? that (?:are|is) done|todos? of mine that (?:are|is) already done|todos? that I have completed|completed todos?",
    (row) => row["done"] === true,
  ),
  todo(
    "todos",
    "todos?, open or done,|todos in the todo app|todos on my lists|todos to be found in the todo app",
    () => true,
  ),
  todo(
    "open-todos",
    "todos? that (?:are|is) not done yet|todos? that (?:are|is) still open|unfinished todos?|open todos? of mine|open todos?",
    (row) => row["done"] === false,
  ),
  todo("todos", "todos of mine", () => true),
];

const mailPhrases = [
  valued(
    `(?:from|sent by|that came from|which I got from) ${NAME}|that ${NAME} sent me`,
    (row, value, tables) => isPerson(tables, row["person"], value),
  ),
  valued(
    '(?:with the label|labelled|that have the label|which are labelled|that carry the label) "([^"]*)"',
    (row, value) => row["label"] === value,
  ),
  fixed(
    "without a label|that have no label|which are not labelled|that carry no label|with no label at all",
    (row) => row["label"] === null,
  ),
  fixed(
    "with a star|that I starred|which are starred|that have a star|that carry a star",
    (row) => row["starred"] === true,
  ),
  fixed(
    "that I have not read yet|that are still unread|which are unread|I have yet to read|that nobody has read so far",
    (row) => row["unread"] === true,
  ),
  valued(
    'whose subject begins with "([^"]*)"|with a subject that starts with "([^"]*)"|whose subject line starts with "([^"]*)"|with "([^"]*)" at the very beginning of the subject|whose subjects have "([^"]*)" right at the start',
    (row, value) => String(row["subject"]).startsWith(value),
  ),
  valued(
    'whose text mentions "([^"]*)"|with "([^"]*)" in the text|whose text has the words "([^"]*)" in it|in whose text I can find "([^"]*)"|where "([^"]*)" is mentioned in the text',
    (row, value) => String(row["body"]).toLowerCase().includes(value),
  ),
];

/** A share whose role is "none" was taken back. */
const isShared = (row: Row, tables: Tables) =>
  tables("notes.shares").some(
    (share) =>
      share["note"] === row.id &&
      belonging(tables, "notes.roles", "share", share.id)?.["role"] !== "none",
  );

const others: readonly Thing[] = [
  {
    name: "mails.inbox",
    table: "mail.mails",
    noun: "(?:e-)?mails? (?:lying )?in (?:my|the) inbox|inbox mails?",
    includes: (row) => row["outgoing"] === false && row["folder"] === "inbox",
    phrases: mailPhrases,
    fields: [{ words: "subject", read: (row) => String(row["subject"]) }],
  },
  {
    name: "notes",
    table: "notes.notes",
    noun: 'notes?(?= (?:tagged|with the tag|that (?:are|is) tagged|that (?:have|has) the tag) "(?:checklist|costs)")|notes? of (?:mine|my own)|notes? owned by me|notes? that (?:are|is) not archived|notes? in my notes app',
    includes: isActiveNote,
    phrases: [
      taggedWith((row) => [row["tag"]]),
      fixed(
        "that are pinned|which I have pinned|that I pinned|which are pinned at the moment|that are currently pinned",
        (row) => row["pinned"] === true,
      ),
      valued(
        'whose text has the word "([^"]*)" in it|in whose text you can read "([^"]*)"|whose text mentions "([^"]*)"|that say "([^"]*)" somewhere in the text|with "([^"]*)" somewhere in their text',
        (row, value) => words(row["text"]).includes(value),
      ),
      fixed(
        "that are shared with somebody|which I share with someone|that I share with at least one person|that at least one other person can see because I share them|which are shared with one person or more",
        (row, tables) => isShared(row, tables),
      ),
      ...notePhrases,
      fixed(
        "without a tag|that have no tag|with no tag at all|which are not tagged|that lack a tag",
        (row) => row["tag"] === null,
      ),
    ],
    fields: [noteTitle, noteSize],
  },
  {
    name: "library",
    table: "music.songs",
    noun: "songs? (?:saved in|kept in|in|of|from) my music library",
    includes: (row) => row["saved"] === true,
    phrases: [
      ...songPhrases,
      valued(
        "of the genre (\\w+)|whose genre is (\\w+)|in the (\\w+) genre|that have the genre (\\w+)|that are (soul|pop|rock|folk|jazz|blues|country|ambient|classical|electronic)",
        (row, value) => row["genre"] === value,
      ),
      compared(
        "from|released in|that came out in|whose year is|that were released in",
        "number",
        (row) => Number(row["year"]),
      ),
      valued(
        "(?:by the artist|recorded by|by|that are by) ((?:[A-Z]\\w+)(?: (?:and |of )?[A-Z]\\w+)*)|whose artist is ((?:[A-Z]\\w+)(?: (?:and |of )?[A-Z]\\w+)*)",
        (row, value, tables) =>
          tables("music.artists").some(
            (artist) => artist.id === row["artist"] && artist["name"] === value,
          ),
      ),
    ],
    fields: [
      { words: "title", read: (row) => String(row["title"]) },
      {
        words: "length in seconds",
        read: (row) => Number(row["seconds"]),
        ranks: { most: "longest", least: "shortest" },
      },
      {
        words: "year",
        read: (row) => Number(row["year"]),
        ranks: { most: "newest|most recent", least: "oldest" },
      },
      {
        words: "number of plays",
        read: (row, tables) =>
          tables("music.history").filter((one) => one["song"] === row.id).length,
        ranks: { most: "most (?:often )?played", least: "least (?:often )?played" },
      },
    ],
  },
  {
    name: "photos",
    table: "photos.photos",
    noun: "photos? of (?:mine|my own)(?: in (?:my|the) photos? app)?",
    includes: (row) =>
      row["person"] === null && row["trashed"] === false && row["hidden"] === false,
    phrases: [
      valued(
        `(?:of|that show|showing) ${NAME}|with ${NAME} in them|that ${NAME} appears in`,
        (row, value, tables) =>
          tables("photos.faces").some(
            (face) => face["photo"] === row.id && isPerson(tables, face["person"], value),
          ),
      ),
      compared(
        "with|that show|showing|where",
        "number",
        (row, tables) =>
          tables("photos.faces").filter(
            (face) => face["photo"] === row.id && face["person"] !== null,
          ).length,
        "(?:tagged )?people(?: in them| are in the picture)?",
      ),
      compared("taken|from|that were taken|dated|which I took", "day", (row) => String(row["day"])),
      valued(
        "(?:taken at|from|that were taken at|which I took at) the ([A-Z]\\w+ [A-Z]\\w+)|whose place is the ([A-Z]\\w+ [A-Z]\\w+)",
        (row, value) => row["place"] === value,
      ),
      valued(
        "(?:taken in|from|that were taken in|which I took in) ([A-Z]\\w+(?: [A-Z]\\w+)?)|whose city is ([A-Z]\\w+(?: [A-Z]\\w+)?)",
        (row, value) => row["city"] === value,
      ),
      compared(
        "of|that take|with a size of|whose size is|that are",
        "number",
        (row) => Number(row["kilobytes"]),
        "kilobytes(?: large)?",
      ),
      taggedWith((row, tables) =>
        tables("photos.tags")
          .filter((tag) => tag["photo"] === row.id)
          .map((tag) => tag["tag"]),
      ),
      fixed(
        "that are not among my favourites|not marked as favourites|which are no favourites of mine|that I did not make favourites|which I have not marked as favourites",
        (row) => row["favourite"] === false,
      ),
    ],
    fields: [
      { words: "file name", read: (row) => String(row["name"]) },
      {
        words: "size in kilobytes",
        read: (row) => Number(row["kilobytes"]),
        ranks: { most: "largest|biggest", least: "smallest" },
      },
      {
        words: "day",
        read: (row) => String(row["day"]),
        ranks: { most: "newest|latest|most recent", least: "oldest|earliest" },
      },
    ],
  },
];

const photosOfAlbum = (row: Row, tables: Tables) =>
  tables("photos.placed")
    .filter((one) => one["album"] === row.id && one["removed"] === false)
    .map((one) => tables("photos.photos").find(({ id }) => id === one["photo"]));

const pictures: readonly Thing[] = [
  {
    name: "trashed photos",
    table: "photos.photos",
    noun: "(?:trashed |thrown-away )?photos? (?:that lie )?in the trash of (?:my photo app|the photos app)|trashed photos? in my photo app",
    includes: (row) => row["trashed"] === true,
    phrases: [],
    fields: [],
  },
  {
    name: "albums of contacts",
    table: "photos.albums",
    noun: "(?:photo )?albums? (?:of|owned by|belonging to) (?:my )?contacts(?: in the photos? app)?",
    includes: (row) => row["person"] !== null && row["removed"] === false && row["left"] === false,
    phrases: [
      valued(
        "(?:where (?:I have the|my) role(?: is)?|whose owner gave me the role) (editor|viewer)|(?:where I am|that I can use as) an? (editor|viewer)",
        (row, value) => row["role"] === value,
      ),
      fixed(
        "that contain at least one video|with at least one video|which include at least one video|that hold one or more videos|where one photo or more is a video",
        (row, tables) => photosOfAlbum(row, tables).some((photo) => photo?.["kind"] === "video"),
      ),
    ],
    fields: [],
  },
  {
    name: "unnamed faces",
    table: "photos.faces",
    noun: "(?:unnamed|nameless|still unnamed) faces? in my photos|faces? in my photos still without a name|faces? without a name in my photos",
    includes: (row, tables) =>
      row["person"] === null &&
      row["ignored"] === false &&
      tables("photos.photos").some(({ id, trashed }) => id === row["photo"] && trashed === false),
    phrases: [
      fixed(
        "that the app has no guess for|without a guess by the app|without a guess about the person|that the app cannot guess a person for|that come without a guess",
        (row) => row["guess"] === null,
      ),
    ],
    fields: [],
  },
];

export const dailyThings: readonly Thing[] = [...todos, ...others, ...pictures];
