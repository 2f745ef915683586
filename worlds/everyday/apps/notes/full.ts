/**
 * Defines the full notes app: notes as in the starter, and also notebooks, checklists, earlier texts, links, reminders,
 * roles and notes of others.
 */
import { defineApp } from "bowline/world";
import { contentApis } from "./contents.ts";
import { notes } from "./index.ts";
import { notebookApis } from "./notebooks.ts";
import { notesWithStatesApis } from "./notes-with-states.ts";
import { sharingApis } from "./sharing.ts";
import { items, notebooks, notesOfOthers, noteVersions, shareRoles, traits } from "./tables.ts";

export const fullNotes = defineApp({
  ...notes,
  tables: [...notes.tables, notebooks, traits, items, noteVersions, shareRoles, notesOfOthers],
  apis: { ...notes.apis, ...notesWithStatesApis, ...notebookApis, ...contentApis, ...sharingApis },
});
