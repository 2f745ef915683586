/** What files can tell (amounts in cells and receipts, days in plans, sentences), facts about all of them, and deeds. */
import { type DrawContext, deeds, facts, jsLiteral, sources, wordList } from "bowline/goals";
import type { Reader } from "bowline/world";
import { findFolder } from "../../apps/files/paths.ts";
import {
  bundledFiles,
  files,
  folders,
  type StoredFile,
  versions,
} from "../../apps/files/tables.ts";
import { placesOfPart } from "../../life/life.ts";
import { dayFromStart } from "../../population/time.ts";
import { drawSentence } from "../../sentences.ts";
import {
  addFile,
  centsIn,
  columnOf,
  filesByName,
  freeName,
  isOwn,
  namedFile,
  totalIn,
} from "./words.ts";

/** An own file about a happening of the split, of which there is one by this name. */
const placeFile =
  (ending: string, fits: (row: StoredFile) => boolean = () => true) =>
  (draw: DrawContext) => {
    const places = placesOfPart(draw.split);
    const isAbout = ({ name }: StoredFile) =>
      name.endsWith(ending) && places.some((place) => name.startsWith(`${place} `));
    return namedFile(draw, (row) => isAbout(row) && fits(row));
  };

/** A file that is written for this task alone. */
const writtenFile = (draw: DrawContext, folder: string, name: string, text: string) =>
  filesByName.called(draw, name, text, (db) => void addFile(db, folder, name, text));

const isTaken = ({ db }: DrawContext, name: string) =>
  db.all(files).some((row) => row.name === name);

const inColumn = (column: string, id: string, value: string) =>
  `apis.files.readRows({id:${id},column:"${column}",value:${jsLiteral(value)}}).items[0]`;
const textOf = (id: string) => `apis.files.read({id:${id}}).text`;

const dayIn = ({ text }: StoredFile) => /^Day: (.*)$/m.exec(text)?.[1] ?? "";
const hasLines = ({ text }: StoredFile) => text.includes("\n");

const OFFERS = wordList("lamp | tent | clock | kettle | blanket | ladder | stool | basket");
const SEASONS = wordList("winter | spring | summer | autumn");
const DRAFTS = wordList("draft | message | wording | reply");

const isAhead = (row: StoredFile) => dayIn(row) > dayFromStart(0);
const costTable = placeFile(" costs.csv", hasLines);

function draft(draw: DrawContext) {
  const name = `${draw.rng.pick(DRAFTS)} ${draw.rng.integer(2, 99)}.txt`;
  if (isTaken(draw, name)) return undefined;
  return writtenFile(draw, "/later", name, drawSentence(draw.rng, draw.split));
}

export const fileSources = sources("files", ({ source }) => ({
  "cost-cell": source.money("v", costTable, ({ value, words, code }, { rng }) => {
    const costs = columnOf(value, "what");
    const what = rng.pick(costs);
    return {
      value: centsIn(columnOf(value, "amount")[costs.indexOf(what)]!),
      words: `the amount of the ${what} in ${words}`,
      code: `Number(${inColumn("what", code, what)}.cells.amount)`,
    };
  }),
  "receipt-total": source.money("v", placeFile(" receipt.txt"), ({ value, words, code }) => ({
    value: totalIn(value),
    words: `the total in ${words}`,
    code: `Number(${textOf(code)}.match(/Total: ([\\d.]+)/)[1])`,
  })),
  /** A new table with other prices every time. */
  offer: source.money("v", (draw) => {
    const { rng } = draw;
    const name = `${rng.pick(SEASONS)} offers ${rng.integer(2, 99)}.csv`;
    if (isTaken(draw, name)) return undefined;
    const rows = rng
      .sample(OFFERS, rng.integer(4, 8))
      .map((item) => ({ item, cents: rng.integer(310, 9890) }));
    const { item: what, cents: value } = rng.pick(rows);
    const lines = rows.map(({ item, cents }) => `${item},${(cents / 100).toFixed(2)}`);
    const file = writtenFile(draw, "/house/prices", name, ["item,price", ...lines].join("\n"));
    return {
      value,
      words: `the price of the ${what} in ${file.words}`,
      code: `Number(${inColumn("item", file.code, what)}.cells.price)`,
      uses: [file],
    };
  }),
  "plan-day": source.day("v", placeFile(" plan.md", isAhead), ({ value, words, code }) => ({
    value: dayIn(value),
    words: `the day that ${words} names`,
    code: `${textOf(code)}.match(/Day: (\\S+)/)[1]`,
  })),
  draft: source.text("v", draft, ({ value, words, code }) => ({
    value,
    words: `the text of ${words}`,
    code: textOf(code),
  })),
}));

export const fileFacts = facts("files", ({ fact }) => ({
  used: fact(
    "number",
    (db) => db.where(files, { owner: null }).reduce((sum, { text }) => sum + text.length, 0),
    "apis.files.quota({}).used",
  )`the number of characters that my files take up (those in the trash included)
    | the storage that my files use, in characters | the used part of my file storage, in characters
    | the number of characters used by my own files, with those in the trash
    | the amount of file storage that I use, counted in characters`,
  trashed: fact(
    "number",
    (db) => db.where(files, { state: "trashed" }).length,
    "apis.files.quota({}).trashed",
  )`the number of files in my trash | the number of files that lie in the trash
    | the number of trashed files
    | the count of files in the trash | the number of files which I have put into the trash`,
  files: fact("number", (db) => db.all(files).filter(isOwn).length, "apis.files.quota({}).files")`
    the number of my own files | the number of files that I own (not counting the trash)
    | the count of my own files outside the trash | the number of files
    of my own, without those in the trash | the number of own files that are not in the trash`,
}));

