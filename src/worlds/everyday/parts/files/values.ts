/** What files can tell (amounts in cells and receipts, days in plans, sentences), facts about all of them, and deeds. */
import type { Deed, Draw, Fact, Source, Value } from "../../../../goals/index.ts";
import { folderAt } from "../../apps/files/paths.ts";
import { bundled, files, folders, type StoredFile, versions } from "../../apps/files/tables.ts";
import { placesOf } from "../../life/life.ts";
import { dayAfter } from "../../population/time.ts";
import { sentence } from "../../sentences.ts";
import { js } from "../old-papers.ts";
import {
  addFile,
  columnOf,
  findFile,
  freeName,
  isOwn,
  namedFile,
  numberAfter,
  rewriteText,
} from "./words.ts";

/** An own file about a happening of the split, of which there is one by this name. */
function placeFile(draw: Draw, ending: string, fits: (row: StoredFile) => boolean) {
  const places = new Set(placesOf(draw.split));
  const about = ({ name }: StoredFile) =>
    name.endsWith(ending) && [...places].some((place) => name.startsWith(`${place} `));
  return namedFile(draw, (row) => about(row) && fits(row));
}

/** A value that one more cell reads from a file. */
function readFrom<T>(
  draw: Draw,
  file: Value<unknown>,
  value: T,
  words: string,
  code: (variable: string) => string,
): Value<T> {
  const variable = draw.variable("v");
  const cell = `var ${variable}=${code(file.code)};print(${variable})`;
  const setup = file.setup ? { setup: file.setup } : {};
  return { value, words, code: variable, cells: [...file.cells, cell], apps: ["files"], ...setup };
}

const cents = (dollars: string) => Math.round(Number(dollars) * 100);

// --- sources ---

const costCell: Source<"money"> = {
  name: "cost-cell",
  type: "money",
  app: "files",
  draw: (draw) => {
    const file = placeFile(draw, " costs.csv", (row) => row.text.includes("\n"));
    if (!file) return undefined;
    const what = draw.rng.pick(columnOf(file.value, "what"));
    const at = columnOf(file.value, "what").indexOf(what);
    const value = cents(columnOf(file.value, "amount")[at]!);
    return readFrom(
      draw,
      file,
      value,
      `the amount of the ${what} in ${file.words}`,
      (id) =>
        `Number(apis.files.readRows({id:${id},column:"what",value:${js(what)}}).items[0].cells.amount)`,
    );
  },
};

const receiptTotal: Source<"money"> = {
  name: "receipt-total",
  type: "money",
  app: "files",
  draw: (draw) => {
    const file = placeFile(draw, " receipt.txt", () => true);
    if (!file) return undefined;
    return readFrom(
      draw,
      file,
      Math.round(numberAfter(file.value.text, "Total") * 100),
      `the total in ${file.words}`,
      (id) => `Number(apis.files.read({id:${id}}).text.match(/Total: ([\\d.]+)/)[1])`,
    );
  },
};

const OFFERS = "lamp,tent,clock,kettle,blanket,ladder,stool,basket".split(",");

/** A new table with other prices every time. */
const offer: Source<"money"> = {
  name: "offer",
  type: "money",
  app: "files",
  draw: (draw) => {
    const { rng, db } = draw;
    const name = `${rng.pick(["winter", "spring", "summer", "autumn"])} offers ${rng.integer(2, 99)}.csv`;
    if (db.all(files).some((row) => row.name === name)) return undefined;
    const rows = rng
      .sample(OFFERS, rng.integer(4, 8))
      .map((item) => ({ item, cents: rng.integer(310, 9890) }));
    const chosen = rng.pick(rows);
    const lines = rows.map(({ item, cents }) => `${item},${(cents / 100).toFixed(2)}`);
    const text = ["item,price", ...lines].join("\n");
    const code = draw.variable("f");
    const file = {
      value: name,
      words: `my file ${js(name)}`,
      code,
      cells: [findFile(name, code)],
      apps: ["files"],
      setup: (db: Parameters<typeof addFile>[0]) => void addFile(db, "/house/prices", name, text),
    };
    return readFrom(
      draw,
      file,
      chosen.cents,
      `the price of the ${chosen.item} in ${file.words}`,
      (id) =>
        `Number(apis.files.readRows({id:${id},column:"item",value:${js(chosen.item)}}).items[0].cells.price)`,
    );
  },
};

