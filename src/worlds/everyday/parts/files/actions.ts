/** What is done with files: marks, locks, tags, order, text, shares; with files of others; with the trash; for people. */
import { type Action, type ActionSpec, actions, type Draw, js } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { kindOf } from "../../apps/files/access.ts";
import { folderAt } from "../../apps/files/paths.ts";
import { asks, files, ROLES, type StoredFile } from "../../apps/files/tables.ts";
import { notes, people } from "../../apps/tables.ts";
import { under } from "../papers.ts";
import { addFile, costsIn, freeName, isOwn, namedFile, setShare, sharedWith } from "./words.ts";

const on = { kind: "files", app: "files", table: files } as const;

const isFree = (row: StoredFile) => isOwn(row) && !row.locked;
const isWritable = ({ state, locked, role, name }: StoredFile) =>
  state === "live" && !locked && role !== "viewer" && kindOf(name) !== "bundle";

const TAGS = ["urgent", "to file", "archive", "for the accountant", "to read", "final"] as const;

/** Marks and texts of the owner's files. */
const own = actions(on, ({ drawn, sets, taking }) => ({
  tag: drawn(({ rng }) => {
    const tag = rng.pick(TAGS);
    return sets(({ tags }) => ({ tags: [...tags, tag].sort() }), {
      when: (row) => isOwn(row) && !row.tags.includes(tag),
      api: "tag",
      args: `tag:${js(tag)}`,
    })`Add the tag "${tag}" to # | In the files app, add the tag "${tag}" to #
      | Put the tag "${tag}" on # | With the tag "${tag}", mark # | Attach the tag "${tag}" to #`;
  }),
  append: taking("text", ({ value, words, code }) => {
    const longer = { when: isWritable, api: "append", args: `text:${code}` };
    return sets(({ text }) => ({ text: `${text}\n${value}` }), longer)`
      Add a line at the end of the text of #: ${words} | Append a last line to # in the files app,
      namely ${words} | As a new last line, write ${words} into #
      | Write ${words} as one more line at the end of # | Let ${words} be a new last line of #`;
  }),
  favourite: sets("favourite", true, {
    when: (row) => isOwn(row) && !row.favourite,
    api: "favourite",
  })`Add # to my favourite files | Add # to my favourites in the files app | Mark # as favourite
    | Put # among my favourite files | Count # among my favourite files from now on`,
  lock: sets("locked", true, { when: isFree, api: "lock" })`
    Lock # | Put a lock on # | Set a lock on # | Use a lock to protect # | Place a lock on #`,
  trash: sets("state", "trashed", {
    when: (row, db) => isFree(row) && sharedWith(db, row.id).length === 0,
    api: "trash",
  })`Move # to the trash | Put # into the trash | Trash # | Throw # into the trash
    | Send # to the trash`,
}));

const FOLDERS = ["/later", "/scans/old", "/scans"] as const;

/** What is done with one of some folders, unless it is gone. */
const toFolder =
  (make: (path: string, folder: number | null) => ActionSpec<StoredFile>) =>
  ({ rng, db }: Draw) => {
    const path = rng.pick(FOLDERS);
    const folder = folderAt(db, path)?.id;
    return folder === undefined ? undefined : make(path, folder);
  };

/** Where files and copies of them lie. */
const placing = actions(on, ({ does, drawn, sets }) => ({
  move: drawn(
    toFolder((path, folder) => {
      const fits = (row: StoredFile, db: Reader) =>
        row.folder !== folder && freeName(db, folder, row.name);
      return sets("folder", folder, {
        when: (row, db) => isFree(row) && fits(row, db),
        api: "move",
        args: `folder:${js(path)}`,
      })`Move # to the folder ${path} | Put # into the folder ${path} | Make ${path} the folder of #
        | Let the folder ${path} be the new place of # | Choose ${path} as the new folder of #`;
    }),
  ),
  keep: drawn(
    toFolder((path, folder) => {
      return does((db, { name, text }) => void addFile(db, path, name, text), {
        when: (row, db) => row.owner !== null && freeName(db, folder, row.name),
        api: "keep",
        args: `folder:${js(path)}`,
      })`In my folder ${path}, keep a copy of # | Put a copy of # into my folder ${path}
        | Save in the folder ${path} a copy of # | Store in ${path} for me a copy of #
        | Let me have in ${path} a copy of #`;
    }),
  ),
}));

