/**
 * Values that other parts can look up in files (amounts, days and sentences), facts about all files, and single tasks.
 */
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
  drawNamedFile,
  filesByName,
  insertFile,
  isNameFree,
  isOwnLiveFile,
  parseCents,
  readColumn,
  receiptTotalCents,
} from "./read-and-insert-files.ts";

/** Draws a file of the owner about an event at one of the split's places. No other file has its name. */
const drawPlaceFile =
  (ending: string, fits: (row: StoredFile) => boolean = () => true) =>
  (draw: DrawContext) => {
    const places = placesOfPart(draw.split);
    const isAboutPlace = ({ name }: StoredFile) =>
      name.endsWith(ending) && places.some((place) => name.startsWith(`${place} `));
    return drawNamedFile(draw, (row) => isAboutPlace(row) && fits(row));
  };

/** Makes a value for a file that is inserted for this task alone. */
const makeFileForTask = (draw: DrawContext, folder: string, name: string, text: string) =>
  filesByName.findByName(draw, name, text, (db) => void insertFile(db, folder, name, text));

const isNameTaken = ({ db }: DrawContext, name: string) =>
  db.all(files).some((row) => row.name === name);

const findRowCode = (column: string, id: string, value: string) =>
  `apis.files.readRows({id:${id},column:"${column}",value:${jsLiteral(value)}}).items[0]`;
const fileTextCode = (id: string) => `apis.files.read({id:${id}}).text`;

const dayInPlan = ({ text }: StoredFile) => /^Day: (.*)$/m.exec(text)?.[1] ?? "";
const hasSeveralLines = ({ text }: StoredFile) => text.includes("\n");

const OFFERED_ITEMS = wordList("lamp | tent | clock | kettle | blanket | ladder | stool | basket");
const SEASONS = wordList("winter | spring | summer | autumn");
const DRAFT_NAMES = wordList("draft | message | wording | reply");

const isDayAhead = (row: StoredFile) => dayInPlan(row) > dayFromStart(0);
const drawCostTable = drawPlaceFile(" costs.csv", hasSeveralLines);

function drawDraft(draw: DrawContext) {
  const name = `${draw.rng.pick(DRAFT_NAMES)} ${draw.rng.integer(2, 99)}.txt`;
  if (isNameTaken(draw, name)) return undefined;
  return makeFileForTask(draw, "/later", name, drawSentence(draw.rng, draw.split, "notes.add"));
}