const planDay: Source<"day"> = {
  name: "plan-day",
  type: "day",
  app: "files",
  draw: (draw) => {
    const dayIn = ({ text }: StoredFile) => /^Day: (.*)$/m.exec(text)?.[1] ?? "";
    const file = placeFile(draw, " plan.md", (row) => dayIn(row) > dayAfter(0));
    if (!file) return undefined;
    return readFrom(
      draw,
      file,
      dayIn(file.value),
      `the day that ${file.words} names`,
      (id) => `apis.files.read({id:${id}}).text.match(/Day: (\\S+)/)[1]`,
    );
  },
};

const draft: Source<"text"> = {
  name: "draft",
  type: "text",
  app: "files",
  draw: (draw) => {
    const { rng, db, split } = draw;
    const name = `${rng.pick(["draft", "message", "wording", "reply"])} ${rng.integer(2, 99)}.txt`;
    if (db.all(files).some((row) => row.name === name)) return undefined;
    const text = sentence(rng, split);
    const code = draw.variable("f");
    const file = {
      value: name,
      words: `my file ${js(name)}`,
      code,
      cells: [findFile(name, code)],
      apps: ["files"],
      setup: (db: Parameters<typeof addFile>[0]) => void addFile(db, "/later", name, text),
    };
    return readFrom(
      draw,
      file,
      text,
      `the text of ${file.words}`,
      (id) => `apis.files.read({id:${id}}).text`,
    );
  },
};

export const fileSources: readonly Source[] = [costCell, receiptTotal, offer, planDay, draft];

// --- facts ---

export const fileFacts: readonly Fact[] = [
  {
    name: "used",
    app: "files",
    unit: "number",
    words: [
      "the number of characters that my files take up (those in the trash included)",
      "the storage that my files use, in characters",
      "the used part of my file storage, in characters",
      "the number of characters used by my own files, with those in the trash",
      "the amount of file storage that I use, counted in characters",
    ],
    value: (db) => db.where(files, { owner: null }).reduce((sum, { text }) => sum + text.length, 0),
    code: "apis.files.quota({}).used",
  },
  {
    name: "trashed",
    app: "files",
    unit: "number",
    words: [
      "the number of files in my trash",
      "the number of files that lie in the trash",
      "the number of trashed files",
      "the count of files in the trash",
      "the number of files which I have put into the trash",
    ],
    value: (db) => db.where(files, { state: "trashed" }).length,
    code: "apis.files.quota({}).trashed",
  },
  {
    name: "files",
    app: "files",
    unit: "number",
    words: [
      "the number of my own files",
      "the number of files that I own (not counting the trash)",
      "the count of my own files outside the trash",
      "the number of files of my own, without those in the trash",
      "the number of own files that are not in the trash",
    ],
    value: (db) => db.all(files).filter(isOwn).length,
    code: "apis.files.quota({}).files",
  },
];

// --- deeds ---

const NAMES = [
  "ideas",
  "summary",
  "open questions",
  "agenda",
  "speech",
  "packing",
  "wishes",
] as const;

const create: Deed = {
  name: "create",
  app: "files",
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    const folder = draw.rng.pick(["/later", "/scans", "/house", "/plans"]);
    const name = `${draw.rng.pick(NAMES)} ${draw.rng.integer(2, 99)}.md`;
    const at = folderAt(draw.db, folder)?.id;
    if (at === undefined || !freeName(draw.db, at, name)) return undefined;
    const path = `${folder}/${name}`;
    return {
      sentences: [
        `Create the file ${path}; its text is ${text.words}`,
        `Write a new file ${path} with this text: ${text.words}`,
        `Make a file ${path} whose whole text is ${text.words}`,
        `I need a new file ${path} with nothing but ${text.words} in it`,
        `Save ${text.words} as the text of a new file ${path}`,
      ],
      apply: (db) => void addFile(db, folder, name, text.value),
      cells: [`apis.files.create({path:${js(path)},text:${text.code}})`],
      uses: [text],
    };
  },
};

const makeFolder: Deed = {
  name: "make-folder",
  app: "files",
  draw: ({ rng, db }) => {
    const name = rng.pick([
      "summer",
      "taxes",
      "letters",
      "music",
      "recipes",
      "school",
      "insurance",
    ]);
    const above = rng.pick(["/later", "/house", "/scans"]);
    const parent = folderAt(db, above)?.id;
    const taken = db.all(folders).some((row) => row.parent === parent && row.name === name);
    if (parent === undefined || taken) return undefined;
    const path = `${above}/${name}`;
    return {
      sentences: [
        `Make a folder ${path} in the files app`,
        `Create the folder ${path} for my files`,
        `Add an empty folder ${path} to my files`,
        `I need a new folder ${path} in the files app`,
        `Let there be a folder ${path} among my files`,
      ],
      apply: (db) => void db.insert(folders, { name, parent }),
      cells: [`apis.files.addFolder({path:${js(path)}})`],
    };
  },
};