/** What needs more than one call, or somebody's name. */
const harder = actions({ ...on, difficulty: 2 }, ({ does, drawn, sets }) => ({
  share: drawn((draw) => {
    const person = draw.person(draw.db.where(people, { blocked: false }).map(({ id }) => id));
    if (!person) return undefined;
    const whom = person.value.id;
    const role = draw.rng.pick(ROLES);
    return does((db, { id }) => setShare(db, id, whom, role), {
      when: (row, db) => isOwn(row) && !sharedWith(db, row.id).includes(whom),
      api: "share",
      args: `with:${person.code},role:${js(role)}`,
      uses: [person],
    })`With ${person.words} as ${role}, share # | In the files app, make ${person.words} ${role} of
      # | Let ${person.words} have access as ${role} to # | Give ${person.words} the role ${role}
      for # | Give ${person.words} access, with the role ${role}, to #`;
  }),
  /** The new name is made from the old one. */
  rename: drawn(({ rng }) => {
    const start = `${rng.pick(["old", "checked", "paid", "2026", "kept"])} `;
    return sets(({ name }) => ({ name: `${start}${name}` }), {
      when: (row, db) => isFree(row) && freeName(db, row.folder, `${start}${row.name}`),
      call: `const f=apis.files.stat({id:x});apis.files.rename({id:x,name:${js(start)}+f.name})`,
    })`Put "${start}" in front of the name of # | Prefix the file names with "${start}", for #
      | Write "${start}" before the old name and so rename # | With "${start}" put before the name,
      rename # | Change the name to "${start}" and the old name, for #`;
  }),
  copy: drawn(
    toFolder((path, folder) => {
      const call = `const f=apis.files.stat({id:x});apis.files.copy({id:x,path:${js(`${path}/`)}+f.name})`;
      const when = (row: StoredFile, db: Reader) => isOwn(row) && freeName(db, folder, row.name);
      return does((db, { name, text }) => void addFile(db, path, name, text), { when, call })`
        Make a copy, with the same name in the folder ${path}, of # | In the folder ${path}, put a
        copy with the same name of # | Into the folder ${path}, copy without a change of name #
        | Let the folder ${path} have a copy, by the same name, of #
        | Under the same name, make a copy in ${path} of #`;
    }),
  ),
}));

const addCost = actions({ ...on, kind: "cost-tables" }, ({ drawn, sets }) => ({
  "add-cost": {
    ...drawn((draw) => {
      const what = draw.rng.pick(["tip", "parking", "cloakroom", "toll", "snacks", "deposit"]);
      const amount = draw.value("money");
      const line = `${what},Robin Vale,${(amount.value / 100).toFixed(2)}`;
      return sets(({ text }) => ({ text: `${text}\n${line}` }), {
        when: isWritable,
        api: "addRow",
        args: `cells:[${js(what)},"Robin Vale",Number(${amount.code}).toFixed(2)]`,
        uses: [amount],
      })`Add a row for "${what}", paid by Robin Vale, to #; the amount is ${amount.words}, written
        with two decimals | Add the further cost "${what}", with Robin Vale as payer, to #; the
        amount, with two decimals, is ${amount.words} | Enter one more cost, "${what}", paid by
        Robin Vale, in #; its amount (with two decimals) is ${amount.words} | Write a new row with
        "${what}" and Robin Vale as payer into #; as amount, take ${amount.words} with two decimals
        | Record "${what}", which Robin Vale paid, as a further cost in #; the amount is
        ${amount.words}, to be written with two decimals`;
    }),
    difficulty: 2,
    takes: "money",
  },
}));

