/** Actions on files, on files of other people, on the trash, and on people. */
import { actions, type Ingredient, jsLiteral, oneOf, someone, taskValue } from "bowline/goals";
import { fileKind } from "../../apps/files/access-and-texts.ts";
import { findFolder } from "../../apps/files/paths.ts";
import { editRequests, files, ROLES, type StoredFile } from "../../apps/files/tables.ts";
import { notes, people } from "../../apps/tables.ts";
import {
  addTagPhrase,
  idsOfUnblockedContacts,
  selectActions,
  sharePhrase,
} from "../files-notes-todos.ts";
import {
  drawNamedFile,
  idsOfReaders,
  insertFile,
  isNameFree,
  isOwnLiveFile,
  shareFile,
  totalCostCents,
} from "./read-and-insert-files.ts";

const FILES_LIST = { kind: "files", app: "files", table: files } as const;

const isOwnUnlocked = (row: StoredFile) => isOwnLiveFile(row) && !row.locked;
const isWritable = ({ state, locked, role, name }: StoredFile) =>
  state === "live" && !locked && role !== "viewer" && fileKind(name) !== "bundle";

const TAGS = ["urgent", "to file", "archive", "for the accountant", "to read", "final"];
const NAME_PREFIXES = ["old", "checked", "paid", "2026", "kept"].map((word) => `${word} `);
const COST_NAMES = ["tip", "parking", "cloakroom", "toll", "snacks", "deposit"];

/** Draws one of some folders, if it still exists. */
const drawFolder: Ingredient<{ readonly path: string; readonly id: number }> = ({ rng, db }) => {
  const path = rng.pick(["/later", "/scans/old", "/scans"]);
  const id = findFolder(db, path)?.id;
  return id === undefined ? undefined : { value: { path, id }, words: path, code: jsLiteral(path) };
};

