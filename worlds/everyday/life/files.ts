/**
 * The owner's files: what happened, as one keeps it on a disk.
 *
 * What a happening cost stands in a table and, where the owner paid, on a receipt too; what is planned stands in a plan;
 * who comes, in a guest list. Around them lie the files of a household: stock, meters, club members, letters.
 */
import type { Rng, Writer } from "bowline/world";
import {
  asks,
  bundled,
  fileShares,
  files,
  folders,
  type StoredFile,
  versions,
} from "../apps/files/tables.ts";
import { NEW_FILE } from "../apps/files/writing.ts";
import { groups, members, people } from "../apps/tables.ts";
import { dayAfter, NOW } from "../population/time.ts";
import { householdFiles } from "./household.ts";
import type { Happening, Life } from "./life.ts";

/** Writes files into folders that it makes when first used. */
class Disk {
  readonly db: Writer;
  readonly #folders = new Map<string, number>();

  constructor(db: Writer) {
    this.db = db;
  }

  folder(path: string): number | null {
    if (path === "") return null;
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    const cut = path.lastIndexOf("/");
    const parent = this.folder(path.slice(0, cut));
    const { id } = this.db.insert(folders, { name: path.slice(cut + 1), parent });
    this.#folders.set(path, id);
    return id;
  }

  write(path: string, text: string, day: string, patch: Partial<StoredFile> = {}): StoredFile {
    const cut = path.lastIndexOf("/");
    const [folder, name] = [this.folder(path.slice(0, cut)), path.slice(cut + 1)];
    return this.db.insert(files, { ...NEW_FILE, name, folder, text, at: instant(day), ...patch });
  }
}

/** In the evening of the day, and before the start. */
function instant(day: string): string {
  const evening = `${day}T20:15:00Z`;
  return evening < NOW ? evening : "2026-03-11T20:15:00Z";
}

export function addFiles(db: Writer, rng: Rng, life: Life): void {
  const disk = new Disk(db);
  for (const path of ["/later", "/scans/old"]) disk.folder(path);
  const traces = life.happenings.map((happening, i) => ({
    happening,
    own: tracesOf(disk, rng.child("happening").child(i), happening, life),
  }));
  for (const { path, text, day } of householdFiles(rng.child("household"), life.density)) {
    disk.write(path, text, day);
  }
  addClubs(disk, rng.child("clubs"));
  addMarks(db, rng.child("marks"));
  for (const [i, { happening, own }] of traces.entries()) {
    shareFiles(db, rng.child("shares").child(i), happening, own);
    if (i % 2 === 0) addFromOthers(disk, rng.child("others").child(i), happening, life);
  }
  addAsks(db);
  addBundles(
    disk,
    traces.filter(({ happening }) => happening.kind === "trip"),
  );
  addTrash(disk, rng.child("trash"), life);
}

// --- what happened ---

const money = (cents: number) => (cents / 100).toFixed(2);

function tracesOf(disk: Disk, rng: Rng, happening: Happening, life: Life): StoredFile[] {
  const { kind, day, place } = happening;
  const month = day.slice(0, 7);
  const made: StoredFile[] = [];
  const trip = kind === "trip";
  if (happening.costs.length > 0) {
    made.push(writeCosts(disk, rng, `/costs/${month}/${place} costs.csv`, happening, life));
  }
  for (const { what, cents, payer } of happening.costs) {
    const name = `${place} ${what} receipt.txt`;
    if (payer === null)
      disk.write(`/receipts/${month}/${name}`, receipt(rng, what, cents, happening, life), day);
  }
  if (trip || day >= dayAfter(0)) {
    const path = trip ? `/trips/${place}/${place} plan.md` : `/plans/${place} plan.md`;
    made.push(disk.write(path, plan(rng, happening, life), dayAfter(-rng.integer(1, 40))));
  }
  if (kind === "birthday" || kind === "dinner" || kind === "workshop") {
    const written = day < dayAfter(0) ? day : dayAfter(-rng.integer(1, 60));
    made.push(disk.write(`/guests/${place} guests.csv`, guestList(rng, happening), written));
  }
  return made;
}

/** An earlier version has one cost less, where there are several. */
function writeCosts(
  disk: Disk,
  rng: Rng,
  path: string,
  { day, costs }: Happening,
  { owner }: Life,
): StoredFile {
  const lines = costs.map(
    ({ what, cents, payer }) => `${what},${payer?.name ?? owner.name},${money(cents)}`,
  );
  const header = "what,paid by,amount";
  const file = disk.write(path, [header, ...lines].join("\n"), day);
  if (lines.length > 1 && rng.chance(0.5)) {
    const text = [header, ...lines.slice(0, -1)].join("\n");
    disk.db.insert(versions, { file: file.id, number: 1, text, at: `${day}T15:00:00Z` });
  }
  return file;
}

