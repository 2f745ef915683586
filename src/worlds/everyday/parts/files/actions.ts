/** What is done with files: marks, locks, tags, order, text, shares; with files of others; with the trash. */

import type { Action, Effect, Forms } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { kindOf } from "../../apps/files/access.ts";
import { folderAt } from "../../apps/files/paths.ts";
import { asks, files, type StoredFile } from "../../apps/files/tables.ts";
import { notes, people } from "../../apps/tables.ts";
import { js } from "../old-papers.ts";
import {
  addFile,
  freeName,
  isOwn,
  namedFile,
  rewriteText,
  setShare,
  sharedWith,
  sumOf,
} from "./words.ts";

type Fits = (row: StoredFile, db: Reader) => boolean;

const permits =
  (fits: Fits): NonNullable<Effect["permits"]> =>
  (db, id) => {
    const row = db.get(files, id);
    return row !== undefined && fits(row, db);
  };

const free: Fits = (row) => isOwn(row) && !row.locked;
const writable: Fits = (row) =>
  row.state === "live" && !row.locked && row.role !== "viewer" && kindOf(row.name) !== "bundle";

/** Sets one column by one call. */
function marking(
  name: string,
  patch: Partial<StoredFile>,
  fits: Fits,
  frames: Forms<(noun: string) => string>,
  call: Effect["call"],
): Omit<Action, "kind"> {
  return {
    name,
    app: "files",
    difficulty: 1,
    draw: () => ({
      frames,
      permits: permits(fits),
      apply: (db, id) => void db.update(files, id, patch),
      call,
    }),
  };
}

const TAGS = ["urgent", "to file", "archive", "for the accountant", "to read", "final"] as const;

const tag: Omit<Action, "kind"> = {
  name: "tag",
  app: "files",
  difficulty: 1,
  draw: ({ rng }) => {
    const tag = rng.pick(TAGS);
    return {
      frames: [
        (noun) => `Add the tag "${tag}" to ${noun}`,
        (noun) => `In the files app, add the tag "${tag}" to ${noun}`,
        (noun) => `Put the tag "${tag}" on ${noun}`,
        (noun) => `With the tag "${tag}", mark ${noun}`,
        (noun) => `Attach the tag "${tag}" to ${noun}`,
      ],
      permits: permits((row) => isOwn(row) && !row.tags.includes(tag)),
      apply: (db, id) =>
        void db.update(files, id, { tags: [...db.get(files, id)!.tags, tag].sort() }),
      call: (x) => `apis.files.tag({id:${x},tag:${js(tag)}})`,
    };
  },
};

const share: Omit<Action, "kind"> = {
  name: "share",
  app: "files",
  difficulty: 2,
  draw: (draw) => {
    const person = draw.person(draw.db.where(people, { blocked: false }).map(({ id }) => id));
    if (!person) return undefined;
    const { id: whom, name } = person.value;
    const role = draw.rng.pick(["viewer", "editor"] as const);
    return {
      frames: [
        (noun) => `With ${name} as ${role}, share ${noun}`,
        (noun) => `In the files app, make ${name} ${role} of ${noun}`,
        (noun) => `Let ${name} have access as ${role} to ${noun}`,
        (noun) => `Give ${name} the role ${role} for ${noun}`,
        (noun) => `Give ${name} access, with the role ${role}, to ${noun}`,
      ],
      permits: permits((row, db) => isOwn(row) && !sharedWith(db, row.id).includes(whom)),
      apply: (db, id) => setShare(db, id, whom, role),
      call: (x) => `apis.files.share({id:${x},with:${person.code},role:${js(role)}})`,
      uses: [person],
    };
  },
};