const allFileActions = actions<StoredFile>(
  { ...FILES_LIST, difficult: "share rename copy" },
  (kit) => ({
    tag: kit.actionWithOne(oneOf(TAGS), ({ value: tag, code }) =>
      kit.sets(({ tags }) => ({ tags: [...tags, tag].sort() }), {
        when: (row) => isOwnLiveFile(row) && !row.tags.includes(tag),
        api: "tag",
        args: `tag:${code}`,
      }),
    )(addTagPhrase("files")),
    append: kit.actionWithValue("text", ({ value, code }) =>
      kit.sets(({ text }) => ({ text: `${text}\n${value}` }), {
        when: (row) => isWritable(row) && fileKind(row.name) !== "table",
        api: "append",
        args: `text:${code}`,
      }),
    )`Add a line at the end of the text of #: $ | Append a last line to # in the files app, namely $
    | As a new last line, write $ into #
    | Write $ as one more line at the end of # | Let # have $ as a new last line`,
    favourite: kit.changesTo("favourite", true, { when: isOwnLiveFile, api: "favourite" })`
    Add # to my favourite files | Add # to my favourites in the files app | Mark # as favourite
    | Put # among my favourite files | Count # among my favourite files from now on`,
    lock: kit.sets("locked", true, { when: isOwnUnlocked, api: "lock" })`Lock # | Put a lock on #
    | Set a lock on # | Use a lock to protect # | Place a lock on #`,
    trash: kit.sets("state", "trashed", {
      when: (row, db) => isOwnUnlocked(row) && idsOfReaders(db, row.id).length === 0,
      api: "trash",
    })`Move # to the trash | Put # into the trash | Trash # | Throw # into the trash
    | Send # to the trash`,
    move: kit.actionWithOne(drawFolder, ({ value: { id }, code }) =>
      kit.changesTo("folder", id, {
        when: (row, db) => isOwnUnlocked(row) && isNameFree(db, id, row.name),
        api: "move",
        args: `folder:${code}`,
      }),
    )`Move # to the folder $ | Put # into the folder $ | Make $ the folder of #
    | Let the folder $ be the new place of # | Choose $ as the new folder of #`,
    keep: kit.actionWithOne(drawFolder, ({ value: { id, path }, code }) =>
      kit.applies((db, { name, text }) => void insertFile(db, path, name, text), {
        when: (row, db) => row.owner !== null && isNameFree(db, id, row.name),
        api: "keep",
        args: `folder:${code}`,
      }),
    )`In my folder $, keep a copy of # | Put a copy of # into my folder $ | Save in the folder $ a
    copy of # | Store a copy of # in $ for me | Make me a copy of # in $`,
    share: kit.actionWith(
      { person: someone(idsOfUnblockedContacts), role: oneOf(ROLES) },
      (drawn) => {
        const [{ id: personId }, role] = [drawn.person.value, drawn.role.value];
        return kit.applies((db, { id }) => shareFile(db, id, personId, role), {
          when: (row, db) => isOwnLiveFile(row) && !idsOfReaders(db, row.id).includes(personId),
          api: "share",
          args: `person:${drawn.person.code},role:${drawn.role.code}`,
        });
      },
    )(sharePhrase("files")),
    /** Renames a file by putting a word in front of the old name. */
    rename: kit.actionWithOne(oneOf(NAME_PREFIXES), ({ value: start, code }) =>
      kit.sets(({ name }) => ({ name: `${start}${name}` }), {
        when: (row, db) => isOwnUnlocked(row) && isNameFree(db, row.folder, `${start}${row.name}`),
        call: `const f=apis.files.stat({id:x});apis.files.rename({id:x,name:${code}+f.name})`,
      }),
    )`Put "$" in front of the name of # | Prefix the file name with "$", for #
    | Write "$" before the old name and so rename #
    | Rename # so that "$" stands before the old name | Put "$" in front of the file name of #`,
    copy: kit.actionWithOne(drawFolder, ({ value: { id, path } }) =>
      kit.applies((db, { name, text }) => void insertFile(db, path, name, text), {
        when: (row, db) => isOwnLiveFile(row) && isNameFree(db, id, row.name),
        call: `const f=apis.files.stat({id:x});apis.files.copy({id:x,path:${jsLiteral(`${path}/`)}+f.name})`,
      }),
    )`Make a copy, with the same name in the folder $, of # | In the folder $, put a copy with the
    same name of # | Into the folder $, copy without a change of name #
      | Copy # into the folder $ under the same name | Make a copy of # in $ under the same name`,
    "ask-to-edit": kit.addsRow(editRequests, ({ id }) => ({ file: id, status: "pending" }), {
      when: ({ id, role }, db) =>
        role === "viewer" && db.where(editRequests, { file: id }).length === 0,
      api: "askToEdit",
    })`Ask to be allowed to edit # | Ask for the right to edit # | Request editing rights for #
    | Ask whether I may edit #, with the files app | Send the question to edit # in the files app`,
    leave: kit.sets("state", "left", {
      when: ({ owner, state }) => owner !== null && state === "live",
      api: "leave",
    })`Leave # | Leave # in the files app, so that my access ends | Stop having access to #: leave
    | Give up my access to # by leaving | Leave #, since I do not need that access any more`,
  }),
);

/** Who paid the further costs. The instructions name this payer. */
const PAYER = "Landlord";

const COST_TABLES_LIST = {
  ...FILES_LIST,
  kind: "cost-tables",
  difficulty: 2,
  otherApps: { notes: "note-total" },
} as const;

