/** What the reader knows of files and of notes other than one's own active ones: nouns, phrases and columns. */
import { isActiveNote, notePhrases, noteSize, noteTitle, noteTraits } from "./note-phrases.ts";
import { compared, fixed, isPerson, NAME, type Row, type Tables, valued } from "./phrases.ts";
import type { Thing } from "./things.ts";

const day = (row: Row) => String(row["at"]).slice(0, 10);
const words = (text: unknown) =>
  String(text)
    .toLowerCase()
    .split(/[^a-z]+/);
const size = (row: Row) => String(row["text"]).length;
const lines = (row: Row) => String(row["text"]).trimEnd().split("\n").length;

const KINDS = { csv: "table", md: "document", log: "log", zip: "bundle" } as {
  readonly [end: string]: string;
};
const kindOf = (row: Row) => KINDS[/\.(\w+)$/.exec(String(row["name"]))?.[1] ?? ""];

/** The paths of all folders by their ids. */
function pathOf(id: unknown, tables: Tables): string {
  const folder = tables("files.folders").find((one) => one.id === id);
  return folder ? `${pathOf(folder["parent"], tables)}/${folder["name"]}` : "";
}
const isBelow = (row: Row, path: string, tables: Tables) =>
  row["owner"] === null &&
  row["state"] === "live" &&
  `${pathOf(row["folder"], tables)}/`.startsWith(`${path}/`);

/** The cells of a column of a table in a file. No cell of these tables has a comma in it. */
function cellsOf(row: Row, column: string): string[] {
  const [head = "", ...rows] = String(row["text"]).trimEnd().split("\n");
  const index = head.split(",").indexOf(column);
  return index < 0 ? [] : rows.map((line) => line.split(",")[index] ?? "");
}
const sumOfCells = (row: Row, column: string) =>
  cellsOf(row, column).reduce((sum, cell) => sum + Math.round(Number(cell) * 100), 0);

const says = valued(
  'whose text has the word "([^"]*)" in it|in (?:which|whose text) you can read "([^"]*)"|whose (?:content|text) mentions "([^"]*)"|that says? "([^"]*)" somewhere in the text|with "([^"]*)" somewhere in (?:their|its) text',
  (row, value) => words(row["text"]).includes(value),
);
const filePhrases = [
  valued(
    '(?:tagged|with the tag|that have the tag|which are tagged|that carry the tag) "([^"]*)"',
    (row, value) => (row["tags"] as readonly string[]).includes(value),
  ),
  compared(
    "(?:last )?changed|that were (?:last )?changed|whose last change was|that have been changed since",
    "day",
    day,
  ),
  valued(
    "that have been changed since (\\d+ \\w+ \\d{4}) \\(that day included\\)",
    (row, value) => day(row) >= isoDay(value),
  ),
  valued(
    "not changed after (\\d+ \\w+ \\d{4})|that have not been changed since (\\d+ \\w+ \\d{4}) \\(that day itself does not count\\)",
    (row, value) => day(row) <= isoDay(value),
  ),
  fixed(
    "that are locked(?: at the moment)?|which I have locked|with a lock on (?:them|it)|which are currently locked",
    (row) => row["locked"] === true,
  ),
  fixed(
    "that are favourites|among my favourites|which I marked as favourites|that I have made favourites|that count as favourites of mine",
    (row) => row["favourite"] === true,
  ),
  valued(
    '(?:of the kind|with the kind|whose kind is|which the files app counts as being of the kind) "([^"]*)"|that are listed as (\\w+) files',
    (row, value) => kindOf(row) === value,
  ),
  valued(
    `(?:from|of|that belong to) ${NAME}|whose owner is ${NAME}|which ${NAME} owns`,
    (row, value, tables) => isPerson(tables, row["owner"], value),
  ),
  compared(
    "with|of|that have|whose size is|that are",
    "number",
    size,
    "(?:or more )?characters(?: or more)?",
  ),
  compared(
    "with|of|that have|whose text has|that are",
    "number",
    lines,
    "(?:or more )?lines(?: or more| long or longer)?",
  ),
  says,
];

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
function isoDay(text: string): string {
  const [date, month = "", year] = text.split(" ");
  const number = MONTHS.indexOf(month.slice(0, 3)) + 1;
  return `${year}-${String(number).padStart(2, "0")}-${date!.padStart(2, "0")}`;
}

const name = { words: "name", read: (row: Row) => String(row["name"]) };
const changed = {
  words: "day of the last change",
  read: day,
  ranks: {
    most: "most recently (?:changed|edited)",
    least: "least recently (?:changed|edited)",
  },
};
const sized = {
  words: "size in characters",
  read: size,
  ranks: { most: "largest", least: "smallest" },
};
const COSTS = { most: "most expensive|costliest", least: "cheapest|least expensive" };
const costs = {
  words: "amount",
  read: (row: Row) => sumOfCells(row, "amount"),
  isMoney: true,
  ranks: COSTS,
};
const receiptTotal = (row: Row) =>
  Math.round(Number(/Total: ([\d.]+)/.exec(String(row["text"]))?.[1]) * 100);

const file = (thing: Pick<Thing, "name" | "noun" | "includes"> & Partial<Thing>): Thing => ({
  table: "files.files",
  phrases: filePhrases,
  fields: [name, sized, changed, { words: "number of lines", read: lines }],
  ...thing,
});

const FOLDER = (path: string) => `(?:(?:in|below) (?:the folder |my folder )?${path})`;