const emptyTrash: Deed = {
  name: "empty-trash",
  app: "files",
  draw: () => ({
    sentences: [
      "Empty the trash of my files",
      "Empty the trash in the files app",
      "Delete everything in the trash of the files app for good",
      "Clear the trash of the files app completely",
      "Delete all trashed files in the files app for good",
    ],
    apply: (db) => {
      for (const { id } of db.where(files, { state: "trashed" })) db.remove(files, id);
    },
    cells: ["apis.files.emptyTrash({})"],
  }),
};

const revert: Deed = {
  name: "revert",
  app: "files",
  draw: (draw) => {
    const first = (id: number) => draw.db.where(versions, { file: id, number: 1 })[0];
    const file = namedFile(draw, (row) => !row.locked && first(row.id) !== undefined);
    const text = file && first(file.value.id)?.text;
    if (!file || text === undefined) return undefined;
    return {
      sentences: [
        `Bring ${file.words} back to its first version`,
        `Give ${file.words} the text of its version 1 again`,
        `Revert ${file.words} to version 1`,
        `Go back to the first version of ${file.words}`,
        `Let ${file.words} have the text of its very first version again`,
      ],
      apply: (db) => rewriteText(db, file.value.id, () => text),
      cells: [`apis.files.revert({id:${file.code},number:1})`],
      uses: [file],
    };
  },
};

const correct: Deed = {
  name: "correct-cost",
  app: "files",
  takes: "money",
  draw: (draw) => {
    const file = placeFile(draw, " costs.csv", (row) => !row.locked && row.text.includes("\n"));
    if (!file) return undefined;
    const rows = columnOf(file.value, "what");
    const at = draw.rng.integer(0, rows.length - 1);
    const amount = draw.value("money");
    const [what, cell] = [rows[at]!, (amount.value / 100).toFixed(2)];
    if (columnOf(file.value, "amount")[at] === cell) return undefined;
    return {
      sentences: [
        `In ${file.words}, set the amount of the ${what} to ${amount.words}, with two decimals`,
        `Correct the amount of the ${what} in ${file.words}: it should be ${amount.words}, with two decimals`,
        `Change the amount in the row "${what}" of ${file.words} to ${amount.words} (two decimals)`,
        `The amount of the ${what} in ${file.words} is wrong; make it ${amount.words}, written with two decimals`,
        `Put ${amount.words}, with two decimals, as the amount of the ${what} into ${file.words}`,
      ],
      apply: (db) =>
        rewriteText(db, file.value.id, (text) =>
          text
            .split("\n")
            .map((line, i) => (i === at + 1 ? [...line.split(",").slice(0, 2), cell].join() : line))
            .join("\n"),
        ),
      cells: [
        `var row=apis.files.readRows({id:${file.code},column:"what",value:${js(what)}}).items[0].row;print(row)`,
        `apis.files.setCell({id:${file.code},row,column:"amount",value:Number(${amount.code}).toFixed(2)})`,
      ],
      uses: [file, amount],
    };
  },
};

const bundle: Deed = {
  name: "bundle",
  app: "files",
  draw: (draw) => {
    const [first, second] = [namedFile(draw, () => true), namedFile(draw, () => true)];
    if (!first || !second || first.value.name === second.value.name) return undefined;
    const path = `/later/${draw.rng.pick(["both", "pack", "for later", "together"])}.zip`;
    const rows = [first.value, second.value];
    return {
      sentences: [
        `Put ${first.words} and ${second.words}, in this order, together into a new bundle ${path}`,
        `Make a bundle ${path} of ${first.words} and ${second.words}, in this order`,
        `Bundle first ${first.words} and then ${second.words} as ${path}`,
        `Pack ${first.words} and then ${second.words} into a bundle ${path}`,
        `I need a bundle ${path} with first ${first.words} and then ${second.words}`,
      ],
      apply: (db) => {
        const text = rows.map(({ name, text }) => `${name} ${text.length}`).join("\n");
        const made = addFile(db, "/later", path.slice("/later/".length), text);
        for (const { name, text } of rows) db.insert(bundled, { bundle: made.id, name, text });
      },
      cells: [`apis.files.bundle({path:${js(path)},ids:[${first.code},${second.code}]})`],
      uses: [first, second],
    };
  },
};

export const fileDeeds: readonly Deed[] = [create, makeFolder, emptyTrash, revert, correct, bundle];