const costTableActions = actions<StoredFile>(COST_TABLES_LIST, ({ addsRow, actionWith, sets }) => ({
  "add-cost": actionWith(
    { what: oneOf(COST_NAMES), amount: taskValue("money") },
    ({ what, amount }) => {
      const line = `${what.value},${PAYER},${(amount.value / 100).toFixed(2)}`;
      return sets(({ text }) => ({ text: `${text}\n${line}` }), {
        when: isWritable,
        api: "addRow",
        args: `cells:[${what.code},${jsLiteral(PAYER)},Number(${amount.code}).toFixed(2)]`,
      });
    },
  )`Add a row for "$what", paid by "Landlord", to #; the amount is $amount, written with two
    decimals | Add the further cost "$what", with "Landlord" as payer, to #; the amount, with two
    decimals, is $amount | Enter one more cost, "$what", paid by "Landlord", in #; its amount
    (with two decimals) is $amount | Write a new row with "$what" and "Landlord" as payer into #;
    as amount, take $amount with two decimals | Record "$what", which "Landlord" paid, as a
    further cost in #; the amount is $amount, to be written with two decimals`,
  /** Adds a note with the total of each table. */
  "note-total": addsRow(
    notes,
    (file) => {
      const text = `$${(totalCostCents(file) / 100).toFixed(2)}`;
      return { title: file.name, text, tag: null, pinned: false };
    },
    {
      call: `const f=apis.files.stat({id:x}),t=apis.files.sumColumn({id:x,column:"amount"}).sum;apis.notes.add({title:f.name,text:"$"+t.toFixed(2)})`,
    },
  )`Add a note with the file's name as title and the sum of the amounts as text (such as $12.50) for
    # | Write a note that has
    the name of the file as title and its total as text, such as $12.50, for # | Make a note, titled
    with the file's name, that says what the amounts come to (such as $12.50), for # | With the
    name of the file as title and the sum of its amounts as text (such as $12.50), add a note for #
    | Note down what the amounts come to (such as $12.50) under the name of the file, for #`,
}));

const TRASH_LIST = { ...FILES_LIST, kind: "trashed-files", when: { state: "trashed" } } as const;

const trashActions = actions<StoredFile>(TRASH_LIST, ({ removesRow, sets }) => ({
  restore: sets("state", "live", {
    when: ({ folder, name }, db) => isNameFree(db, folder, name),
    api: "restore",
  })`Restore # | Bring # back from the trash | Take # out of the trash again
    | Get # back out of the trash | Undo the trashing of #`,
  purge: removesRow({
    api: "purge",
  })`Delete # for good | Delete # forever | Remove # once and for all
    | Let # disappear for good | Finally delete #`,
}));

const PEOPLE_LIST = { kind: "people", app: "files", table: people, difficulty: 2 } as const;

/** Actions that share one file with each person of a set. */
const peopleActions = actions(PEOPLE_LIST, ({ applies, actionWith }) => ({
  "share-file": actionWith({ file: drawNamedFile, role: oneOf(ROLES) }, ({ file, role }) =>
    applies((db, { id }) => shareFile(db, file.value.id, id, role.value), {
      when: ({ id, blocked }, db) => !blocked && !idsOfReaders(db, file.value.id).includes(id),
      call: `apis.files.share({id:${file.code},person:x,role:${role.code}})`,
    }),
  )`Share $file with # as $role | Give # access to $file with the role $role | Let # have $file:
    share it with the role $role | In the files app, share $file with #, with the role $role
    | With the role $role, share $file with #`,
}));

const OWN_FILE_ACTIONS = "tag share append rename move copy favourite lock trash";

export const fileActions = [
  ...selectActions("files", allFileActions, OWN_FILE_ACTIONS),
  ...selectActions("cost-tables", allFileActions, OWN_FILE_ACTIONS),
  ...costTableActions,
  ...selectActions("receipts", allFileActions, OWN_FILE_ACTIONS),
  ...selectActions("guest-lists", allFileActions, OWN_FILE_ACTIONS),
  ...selectActions("borrowed-files", allFileActions, "keep leave"),
  ...selectActions("viewed-files", allFileActions, "ask-to-edit keep leave"),
  ...selectActions("editable-files", allFileActions, "append keep leave"),
  ...trashActions,
  ...peopleActions,
];
