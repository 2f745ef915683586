/** Columns of files, by which goals narrow, rank and ask for files. */
import { alternatives, type ClauseOptions, declareColumns, superlatives } from "bowline/goals";
import type { Reader } from "bowline/world";
import { fileKind, splitLines } from "../../apps/files/access-and-texts.ts";
import { folderPath } from "../../apps/files/paths.ts";
import type { StoredFile } from "../../apps/files/tables.ts";
import { dayOf, handleOf } from "../../apps/shared.ts";
import { drawRoleClause, drawWordClause } from "../files-notes-todos.ts";

/** Writes an expression for the text of a file. */
export const fileTextCode = (id: string): string => `apis.files.read({id:${id},lines:100}).text`;

const pathOfFolder = ({ folder }: StoredFile, db: Reader) => {
  const path = folderPath(db, folder);
  return path === "/" ? null : path;
};

const textContainsPhrase = (word: string) => alternatives`whose text has the word "${word}" in it
  | in which you can read "${word}" | whose content mentions "${word}"
  | that say "${word}" somewhere in the text | with "${word}" somewhere in their text`;

/** Adjectives for the total of a table or a receipt, which only its text contains. */
export const TOTAL_SUPERLATIVES = [
  alternatives`most expensive | costliest | most expensive | most expensive | costliest`,
  alternatives`cheapest | cheapest | least expensive | cheapest | least expensive`,
] as const;

/**
 * Declares the columns of files. Most list APIs have an argument `since`; in the trash only the items show the day of
 * the last change.
 */
const declareFileColumns = (sinceOptions: ClauseOptions) =>
  declareColumns<StoredFile>(
    ({ atLeast, atMost, choice, drawnClause, day, withProperty, number, person, text }) => ({
      name: text(({ name }) => name, { item: "name", noun: "name" }),
      changed: day(
        ({ at }) => dayOf(at),
        { item: "changed", noun: "day of the last change" },
        superlatives`most recently changed / least recently changed
          | most recently edited / least recently edited
          | most recently changed / least recently changed
          | most recently edited / least recently edited
          | most recently changed / least recently changed`,
        atLeast("since", { ...sinceOptions, excludes: ["before"] })`
        changed on $ or later | that were changed on or after $ | last changed no earlier than $
        | whose last change was on $ or after it
        | that have been changed since $ (that day included)`,
        atMost("before", { excludes: ["since"] })`
        changed on $ or earlier | that were last changed on or before $ | not changed after $
        | whose last change was on $ or before it
        | that have not been changed since $ (that day itself does not count)`,
      ),
      kind: choice(
        ({ name }) => fileKind(name),
        { arg: "kind" },
        { isAllowed: (kind) => kind !== "text" },
      )`of the kind "$" | that are listed as $ files | with the kind "$"
      | whose kind is "$" | which the files app counts as being of the kind "$"`,
      tag: choice(({ tags }) => tags, { arg: "tag" })`tagged "$" | with the tag "$"
      | that have the tag "$" | which are tagged "$" | that carry the tag "$"`,
      favourite: withProperty(({ favourite }) => favourite, { args: "favourite:true" })`
      that are favourites | among my favourites | which I marked as favourites
      | that I have made favourites | that count as favourites of mine`,
      locked: withProperty(({ locked }) => locked, { args: "locked:true" })`
      that are locked | which I have locked | that are locked at the moment | with a lock on them
      | which are currently locked`,
      folder: choice(pathOfFolder, {}, { code: (path) => ({ args: `folder:${path},deep:false` }) })`
      right in the folder $ | that lie directly in $
      | in the folder $ itself | that are stored directly in the folder $ | whose folder is $`,
      size: number(
        ({ text }) => text.length,
        { item: "size", noun: "size in characters" },
        superlatives`largest / smallest | largest / smallest | largest / smallest
          | largest / smallest | largest / smallest`,
        atLeast("large", { excludes: ["lines"] })`
        with $ or more characters | of at least $ characters | that have $ characters or more
        | whose size is $ characters or more | that are no smaller than $ characters`,
      ),
      lines: number(
        ({ text }) => splitLines(text).length,
        { item: "lines", noun: "number of lines" },
        atLeast("lines", { excludes: ["large"] })`with $ or more lines | of at least $ lines
        | that have $ lines or more
        | whose text has no fewer than $ lines | that are $ lines long or longer`,
      ),
      /** Finds the word in the text of a file, not in its name. */
      says: drawnClause(
        drawWordClause(({ text }) => text, fileTextCode("x.id"), textContainsPhrase),
      ),
      from: person(
        ({ owner }) => owner,
        (handle) => ({ args: `from:${handle}` }),
      )`from $ | of $ | that belong to $ | whose owner is $ | which $ owns`,
      role: drawnClause(drawRoleClause(({ role }) => role)),
      owner: text(({ owner }, db) => handleOf(db, owner ?? 0), {
        item: "from",
        noun: "owner's handle",
      }),
    }),
  );

export const columnsByArgument = declareFileColumns({ arg: "since" });
export const columnsByItem = declareFileColumns({});