const append: Omit<Action, "kind"> = {
  name: "append",
  app: "files",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Add a line at the end of the text of ${noun}: ${text.words}`,
        (noun) => `Append a last line to ${noun} in the files app, namely ${text.words}`,
        (noun) => `As a new last line, write ${text.words} into ${noun}`,
        (noun) => `Write ${text.words} as one more line at the end of ${noun}`,
        (noun) => `Let ${text.words} be a new last line of ${noun}`,
      ],
      permits: permits(writable),
      apply: (db, id) => rewriteText(db, id, (old) => `${old}\n${text.value}`),
      call: (x) => `apis.files.append({id:${x},text:${text.code}})`,
      uses: [text],
    };
  },
};

/** The new name is made from the old one. */
const rename: Omit<Action, "kind"> = {
  name: "rename",
  app: "files",
  difficulty: 2,
  draw: ({ rng }) => {
    const word = rng.pick(["old", "checked", "paid", "2026", "kept"]);
    return {
      frames: [
        (noun) => `Put "${word} " in front of the name of ${noun}`,
        (noun) => `Prefix the file names with "${word} ", for ${noun}`,
        (noun) => `Write "${word} " before the old name and so rename ${noun}`,
        (noun) => `With "${word} " put before the name, rename ${noun}`,
        (noun) => `Change the name to "${word} " and the old name, for ${noun}`,
      ],
      permits: permits(
        (row, db) => free(row, db) && freeName(db, row.folder, `${word} ${row.name}`),
      ),
      apply: (db, id) => void db.update(files, id, { name: `${word} ${db.get(files, id)!.name}` }),
      call: (x) =>
        `const f=apis.files.stat({id:${x}});apis.files.rename({id:${x},name:${js(`${word} `)}+f.name})`,
    };
  },
};

const FOLDERS = ["/later", "/scans/old", "/scans"] as const;

const move: Omit<Action, "kind"> = {
  name: "move",
  app: "files",
  difficulty: 1,
  draw: ({ rng, db }) => {
    const path = rng.pick(FOLDERS);
    const target = folderAt(db, path)?.id;
    if (target === undefined) return undefined;
    return {
      frames: [
        (noun) => `Move ${noun} to the folder ${path}`,
        (noun) => `Put ${noun} into the folder ${path}`,
        (noun) => `Make ${path} the folder of ${noun}`,
        (noun) => `Let the folder ${path} be the new place of ${noun}`,
        (noun) => `Choose ${path} as the new folder of ${noun}`,
      ],
      permits: permits(
        (row, db) => free(row, db) && row.folder !== target && freeName(db, target, row.name),
      ),
      apply: (db, id) => void db.update(files, id, { folder: target }),
      call: (x) => `apis.files.move({id:${x},folder:${js(path)}})`,
    };
  },
};

const copy: Omit<Action, "kind"> = {
  name: "copy",
  app: "files",
  difficulty: 2,
  draw: ({ rng, db }) => {
    const path = rng.pick(FOLDERS);
    const target = folderAt(db, path)?.id;
    if (target === undefined) return undefined;
    return {
      frames: [
        (noun) => `Make a copy, with the same name in the folder ${path}, of ${noun}`,
        (noun) => `In the folder ${path}, put a copy with the same name of ${noun}`,
        (noun) => `Into the folder ${path}, copy without a change of name ${noun}`,
        (noun) => `Let the folder ${path} have a copy, by the same name, of ${noun}`,
        (noun) => `Under the same name, make a copy in ${path} of ${noun}`,
      ],
      permits: permits((row, db) => isOwn(row) && freeName(db, target, row.name)),
      apply: (db, id) => {
        const { name, text } = db.get(files, id)!;
        addFile(db, path, name, text);
      },
      call: (x) =>
        `const f=apis.files.stat({id:${x}});apis.files.copy({id:${x},path:${js(`${path}/`)}+f.name})`,
    };
  },
};

const OWN: readonly Omit<Action, "kind">[] = [
  tag,
  share,
  append,
  rename,
  move,
  copy,
  marking(
    "favourite",
    { favourite: true },
    (row) => isOwn(row) && !row.favourite,
    [
      (noun) => `Add ${noun} to my favourite files`,
      (noun) => `Add ${noun} to my favourites in the files app`,
      (noun) => `Mark ${noun} as favourite`,
      (noun) => `Put ${noun} among my favourite files`,
      (noun) => `Count ${noun} among my favourite files from now on`,
    ],
    (x) => `apis.files.favourite({id:${x}})`,
  ),
  marking(
    "lock",
    { locked: true },
    (row) => isOwn(row) && !row.locked,
    [
      (noun) => `Lock ${noun}`,
      (noun) => `Put a lock on ${noun}`,
      (noun) => `Set a lock on ${noun}`,
      (noun) => `Use a lock to protect ${noun}`,
      (noun) => `Place a lock on ${noun}`,
    ],
    (x) => `apis.files.lock({id:${x}})`,
  ),
  marking(
    "trash",
    { state: "trashed" },
    (row, db) => free(row, db) && sharedWith(db, row.id).length === 0,
    [
      (noun) => `Move ${noun} to the trash`,
      (noun) => `Put ${noun} into the trash`,
      (noun) => `Trash ${noun}`,
      (noun) => `Throw ${noun} into the trash`,
      (noun) => `Send ${noun} to the trash`,
    ],
    (x) => `apis.files.trash({id:${x}})`,
  ),
];

// --- tables of costs ---

const addCost: Omit<Action, "kind"> = {
  name: "add-cost",
  app: "files",
  difficulty: 2,
  takes: "money",
  draw: (draw) => {
    const what = draw.rng.pick(["tip", "parking", "cloakroom", "toll", "snacks", "deposit"]);
    const amount = draw.value("money");
    const cell = (cents: number) => `${what},Robin Vale,${(cents / 100).toFixed(2)}`;
    return {
      frames: [
        (noun) =>
          `Add a row for "${what}", paid by Robin Vale, to ${noun}; the amount is ${amount.words}, written with two decimals`,
        (noun) =>
          `Add the further cost "${what}", with Robin Vale as payer, to ${noun}; the amount, with two decimals, is ${amount.words}`,
        (noun) =>
          `Enter one more cost, "${what}", paid by Robin Vale, in ${noun}; its amount (with two decimals) is ${amount.words}`,
        (noun) =>
          `Write a new row with "${what}" and Robin Vale as payer into ${noun}; as amount, take ${amount.words} with two decimals`,
        (noun) =>
          `Record "${what}", which Robin Vale paid, as a further cost in ${noun}; the amount is ${amount.words}, to be written with two decimals`,
      ],
      permits: permits(writable),
      apply: (db, id) => rewriteText(db, id, (old) => `${old}\n${cell(amount.value)}`),
      call: (x) =>
        `apis.files.addRow({id:${x},cells:[${js(what)},"Robin Vale",Number(${amount.code}).toFixed(2)]})`,
      uses: [amount],
    };
  },
};

/** A note of the total, for each table by its own numbers. */
const noteTotal: Omit<Action, "kind"> = {
  name: "note-total",
  app: "notes",
  difficulty: 2,
  draw: () => ({
    frames: [
      (noun) =>
        `Add a note with the file's name as title and the sum of the amounts as text (such as $12.50) for ${noun}`,
      (noun) =>
        `Write a note that has the name of the file as title and its total as text, such as $12.50, for ${noun}`,
      (noun) =>
        `Make a note, titled with the file's name, that says what the amounts come to (such as $12.50), for ${noun}`,
      (noun) =>
        `With the name of the file as title and the sum of its amounts as text (such as $12.50), add a note for ${noun}`,
      (noun) =>
        `Note down what the amounts come to (such as $12.50) under the name of the file, for ${noun}`,
    ],
    apply: (db, id) => {
      const row = db.get(files, id)!;
      const text = `$${sumOf(row, "amount").toFixed(2)}`;
      db.insert(notes, { title: row.name, text, tag: null, pinned: false });
    },
    call: (x) =>
      `const f=apis.files.stat({id:${x}}),t=apis.files.sumColumn({id:${x},column:"amount"}).sum;apis.notes.add({title:f.name,text:"$"+t.toFixed(2)})`,
  }),
};

