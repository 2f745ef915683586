/** What the reader knows of every note of one's own: its traits, its columns, and phrases about them. */
import { belonging, compared, type Row, type Tables, valued } from "./phrases.ts";

/** Returns the row of a note's traits: its state, reminder, notebook and colour. */
export const noteTraits = (row: Row, tables: Tables) =>
  belonging(tables, "notes.traits", "note", row.id);

export const isActiveNote = (row: Row, tables: Tables) =>
  noteTraits(row, tables)?.["state"] === "active";

const size = (row: Row) => String(row["text"]).length;

export const noteTitle = { words: "title", read: (row: Row) => String(row["title"]) };
export const noteSize = {
  words: "length in characters",
  read: size,
  ranks: { most: "longest", least: "shortest" },
};

export const notePhrases = [
  valued(
    '(?:in|of|that are in my|which lie in the|that I keep in the) (?:the )?notebook "([^"]*)"',
    (row, value, tables) =>
      tables("notes.notebooks").some(
        (book) => book.id === noteTraits(row, tables)?.["notebook"] && book["name"] === value,
      ),
  ),
  valued(
    "with the colour (\\w+)|which have the colour (\\w+)|whose colour is (\\w+)|that are coloured (\\w+)|that are (blue|green|red|yellow|grey|white|pink|orange|purple)",
    (row, value, tables) => noteTraits(row, tables)?.["colour"] === value,
  ),
  compared(
    "with|whose text has|that have a text of|whose text is|with a text of",
    "number",
    size,
    "or more characters of text|characters of text|characters",
  ),
];
