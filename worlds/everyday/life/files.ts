/**
 * Writes the owner's files: documents about happenings, and files of a household.
 *
 * The costs of a happening are in a table and, when the owner paid, also on a receipt. Plans of what lies ahead are
 * documents, and guests are in a guest list. The other files are those of a household: stock, meters, members of clubs,
 * letters.
 */
import type { Rng, Writer } from "bowline/world";
import {
  bundledFiles,
  editRequests,
  fileShares,
  files,
  folders,
  type StoredFile,
  versions,
} from "../apps/files/tables.ts";
import { NEW_FILE } from "../apps/files/writing.ts";
import { groups, members, people } from "../apps/tables.ts";
import { dayFromStart, NOW } from "../population/time.ts";
import { makeHouseholdFiles } from "./household-files.ts";
import type { Happening, Life } from "./life.ts";

/** Writes files into folders. A folder is made when it is first used. */
class Disk {
  readonly db: Writer;
  readonly #folders = new Map<string, number>();

  constructor(db: Writer) {
    this.db = db;
  }

  folderId(path: string): number | null {
    if (path === "") return null;
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf("/");
    const parent = this.folderId(path.slice(0, slash));
    const { id } = this.db.insert(folders, { name: path.slice(slash + 1), parent });
    this.#folders.set(path, id);
    return id;
  }

  writeFile(path: string, text: string, day: string, patch: Partial<StoredFile> = {}): StoredFile {
    const slash = path.lastIndexOf("/");
    const [folder, name] = [this.folderId(path.slice(0, slash)), path.slice(slash + 1)];
    return this.db.insert(files, { ...NEW_FILE, name, folder, text, at: eveningOf(day), ...patch });
  }
}

/** Returns an instant in the evening of the day, which is never after the start of the episode. */
function eveningOf(day: string): string {
  const evening = `${day}T20:15:00Z`;
  return evening < NOW ? evening : "2026-03-11T20:15:00Z";
}

export function addFiles(db: Writer, rng: Rng, life: Life): void {
  const disk = new Disk(db);
  for (const path of ["/later", "/scans/old"]) disk.folderId(path);
  const traces = life.happenings.map((happening, i) => ({
    happening,
    own: writeHappeningFiles(disk, rng.child("happening").child(i), happening, life),
  }));
  for (const { path, text, day } of makeHouseholdFiles(rng.child("household"), life.density)) {
    disk.writeFile(path, text, day);
  }
  addClubs(disk, rng.child("clubs"));
  addFlagsAndTags(db, rng.child("marks"));
  for (const [i, { happening, own }] of traces.entries()) {
    shareFiles(db, rng.child("shares").child(i), happening, own);
    if (i % 2 === 0) addSharedFile(disk, rng.child("others").child(i), happening, life);
  }
  addEditRequests(db);
  addBundles(
    disk,
    traces.filter(({ happening }) => happening.kind === "trip"),
  );
  addTrash(disk, rng.child("trash"), life);
}

const formatMoney = (cents: number) => (cents / 100).toFixed(2);

function writeHappeningFiles(disk: Disk, rng: Rng, happening: Happening, life: Life): StoredFile[] {
  const { kind, day, place } = happening;
  const month = day.slice(0, 7);
  const storedFiles: StoredFile[] = [];
  const trip = kind === "trip";
  if (happening.costs.length > 0) {
    storedFiles.push(writeCosts(disk, rng, `/costs/${month}/${place} costs.csv`, happening, life));
  }
  for (const { what, cents, payer } of happening.costs) {
    const name = `${place} ${what} receipt.txt`;
    if (payer === null)
      disk.writeFile(
        `/receipts/${month}/${name}`,
        makeReceipt(rng, what, cents, happening, life),
        day,
      );
  }
  if (trip || day >= dayFromStart(0)) {
    const path = trip ? `/trips/${place}/${place} plan.md` : `/plans/${place} plan.md`;
    storedFiles.push(
      disk.writeFile(path, makePlan(rng, happening, life), dayFromStart(-rng.integer(1, 40))),
    );
  }
  if (kind === "birthday" || kind === "dinner" || kind === "workshop") {
    const written = day < dayFromStart(0) ? day : dayFromStart(-rng.integer(1, 60));
    storedFiles.push(
      disk.writeFile(`/guests/${place} guests.csv`, makeGuestList(rng, happening), written),
    );
  }
  return storedFiles;
}