// --- files of others ---

const askToEdit: Omit<Action, "kind"> = {
  name: "ask-to-edit",
  app: "files",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Ask to be allowed to edit ${noun}`,
      (noun) => `Ask for the right to edit ${noun}`,
      (noun) => `Request editing rights for ${noun}`,
      (noun) => `Ask whether I may edit ${noun}, with the files app`,
      (noun) => `Send the question to edit ${noun} in the files app`,
    ],
    permits: permits(
      (row, db) => row.role === "viewer" && db.where(asks, { file: row.id }).length === 0,
    ),
    apply: (db, id) => void db.insert(asks, { file: id, status: "pending" }),
    call: (x) => `apis.files.askToEdit({id:${x}})`,
  }),
};

const keep: Omit<Action, "kind"> = {
  name: "keep",
  app: "files",
  difficulty: 1,
  draw: ({ rng, db }) => {
    const path = rng.pick(FOLDERS);
    const target = folderAt(db, path)?.id;
    if (target === undefined) return undefined;
    return {
      frames: [
        (noun) => `In my folder ${path}, keep a copy of ${noun}`,
        (noun) => `Put a copy of ${noun} into my folder ${path}`,
        (noun) => `Save in the folder ${path} a copy of ${noun}`,
        (noun) => `Store in ${path} for me a copy of ${noun}`,
        (noun) => `Let me have in ${path} a copy of ${noun}`,
      ],
      permits: permits((row, db) => row.owner !== null && freeName(db, target, row.name)),
      apply: (db, id) => {
        const { name, text } = db.get(files, id)!;
        addFile(db, path, name, text);
      },
      call: (x) => `apis.files.keep({id:${x},folder:${js(path)}})`,
    };
  },
};

const BORROWED: readonly Omit<Action, "kind">[] = [
  keep,
  marking(
    "leave",
    { state: "left" },
    (row) => row.owner !== null && row.state === "live",
    [
      (noun) => `Leave ${noun}`,
      (noun) => `Leave ${noun} in the files app, so that my access ends`,
      (noun) => `Stop having access to ${noun}: leave`,
      (noun) => `Give up my access to ${noun} by leaving`,
      (noun) => `I have had enough of ${noun}; leave`,
    ],
    (x) => `apis.files.leave({id:${x}})`,
  ),
];

const TRASHED: readonly Omit<Action, "kind">[] = [
  marking(
    "restore",
    { state: "live" },
    (row, db) => row.state === "trashed" && freeName(db, row.folder, row.name),
    [
      (noun) => `Restore ${noun}`,
      (noun) => `Bring ${noun} back from the trash`,
      (noun) => `Take ${noun} out of the trash again`,
      (noun) => `Get ${noun} back out of the trash`,
      (noun) => `Undo the trashing of ${noun}`,
    ],
    (x) => `apis.files.restore({id:${x}})`,
  ),
  {
    name: "purge",
    app: "files",
    difficulty: 1,
    draw: () => ({
      frames: [
        (noun) => `Delete ${noun} for good`,
        (noun) => `Delete ${noun} forever`,
        (noun) => `Remove ${noun} once and for all`,
        (noun) => `Let ${noun} be gone for good`,
        (noun) => `Finally delete ${noun}`,
      ],
      permits: permits((row) => row.state === "trashed"),
      apply: (db, id) => db.remove(files, id),
      call: (x) => `apis.files.purge({id:${x}})`,
    }),
  },
];

// --- people ---

/** One file goes to all of a set of people. */
const shareWithEach: Action = {
  name: "share-file",
  kind: "people",
  app: "files",
  difficulty: 2,
  draw: (draw) => {
    const file = namedFile(draw, () => true);
    if (!file) return undefined;
    const role = draw.rng.pick(["viewer", "editor"] as const);
    return {
      frames: [
        (noun) => `Share ${file.words} with ${noun} as ${role}`,
        (noun) => `Give ${noun} access to ${file.words} with the role ${role}`,
        (noun) => `Let ${noun} have ${file.words}: share it with the role ${role}`,
        (noun) => `In the files app, share ${file.words} with ${noun}, with the role ${role}`,
        (noun) => `With the role ${role}, share ${file.words} with ${noun}`,
      ],
      permits: (db, person) =>
        db.get(people, person)?.blocked === false &&
        !sharedWith(db, file.value.id).includes(person),
      apply: (db, person) => setShare(db, file.value.id, person, role),
      call: (x) => `apis.files.share({id:${file.code},with:${x},role:${js(role)}})`,
      uses: [file],
    };
  },
};

const of = (kind: string, actions: readonly Omit<Action, "kind">[]): Action[] =>
  actions.map((action) => ({ ...action, kind }));

export const fileActions: readonly Action[] = [
  ...of("files", OWN),
  ...of("cost-tables", [...OWN, addCost, noteTotal]),
  ...of("receipts", OWN),
  ...of("guest-lists", OWN),
  ...of("borrowed-files", BORROWED),
  ...of("viewed-files", [askToEdit, ...BORROWED]),
  ...of("editable-files", [append, ...BORROWED]),
  ...of("trashed-files", TRASHED),
  shareWithEach,
];