const NAMES = wordList("ideas | summary | open questions | agenda | speech | packing | wishes");
const FOLDERS = wordList("summer | taxes | letters | music | recipes | school | insurance");
const BUNDLES = wordList("both | pack | for later | together");

const openTable = placeFile(" costs.csv", (row) => !row.locked && hasLines(row));

const firstOf = (db: Reader, file: number) => db.where(versions, { file, number: 1 })[0];
const changedFile = (draw: DrawContext) =>
  namedFile(draw, (row) => !row.locked && firstOf(draw.db, row.id) !== undefined);

export const fileDeeds = deeds(
  "files",
  ({ deed, deedWithOne, drawnDeed, drawnDeedWithValue, oneOf }) => ({
    create: drawnDeedWithValue("text", (text, { rng, db: now }) => {
      const folder = rng.pick(["/later", "/scans", "/house", "/plans"]);
      const name = `${rng.pick(NAMES)} ${rng.integer(2, 99)}.md`;
      const at = findFolder(now, folder)?.id;
      if (at === undefined || !freeName(now, at, name)) return undefined;
      const path = `${folder}/${name}`;
      return drawnDeed({
        apply: (db) => void addFile(db, folder, name, text.value),
        cells: [`apis.files.create({path:${jsLiteral(path)},text:${text.code}})`],
      })`Create the file ${path}; its text is ${text.words} | Write a new file ${path} with this text:
      ${text.words} | Make a file ${path} whose whole text is ${text.words}
      | I need a new file ${path} with nothing but ${text.words} in it
      | Save ${text.words} as the text of a new file ${path}`;
    }),
    "make-folder": ({ rng, db: now }) => {
      const name = rng.pick(FOLDERS);
      const above = rng.pick(["/later", "/house", "/scans"]);
      const parent = findFolder(now, above)?.id;
      if (parent === undefined || now.where(folders, { parent, name }).length > 0) return undefined;
      const path = `${above}/${name}`;
      return drawnDeed({
        apply: (db) => void db.insert(folders, { name, parent }),
        cells: [`apis.files.addFolder({path:${jsLiteral(path)}})`],
      })`Make a folder ${path} in the files app | Create the folder ${path} for my files
      | Add an empty folder ${path} to my files | I need a new folder ${path} in the files app
      | Let there be a folder ${path} among my files`;
    },
    "empty-trash": () =>
      drawnDeed({
        apply: (db) => {
          for (const { id } of db.where(files, { state: "trashed" })) db.remove(files, id);
        },
        cells: ["apis.files.emptyTrash({})"],
      })`Empty the trash of my files | Empty the trash in the files app | Delete everything in the
      trash of the files app for good | Clear the trash of the files app completely
      | Delete all trashed files in the files app for good`,
    revert: deedWithOne(changedFile, ({ value: { id }, code }, { db: now }) => {
      const { text } = firstOf(now, id)!;
      return {
        apply: (db) => void db.update(files, id, { text }),
        call: `apis.files.revert({id:${code},number:1})`,
      };
    })`Bring $ back to its first version | Give $ the text of its version 1 again
    | Revert $ to version 1
    | Go back to the first version of $ | Let $ have the text of its very first version again`,
    "correct-cost": {
      takes: "money",
      draw: (draw) => {
        const file = openTable(draw);
        if (!file) return undefined;
        const { id } = file.value;
        const costs = columnOf(file.value, "what");
        const at = draw.rng.integer(0, costs.length - 1);
        const amount = draw.value("money");
        const [what, cell] = [costs[at]!, (amount.value / 100).toFixed(2)];
        if (columnOf(file.value, "amount")[at] === cell) return undefined;
        const corrected = (line: string) => [...line.split(",").slice(0, 2), cell].join();
        return drawnDeed({
          apply: (db) => {
            const lines = db.get(files, id)!.text.split("\n");
            db.update(files, id, {
              text: lines.with(at + 1, corrected(lines[at + 1]!)).join("\n"),
            });
          },
          cells: [
            `var row=${inColumn("what", file.code, what)}.row;print(row)`,
            `apis.files.setCell({id:${file.code},row,column:"amount",value:Number(${amount.code}).toFixed(2)})`,
          ],
          uses: [file, amount],
        })`In ${file.words}, set the amount of the ${what} to ${amount.words}, with two decimals
        | Correct the amount of
        the ${what} in ${file.words}: it should be ${amount.words}, with two decimals | Change the
        amount in the row "${what}" of ${file.words} to ${amount.words} (two decimals) | The amount
        of the ${what} in ${file.words} is wrong; make it ${amount.words}, written with two decimals
        | Put ${amount.words}, with two decimals, as the amount of the ${what} into ${file.words}`;
      },
    },
    bundle: deed({ first: namedFile, second: namedFile, name: oneOf(BUNDLES) }, (drawn) => {
      const [first, second, path] = [drawn.first, drawn.second, `/later/${drawn.name.value}.zip`];
      const parts = [first.value, second.value];
      if (parts[0]!.name === parts[1]!.name) return undefined;
      return {
        apply: (db) => {
          const text = parts.map((part) => `${part.name} ${part.text.length}`).join("\n");
          const made = addFile(db, "/later", `${drawn.name.value}.zip`, text);
          for (const part of parts) {
            db.insert(bundledFiles, { bundle: made.id, name: part.name, text: part.text });
          }
        },
        call: `apis.files.bundle({path:${jsLiteral(path)},ids:[${first.code},${second.code}]})`,
      };
    })`Put $first and $second, in this order, together into a new bundle /later/$name.zip
    | Make a bundle /later/$name.zip of $first and $second, in this order
    | Bundle first $first and then $second as /later/$name.zip | Pack $first and then $second into a
    bundle /later/$name.zip | I need a bundle /later/$name.zip with first $first and then $second`,
  }),
);