function receipt(
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
    `Total: ${money(cents)}`,
    `Number: ${rng.integer(10_000, 99_999)}`,
  ].join("\n");
}

const TO_BRING =
  "a torch, a blanket, the tickets, warm socks, sun cream, a map, cash, cards, rope, tea";

function plan(rng: Rng, happening: Happening, { owner }: Life): string {
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

function guestList(rng: Rng, { people }: Happening): string {
  const lines = people.map(({ name, city }) => {
    const coming = rng.pick(["yes", "yes", "yes", "no", "maybe"]);
    return `${name},${city},${coming},${coming === "no" ? 0 : rng.integer(1, 4)}`;
  });
  return ["name,city,coming,seats", ...lines].join("\n");
}

// --- clubs ---

/** A table of members for every group of contacts, with a yearly fee each. */
function addClubs(disk: Disk, rng: Rng): void {
  for (const group of disk.db.all(groups)) {
    const inside = disk.db.where(members, { group: group.id });
    const lines = inside.flatMap(({ person }) => {
      const row = disk.db.get(people, person);
      return row ? [`${row.name},${row.city},${money(rng.integer(40, 180) * 25)}`] : [];
    });
    const name = `${group.name} members.csv`;
    const text = ["name,city,fee", ...lines].join("\n");
    disk.write(`/clubs/${name}`, text, dayAfter(-rng.integer(20, 300)));
  }
}

// --- marks, shares, files of others ---

const TAGS = ["keep", "print", "tax", "to check"] as const;

function addMarks(db: Writer, rng: Rng): void {
  for (const { id } of db.all(files)) {
    const tags = rng.chance(0.3) ? rng.sample(TAGS, rng.integer(1, 2)).sort() : [];
    db.update(files, id, { favourite: rng.chance(0.08), locked: rng.chance(0.04), tags });
  }
}

/** Half of what a happening left is shared with some of those who were there. */
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

/** What others wrote about it, always the same three of a part: a shopping list with prices, or what was agreed. */
function addFromOthers(disk: Disk, rng: Rng, happening: Happening, { everyone }: Life): void {
  const { day, part, title, place } = happening;
  const whose = rng.pick(everyone[part].slice(0, 3));
  const role = rng.chance(0.45) ? "editor" : "viewer";
  const from = { owner: whose.id, role } as const;
  if (rng.chance(0.5)) {
    const lines = rng
      .sample(SHOPPING, rng.integer(3, 6))
      .map((item) => `${item},${rng.integer(1, 6)},${money(rng.integer(90, 2400))}`);
    const text = ["item,count,price", ...lines].join("\n");
    disk.write(`/${place} shopping.csv`, text, dayBefore(day), from);
  } else {
    const lines = rng.sample(AGREED, rng.integer(2, 4)).map((line) => `- ${line}`);
    const text = [`# ${title}`, `By ${whose.name}`, "", "Agreed:", ...lines].join("\n");
    disk.write(`/${place} agreed.md`, text, dayBefore(day), from);
  }
}

const dayBefore = (day: string) => (day < dayAfter(-1) ? day : dayAfter(-1));

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

/** The owner has asked to edit two of the files that are for viewing only, and thought better of one. */
function addAsks(db: Writer): void {
  const viewed = db.where(files, { role: "viewer" });
  for (const [i, { id }] of [viewed[1], viewed[4], viewed[7]]
    .flatMap((row) => row ?? [])
    .entries()) {
    db.insert(asks, { file: id, status: i === 1 ? "withdrawn" : "pending" });
  }
}

// --- bundles and trash ---

function addBundles(
  disk: Disk,
  trips: readonly { readonly happening: Happening; readonly own: readonly StoredFile[] }[],
): void {
  for (const { happening, own } of trips.slice(0, 5)) {
    const { place } = happening;
    const text = own.map((row) => `${row.name} ${row.text.length}`).join("\n");
    const bundle = disk.write(`/trips/${place}/${place}.zip`, text, dayBefore(happening.day));
    for (const { name, text } of own) disk.db.insert(bundled, { bundle: bundle.id, name, text });
  }
}

const DRAFTS = "speech,letter to the bank,poem,wish list,old address,song text,complaint".split(
  ",",
);

/** Drafts that were given up; some stand twice. */
function addTrash(disk: Disk, rng: Rng, { density }: Life): void {
  const trashed = { state: "trashed" } as const;
  for (let i = 0; i < Math.round(14 * density); i++) {
    const name = DRAFTS[i % DRAFTS.length]!;
    const path = `/drafts/${name.replaceAll(" ", "-")}-${1 + Math.floor(i / DRAFTS.length)}.txt`;
    const text = `A ${name} that was never finished.\nWords so far: ${rng.integer(20, 400)}`;
    disk.write(path, text, dayAfter(-rng.integer(5, 90)), trashed);
  }
  disk.write("/drafts/toast.txt", "Dear friends, thank you all for coming.", dayAfter(-12));
}