/** A note of the total, for each table by its own numbers. */
const noteTotal = actions(
  { ...on, kind: "cost-tables", app: "notes", difficulty: 2 },
  ({ adds }) => ({
    "note-total": adds(
      notes,
      (file) => {
        const text = `$${(costsIn(file) / 100).toFixed(2)}`;
        return { title: file.name, text, tag: null, pinned: false };
      },
      {
        call: `const f=apis.files.stat({id:x}),t=apis.files.sumColumn({id:x,column:"amount"}).sum;apis.notes.add({title:f.name,text:"$"+t.toFixed(2)})`,
      },
    )`Add a note with the file's name as title and the sum of the amounts as text (such as $12.50)
      for # | Write a note that has the name of the file as title and its total as text, such as
      $12.50, for # | Make a note, titled with the file's name, that says what the amounts come to
      (such as $12.50), for # | With the name of the file as title and the sum of its amounts as
      text (such as $12.50), add a note for #
      | Note down what the amounts come to (such as $12.50) under the name of the file, for #`,
  }),
);

const ofOthers = actions(on, ({ adds, sets }) => ({
  "ask-to-edit": adds(asks, ({ id }) => ({ file: id, status: "pending" }), {
    when: ({ id, role }, db) => role === "viewer" && db.where(asks, { file: id }).length === 0,
    api: "askToEdit",
  })`Ask to be allowed to edit # | Ask for the right to edit # | Request editing rights for #
    | Ask whether I may edit #, with the files app | Send the question to edit # in the files app`,
  leave: sets("state", "left", {
    when: ({ owner, state }) => owner !== null && state === "live",
    api: "leave",
  })`Leave # | Leave # in the files app, so that my access ends | Stop having access to #: leave
    | Give up my access to # by leaving | I have had enough of #; leave`,
}));

const inTrash = actions({ ...on, kind: "trashed-files" }, ({ removes, sets }) => ({
  restore: sets("state", "live", {
    when: ({ state, folder, name }, db) => state === "trashed" && freeName(db, folder, name),
    api: "restore",
  })`Restore # | Bring # back from the trash | Take # out of the trash again
    | Get # back out of the trash | Undo the trashing of #`,
  purge: removes({ when: ({ state }) => state === "trashed", api: "purge" })`Delete # for good
    | Delete # forever | Remove # once and for all | Let # be gone for good | Finally delete #`,
}));

/** One file goes to all of a set of people. */
const forPeople = actions(
  { kind: "people", app: "files", table: people, difficulty: 2 },
  ({ does, drawn }) => ({
    "share-file": drawn((draw) => {
      const file = namedFile(draw);
      if (!file) return undefined;
      const role = draw.rng.pick(ROLES);
      return does((db, { id }) => setShare(db, file.value.id, id, role), {
        when: ({ id, blocked }, db) => !blocked && !sharedWith(db, file.value.id).includes(id),
        call: `apis.files.share({id:${file.code},with:x,role:${js(role)}})`,
        uses: [file],
      })`Share ${file.words} with # as ${role} | Give # access to ${file.words} with the role
        ${role} | Let # have ${file.words}: share it with the role ${role}
        | In the files app, share ${file.words} with #, with the role ${role}
        | With the role ${role}, share ${file.words} with #`;
    }),
  }),
);

const onFiles = [...own, ...placing, ...harder, ...ofOthers];
const OWN = "tag share append rename move copy favourite lock trash";

export const fileActions: readonly Action[] = [
  ...under("files", onFiles, OWN),
  ...under("cost-tables", onFiles, OWN),
  ...addCost,
  ...noteTotal,
  ...under("receipts", onFiles, OWN),
  ...under("guest-lists", onFiles, OWN),
  ...under("borrowed-files", onFiles, "keep leave"),
  ...under("viewed-files", onFiles, "ask-to-edit keep leave"),
  ...under("editable-files", onFiles, "append keep leave"),
  ...inTrash,
  ...forPeople,
];