export const fileSources = sources("files", ({ source }) => ({
  "cost-cell": source.money("v", drawCostTable, ({ value, words, code }, { rng }) => {
    const costs = readColumn(value, "what");
    const what = rng.pick(costs);
    return {
      value: parseCents(readColumn(value, "amount")[costs.indexOf(what)]!),
      words: `the amount of the ${what} in ${words}`,
      code: `Number(${findRowCode("what", code, what)}.cells.amount)`,
    };
  }),
  "receipt-total": source.money("v", drawPlaceFile(" receipt.txt"), ({ value, words, code }) => ({
    value: receiptTotalCents(value),
    words: `the total in ${words}`,
    code: `Number(${fileTextCode(code)}.match(/Total: ([\\d.]+)/)[1])`,
  })),
  /** Inserts a new table of prices for each task. */
  offer: source.money("v", (draw) => {
    const { rng } = draw;
    const name = `${rng.pick(SEASONS)} offers ${rng.integer(2, 99)}.csv`;
    if (isNameTaken(draw, name)) return undefined;
    const rows = rng
      .sample(OFFERED_ITEMS, rng.integer(4, 8))
      .map((item) => ({ item, cents: rng.integer(310, 9890) }));
    const { item: what, cents: value } = rng.pick(rows);
    const lines = rows.map(({ item, cents }) => `${item},${(cents / 100).toFixed(2)}`);
    const file = makeFileForTask(draw, "/house/prices", name, ["item,price", ...lines].join("\n"));
    return {
      value,
      words: `the price of the ${what} in ${file.words}`,
      code: `Number(${findRowCode("item", file.code, what)}.cells.price)`,
      uses: [file],
    };
  }),
  "plan-day": source.day("v", drawPlaceFile(" plan.md", isDayAhead), ({ value, words, code }) => ({
    value: dayInPlan(value),
    words: `the day that ${words} names`,
    code: `${fileTextCode(code)}.match(/Day: (\\S+)/)[1]`,
  })),
  draft: source.text("v", drawDraft, ({ value, words, code }) => ({
    value,
    words: `the text of ${words}`,
    code: fileTextCode(code),
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
  files: fact(
    "number",
    (db) => db.all(files).filter(isOwnLiveFile).length,
    "apis.files.quota({}).files",
  )`the number of my own files | the number of files that I own (not counting the trash)
    | the count of my own files outside the trash
    | the number of files of my own, without those in the trash
    | the number of own files that are not in the trash`,
}));

const FILE_NAMES = wordList(
  "ideas | summary | open questions | agenda | speech | packing | wishes",
);
const FOLDER_NAMES = wordList("summer | taxes | letters | music | recipes | school | insurance");
const BUNDLE_NAMES = wordList("both | pack | for later | together");

const drawUnlockedCostTable = drawPlaceFile(
  " costs.csv",
  (row) => !row.locked && hasSeveralLines(row),
);

const firstFileVersion = (db: Reader, file: number) => db.where(versions, { file, number: 1 })[0];
const drawChangedFile = (draw: DrawContext) =>
  drawNamedFile(draw, (row) => !row.locked && firstFileVersion(draw.db, row.id) !== undefined);

export const fileDeeds = deeds(
  "files",
  ({ deed, deedWithOne, drawnDeed, drawnDeedWithValue, oneOf }) => ({
    create: drawnDeedWithValue("text", (text, { rng, db: startState }) => {
      const folder = rng.pick(["/later", "/scans", "/house", "/plans"]);
      const name = `${rng.pick(FILE_NAMES)} ${rng.integer(2, 99)}.md`;
      const at = findFolder(startState, folder)?.id;
      if (at === undefined || !isNameFree(startState, at, name)) return undefined;
      const path = `${folder}/${name}`;
      return drawnDeed({
        apply: (db) => void insertFile(db, folder, name, text.value),
        cells: [`apis.files.create({path:${jsLiteral(path)},text:${text.code}})`],
      })`Create the file ${path}; its text is ${text.words}
      | Write a new file ${path} with this text: ${text.words}
      | Make a file ${path} whose whole text is ${text.words}
      | I need a new file ${path} with nothing but ${text.words} in it
      | Save ${text.words} as the text of a new file ${path}`;
    }),
    "make-folder": ({ rng, db: startState }) => {
      const name = rng.pick(FOLDER_NAMES);
      const above = rng.pick(["/later", "/house", "/scans"]);
      const parent = findFolder(startState, above)?.id;
      if (parent === undefined || startState.where(folders, { parent, name }).length > 0)
        return undefined;
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
    revert: deedWithOne(drawChangedFile, ({ value: { id }, code }, { db: startState }) => {
      const { text } = firstFileVersion(startState, id)!;
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
        const file = drawUnlockedCostTable(draw);
        if (!file) return undefined;
        const { id } = file.value;
        const costs = readColumn(file.value, "what");
        const at = draw.rng.integer(0, costs.length - 1);
        const amount = draw.value("money");
        const [what, cell] = [costs[at]!, (amount.value / 100).toFixed(2)];
        if (readColumn(file.value, "amount")[at] === cell) return undefined;
        const correctLine = (line: string) => [...line.split(",").slice(0, 2), cell].join();
        return drawnDeed({
          apply: (db) => {
            const lines = db.get(files, id)!.text.split("\n");
            db.update(files, id, {
              text: lines.with(at + 1, correctLine(lines[at + 1]!)).join("\n"),
            });
          },
          cells: [
            `var row=${findRowCode("what", file.code, what)}.row;print(row)`,
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
    bundle: deed(
      { first: drawNamedFile, second: drawNamedFile, name: oneOf(BUNDLE_NAMES) },
      (drawn) => {
        const [first, second, path] = [drawn.first, drawn.second, `/later/${drawn.name.value}.zip`];
        const parts = [first.value, second.value];
        if (parts[0]!.name === parts[1]!.name) return undefined;
        return {
          apply: (db) => {
            const text = parts.map((part) => `${part.name} ${part.text.length}`).join("\n");
            const made = insertFile(db, "/later", `${drawn.name.value}.zip`, text);
            for (const part of parts) {
              db.insert(bundledFiles, { bundle: made.id, name: part.name, text: part.text });
            }
          },
          call: `apis.files.bundle({path:${jsLiteral(path)},ids:[${first.code},${second.code}]})`,
        };
      },
    )`Put $first and $second, in this order, together into a new bundle /later/$name.zip
    | Make a bundle /later/$name.zip of $first and $second, in this order
    | Bundle first $first and then $second as /later/$name.zip | Pack $first and then $second into a
    bundle /later/$name.zip | I need a bundle /later/$name.zip with first $first and then $second`,
  }),
);