/** Writes the table of costs. In some cases it also adds an earlier version of the table with one cost fewer. */
function writeCosts(
  disk: Disk,
  rng: Rng,
  path: string,
  { day, costs }: Happening,
  { owner }: Life,
): StoredFile {
  const lines = costs.map(
    ({ what, cents, payer }) => `${what},${payer?.name ?? owner.name},${formatMoney(cents)}`,
  );
  const header = "what,paid by,amount";
  const file = disk.writeFile(path, [header, ...lines].join("\n"), day);
  if (lines.length > 1 && rng.chance(0.5)) {
    const text = [header, ...lines.slice(0, -1)].join("\n");
    disk.db.insert(versions, { file: file.id, number: 1, text, at: `${day}T15:00:00Z` });
  }
  return file;
}

function makeReceipt(
  rng: Rng,
  what: string,
  cents: number,
  { place, city, day }: Happening,
  { owner }: Life,
): string {
  return [
    "RECEIPT",
    `${place}, ${city}`,
    `Day: ${day}`,
    `For: ${what}`,
    `Paid by: ${owner.name}`,
    `Total: ${formatMoney(cents)}`,
    `Number: ${rng.integer(10_000, 99_999)}`,
  ].join("\n");
}

const TO_BRING =
  "a torch, a blanket, the tickets, warm socks, sun cream, a map, cash, cards, rope, tea";

function makePlan(rng: Rng, happening: Happening, { owner }: Life): string {
  const { title, place, city, day, time, host, people, nights } = happening;
  return [
    `# ${title}`,
    `Where: ${place}, ${city}`,
    `Day: ${day}`,
    `Time: ${time}`,
    ...(nights > 0 ? [`Nights: ${nights}`] : []),
    `Host: ${(host ?? owner).name}`,
    `With: ${people.map(({ name }) => name).join(", ")}`,
    "",
    "To bring:",
    ...rng.sample(TO_BRING.split(", "), rng.integer(2, 5)).map((thing) => `- ${thing}`),
  ].join("\n");
}

function makeGuestList(rng: Rng, { people }: Happening): string {
  const lines = people.map(({ name, city }) => {
    const coming = rng.pick(["yes", "yes", "yes", "no", "maybe"]);
    return `${name},${city},${coming},${coming === "no" ? 0 : rng.integer(1, 4)}`;
  });
  return ["name,city,coming,seats", ...lines].join("\n");
}

/** Writes a table of members for each group of contacts, with a yearly fee for each member. */
function addClubs(disk: Disk, rng: Rng): void {
  for (const group of disk.db.all(groups)) {
    const groupMembers = disk.db.where(members, { group: group.id });
    const lines = groupMembers.flatMap(({ person }) => {
      const row = disk.db.get(people, person);
      return row ? [`${row.name},${row.city},${formatMoney(rng.integer(40, 180) * 25)}`] : [];
    });
    const name = `${group.name} members.csv`;
    const text = ["name,city,fee", ...lines].join("\n");
    disk.writeFile(`/clubs/${name}`, text, dayFromStart(-rng.integer(20, 300)));
  }
}

const TAGS = ["keep", "print", "tax", "to check"] as const;

function addFlagsAndTags(db: Writer, rng: Rng): void {
  for (const { id } of db.all(files)) {
    const tags = rng.chance(0.3) ? rng.sample(TAGS, rng.integer(1, 2)).sort() : [];
    db.update(files, id, { favourite: rng.chance(0.08), locked: rng.chance(0.04), tags });
  }
}