const files: readonly Thing[] = [
  file({
    name: "cost tables",
    noun: `(?:cost tables?|tables? of costs) ${FOLDER("/costs")}`,
    includes: (row, tables) => isBelow(row, "/costs", tables),
    phrases: [
      ...filePhrases,
      valued(
        'with a row for "([^"]*)"|that list a cost called "([^"]*)"|in which there is a cost named "([^"]*)"|that have "([^"]*)" among the costs|where "([^"]*)" is one of the costs',
        (row, value) => cellsOf(row, "what").includes(value),
      ),
      valued(
        `in which ${NAME} paid something|with a cost that ${NAME} paid|where ${NAME} is named as a payer|in which at least one cost was paid by ${NAME}|with ${NAME} among the payers`,
        (row, value) => cellsOf(row, "paid by").includes(value),
      ),
    ],
    fields: [name, costs, changed],
  }),
  file({
    name: "receipts",
    noun: `receipts? (?:${FOLDER("/receipts")}|that I keep in /receipts)`,
    includes: (row, tables) => isBelow(row, "/receipts", tables),
    phrases: [
      ...filePhrases,
      valued(
        '(?:that are )?for "([^"]*)"|whose text says that they are for "([^"]*)"|which say "For: ([^"]*)"|with the line "For: ([^"]*)"',
        (row, value) => String(row["text"]).split("\n").includes(`For: ${value}`),
      ),
    ],
    fields: [name, { words: "amount", read: receiptTotal, isMoney: true, ranks: COSTS }, changed],
  }),
  file({
    name: "guest lists",
    noun: `(?:guest lists?|lists? of guests) (?:that lies? )?${FOLDER("/guests")}`,
    includes: (row, tables) => isBelow(row, "/guests", tables),
    phrases: [
      ...filePhrases,
      compared(
        "with|that name|which have|that have",
        "number",
        (row) => lines(row) - 1,
        "(?:or more )?(?:people(?: or more)?(?: on them)?|rows of guests)",
      ),
    ],
    fields: [
      name,
      changed,
      {
        words: "number of seats needed",
        read: (row) => sumOfCells(row, "seats") / 100,
        ranks: {
          most: "(?:largest|biggest) \\(by seats\\)",
          least: "smallest \\(by seats\\)",
        },
      },
    ],
  }),
  file({
    name: "files of others",
    noun: "files? (?:shared with me(?: by others)?|that others share with me|of others that (?:are|is) shared with me|which others have shared with me)",
    includes: (row) => row["owner"] !== null && row["state"] === "live",
  }),
  file({
    name: "trash",
    noun: "files? in (?:the|my) trash|trashed files?|files? that lies? in the trash|files? now in the trash",
    includes: (row) => row["state"] === "trashed",
  }),
  file({
    name: "own files",
    noun: "files? (?:of mine|of my own|that I own|owned by me|in my folders)",
    includes: (row) => row["owner"] === null && row["state"] === "live",
  }),
];

const reminderDay = (row: Row, tables: Tables) => noteTraits(row, tables)?.["day"] as string | null;
const reminderPhrases = [
  says,
  compared(
    "due|that (?:are to )?remind me",
    "day",
    reminderDay,
    "or before it|or after it|on \\(that day included\\)|\\(that day included\\)",
  ),

  valued(
    "(?:due at|that (?:are to |shall )?remind me at) (\\d\\d:\\d\\d)|that have (\\d\\d:\\d\\d) as the time of the reminder",
    (row, value, tables) => noteTraits(row, tables)?.["time"] === value,
  ),
  ...notePhrases,
];

const role = (mine: string) => (row: Row) => row["role"] === mine;

const notes: readonly Thing[] = [
  {
    name: "reminders",
    table: "notes.notes",
    noun: "notes? (?:of (?:mine|my own) )?with a reminder|notes? that (?:have|has) a reminder|notes? for which I have set a reminder",
    includes: (row, tables) => isActiveNote(row, tables) && reminderDay(row, tables) !== null,
    phrases: reminderPhrases,
    fields: [
      noteTitle,
      {
        words: "day of the reminder",
        read: reminderDay,
        ranks: {
          most: "latest \\(by reminder\\)",
          least: "earliest \\(by reminder\\)",
        },
      },
    ],
  },
  {
    name: "archived notes",
    table: "notes.notes",
    noun: "archived notes?|notes? (?:(?:lying )?in (?:the|my) archive|that I have archived)",
    includes: (row, tables) => noteTraits(row, tables)?.["state"] === "archived",
    phrases: reminderPhrases,
    fields: [noteTitle, noteSize],
  },
  {
    name: "notes of others",
    table: "notes.borrowed",
    noun: "notes? (?:of others that (?:are|is) shared with me|that others share with me|shared with me(?: by others)?|which others have shared with me)",
    includes: (row) => row["left"] === false,
    phrases: [
      says,
      valued(
        `(?:from|of|that belong to) ${NAME}|whose owner is ${NAME}|which ${NAME} wrote`,
        (row, value, tables) => isPerson(tables, row["person"], value),
      ),
      fixed(
        'where I am an editor|for which my role is "editor"|that I may edit|with the role "editor" for me|in which I have the role "editor"',
        role("editor"),
      ),
      fixed(
        'where I am a viewer|for which my role is "viewer"|that I may only view|with the role "viewer" for me|in which I have the role "viewer"',
        role("viewer"),
      ),
    ],
    fields: [
      noteTitle,
      {
        words: "amount that everyone gives",
        read: (row) =>
          Math.round(100 * Number(/gives \$(\d+\.\d\d)/.exec(String(row["text"]))?.[1] ?? 0)),
        isMoney: true,
        ranks: COSTS,
      },
    ],
  },
];

export const paperThings: readonly Thing[] = [...files, ...notes];
