import type { Parts } from "bowline/goals";
import { expect, test } from "vitest";
import { calendar } from "../apps/calendar/index.ts";
import { fullContacts } from "../apps/contacts/full.ts";
import { files } from "../apps/files/index.ts";
import { fullNotes } from "../apps/notes/full.ts";
import { fullTodo } from "../apps/todo/full.ts";
import { addFiles } from "../life/files.ts";
import { addNotes } from "../life/notes.ts";
import { addTodos } from "../life/todo.ts";
import { proveParts } from "../tests/prove-parts.ts";
import { sweepSize } from "../tests/sweep.ts";
import { filesParts } from "./files.ts";
import { notesParts } from "./notes.ts";
import { todoParts } from "./todo.ts";

const apps = [fullContacts, calendar, files, fullNotes, fullTodo];
const addRows = [addFiles, addNotes, addTodos];
const partsByApp: readonly [string, Parts][] = [
  ["files", filesParts],
  ["notes", notesParts],
  ["todo", todoParts],
];

test.each(partsByApp)(
  "the code of each part of %s does what the part means on tables",
  async (_, parts) => {
    const { tasks, failures } = await proveParts(parts, apps, addRows, sweepSize(24, 40));
    expect(failures).toEqual([]);
    expect(tasks).toBeGreaterThan(sweepSize(6, 12));
  },
);

test.each(partsByApp)(
  "phrases of %s parts have at least five different forms, and clause names are unique",
  (_, parts) => {
    for (const { name, clauses, nouns } of parts.collections ?? []) {
      expect(nouns.length, name).toBeGreaterThanOrEqual(5);
      const names = clauses.map((clause) => clause.name);
      expect(new Set(names).size, name).toBe(names.length);
    }
    for (const { name, words } of parts.relations ?? []) {
      expect(new Set(words.map((form) => form("X"))).size, name).toBe(words.length);
    }
  },
);