/** Shares about half of the files of a happening with some of the people who were there. */
function shareFiles(db: Writer, rng: Rng, { people }: Happening, own: readonly StoredFile[]): void {
  for (const { id } of own) {
    if (rng.chance(0.5)) continue;
    for (const person of rng.sample(people, rng.integer(1, 3))) {
      const role = rng.chance(0.4) ? "editor" : "viewer";
      const status = rng.chance(0.1) ? "ended" : "active";
      db.insert(fileShares, { file: id, person: person.id, role, status });
    }
  }
}

/**
 * Adds a file that another person wrote about a happening and shares with the owner: a shopping list with prices, or a
 * summary of what was agreed. In each part of the population, the same three people write all such files.
 */
function addSharedFile(disk: Disk, rng: Rng, happening: Happening, { everyone }: Life): void {
  const { day, part, title, place } = happening;
  const author = rng.pick(everyone[part].slice(0, 3));
  const role = rng.chance(0.45) ? "editor" : "viewer";
  const sharedBy = { owner: author.id, role } as const;
  if (rng.chance(0.5)) {
    const lines = rng
      .sample(SHOPPING, rng.integer(3, 6))
      .map((item) => `${item},${rng.integer(1, 6)},${formatMoney(rng.integer(90, 2400))}`);
    const text = ["item,count,price", ...lines].join("\n");
    disk.writeFile(`/${place} shopping.csv`, text, dayOrYesterday(day), sharedBy);
  } else {
    const lines = rng.sample(AGREED, rng.integer(2, 4)).map((line) => `- ${line}`);
    const text = [`# ${title}`, `By ${author.name}`, "", "Agreed:", ...lines].join("\n");
    disk.writeFile(`/${place} agreed.md`, text, dayOrYesterday(day), sharedBy);
  }
}

const dayOrYesterday = (day: string) => (day < dayFromStart(-1) ? day : dayFromStart(-1));

const SHOPPING = "bread,cheese,olives,apples,paper cups,candles,charcoal,lemons,rice,coffee".split(
  ",",
);
const AGREED = [
  "everyone pays for their own drinks",
  "we meet at the station",
  "no dogs this time",
  "the big car takes the bags",
  "we split what is left over",
  "whoever is late brings dessert",
] as const;

/** Adds three requests of the owner to edit files that the owner may only view. The third request was withdrawn. */
function addEditRequests(db: Writer): void {
  const viewed = db.where(files, { role: "viewer" });
  for (const [i, { id }] of [viewed[1], viewed[4], viewed[7]]
    .flatMap((row) => row ?? [])
    .entries()) {
    db.insert(editRequests, { file: id, status: i === 1 ? "withdrawn" : "pending" });
  }
}

function addBundles(
  disk: Disk,
  trips: readonly { readonly happening: Happening; readonly own: readonly StoredFile[] }[],
): void {
  for (const { happening, own } of trips.slice(0, 5)) {
    const { place } = happening;
    const text = own.map((row) => `${row.name} ${row.text.length}`).join("\n");
    const bundle = disk.writeFile(
      `/trips/${place}/${place}.zip`,
      text,
      dayOrYesterday(happening.day),
    );
    for (const { name, text } of own)
      disk.db.insert(bundledFiles, { bundle: bundle.id, name, text });
  }
}

const DRAFT_NAMES =
  "speech,letter to the bank,poem,wish list,old address,song text,complaint".split(",");

/** Adds abandoned drafts, all of which are in the trash except one. */
function addTrash(disk: Disk, rng: Rng, { density }: Life): void {
  const trashed = { state: "trashed" } as const;
  for (let i = 0; i < Math.round(14 * density); i++) {
    const name = DRAFT_NAMES[i % DRAFT_NAMES.length]!;
    const path = `/drafts/${name.replaceAll(" ", "-")}-${1 + Math.floor(i / DRAFT_NAMES.length)}.txt`;
    const text = `A ${name} that was never finished.\nWords so far: ${rng.integer(20, 400)}`;
    disk.writeFile(path, text, dayFromStart(-rng.integer(5, 90)), trashed);
  }
  disk.writeFile("/drafts/toast.txt", "Dear friends, thank you all for coming.", dayFromStart(-12));
}
