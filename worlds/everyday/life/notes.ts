/**
 * The owner's notes: what a happening cost and who paid, the plan of one that lies ahead, what to pack, what to give.
 *
 * They say in prose what files say in tables, with the same amounts and days. Notes of old days are archived.
 */
import type { Rng, Writer } from "bowline/world";
import {
  borrowed,
  COLOURS,
  items,
  notebooks,
  noteVersions,
  shareRoles,
  type Traits,
  traits,
} from "../apps/notes/tables.ts";
import { type Note, notes, shares } from "../apps/tables.ts";
import { dayAfter } from "../population/time.ts";
import { NOTES } from "../population/topics.ts";
import type { Happening, Life } from "./life.ts";

const BOOKS = ["Trips", "Evenings", "Home", "Kitchen", "Money", "One day"] as const;
type Book = (typeof BOOKS)[number];

/** A note before it is written, with what is known about it. */
interface Draft {
  readonly title: string;
  readonly lines: readonly string[];
  readonly tag: string | null;
  readonly book: Book | null;
  readonly happening?: Happening;
  readonly todo?: readonly string[];
}

export function addNotes(db: Writer, rng: Rng, life: Life): void {
  const books = new Map(BOOKS.map((name) => [name, db.insert(notebooks, { name }).id]));
  const drafts = [
    ...life.happenings.flatMap((happening, i) => draftsOf(rng.child(i), happening, life)),
    ...household(rng.child("household"), life.density),
  ];
  const written = rng.shuffle(drafts).map((draft) => ({ draft, note: write(db, rng, draft) }));
  for (const [i, { draft, note }] of written.entries()) {
    const others = written.filter(
      (other) => other.draft.happening === draft.happening && other.note.id < note.id,
    );
    const links = draft.happening ? others.map((other) => other.note.id) : [];
    const own = rng.child("traits").child(i);
    const notebook = draft.book === null ? null : (books.get(draft.book) ?? null);
    db.insert(traits, { note: note.id, notebook, links, ...traitsOf(own, draft) });
    share(db, own, note, draft);
  }
  for (const [i, happening] of life.happenings.entries()) {
    if (i % 2 === 1) borrow(db, rng.child("others").child(i), happening, life);
  }
}

// --- what is noted ---

const money = (cents: number) => `$${(cents / 100).toFixed(2)}`;

function draftsOf(rng: Rng, happening: Happening, life: Life): Draft[] {
  const { kind, costs, day, place } = happening;
  const book: Book = kind === "trip" ? "Trips" : "Evenings";
  const about = { happening, book };
  const made: Draft[] = [];
  if (costs.length > 0) {
    made.push({
      ...about,
      title: `Costs of the ${place}`,
      lines: costLines(happening, life),
      tag: "costs",
    });
  }
  if (day >= dayAfter(0)) {
    made.push({
      ...about,
      title: `Plan for the ${place}`,
      lines: planLines(rng, happening),
      tag: "plans",
    });
  }
  if (kind === "trip") {
    const todo = rng.sample(THINGS, rng.integer(3, 7));
    const lines = [`For ${happening.nights} nights in ${happening.city}.`];
    made.push({ ...about, title: `Packing for the ${place}`, lines, tag: "checklist", todo });
  }
  if (kind === "birthday") {
    const lines = rng
      .sample(GIFTS, rng.integer(2, 4))
      .map((gift) => `${gift}: ${money(rng.integer(900, 9900))}`);
    made.push({ ...about, title: `Gifts for the ${place}`, lines, tag: "gifts" });
  }
  return made;
}

function costLines({ title, day, costs }: Happening, { owner }: Life): string[] {
  return [
    `${title} on ${day}.`,
    ...costs.map(
      ({ what, cents, payer }) => `${what}: ${money(cents)}, paid by ${(payer ?? owner).name}`,
    ),
  ];
}

function planLines(rng: Rng, { title, day, time, host, people }: Happening): string[] {
  const guests = people.map(({ name }) => name).join(", ");
  return [
    `${title}.`,
    `Day: ${day}`,
    `We meet at ${time}.`,
    `With ${guests}.`,
    ...(host ? [`${host.name} invited us.`] : []),
    `Budget: ${money(rng.integer(2000, 30_000))}`,
  ];
}

const THINGS =
  "charger,socks,papers,torch,swimsuit,rain coat,book,toothbrush,sun hat,first aid,snacks".split(
    ",",
  );
const GIFTS = "a lamp,a good knife,a scarf,a puzzle,a plant,a print,a teapot,a board game".split(
  ",",
);

/** The old notes of the small world, and prices to remember. */
function household(rng: Rng, density: number): Draft[] {
  const books: { readonly [tag: string]: Book } = {
    recipes: "Kitchen",
    home: "Home",
    money: "Money",
  };
  const old = NOTES.map(({ title, text, tag }) => ({
    title,
    lines: [text],
    tag,
    book: (tag === null ? undefined : books[tag]) ?? null,
  }));
  const prices = PRICED.slice(0, Math.round(PRICED.length * density)).map((what) => ({
    title: `Price of the ${what}`,
    lines: [`Asked twice.`, `The ${what} is ${money(rng.integer(1500, 48_000))} now.`],
    tag: rng.pick(["home", "ideas", null]),
    book: rng.pick(["Home", "Money", null] as const),
  }));
  const lists = SHOPPING.slice(0, Math.round(SHOPPING.length * density)).map(([title, things]) => ({
    title,
    lines: [`${things.split(",").length} things.`],
    tag: "checklist",
    book: "Kitchen" as const,
    todo: things.split(","),
  }));
  return [...old, ...prices, ...lists];
}

const PRICED =
  "new gate,bike repair,garden bench,piano tuning,rain barrel,roof check,window seat,loft ladder,oven,awning".split(
    ",",
  );

const SHOPPING = [
  ["Market on Saturday", "leeks,potatoes,eggs,butter,apples"],
  ["For the pantry", "rice,lentils,flour,oats"],
  ["Hardware shop", "screws,glue,tape,sandpaper,hooks,wire"],
  ["Pharmacy", "plasters,drops,ointment"],
  ["Paint shop", "primer,two brushes,white paint"],
  ["Big weekly shop", "bread,cheese,tomatoes,rice,tea,soap,yoghurt,onions"],
] as const;

// --- writing ---

/** Every sixth has been changed once before. */
function write(db: Writer, rng: Rng, { title, lines, tag, todo }: Draft): Note {
  const text = lines.join("\n");
  const note = db.insert(notes, { title, text, tag, pinned: rng.chance(0.08) });
  for (const item of todo ?? [])
    db.insert(items, { note: note.id, text: item, done: rng.chance(0.4) });
  if (rng.chance(1 / 6)) {
    const before = lines.length > 1 ? lines.slice(0, -1).join("\n") : "To be written.";
    const at = `${dayAfter(-rng.integer(1, 30))}T18:00:00Z`;
    db.insert(noteVersions, { note: note.id, title, text: before, at });
  }
  return note;
}

function traitsOf(
  rng: Rng,
  { happening, tag }: Draft,
): Pick<Traits, "colour" | "state" | "day" | "time"> {
  const colour = rng.chance(0.45) ? rng.pick(COLOURS.slice(1)) : "plain";
  const long = happening !== undefined && happening.day < dayAfter(-40);
  const state = long && rng.chance(0.5) ? "archived" : rng.chance(0.05) ? "trashed" : "active";
  if (happening !== undefined && tag === "plans" && rng.chance(0.6)) {
    return { colour, state, day: happening.day, time: rng.pick(["08:00", "09:30", "12:00"]) };
  }
  if (happening === undefined && rng.chance(0.25)) {
    return { colour, state, day: dayAfter(rng.integer(1, 40)), time: rng.pick(["09:00", "18:30"]) };
  }
  return { colour, state, day: null, time: null };
}

/** What is in the trash is shared with nobody. */
function share(db: Writer, rng: Rng, note: Note, { happening }: Draft): void {
  const trashed = db.where(traits, { note: note.id, state: "trashed" }).length > 0;
  if (happening === undefined || trashed || rng.chance(0.45)) return;
  for (const person of rng.sample(happening.people, rng.integer(1, 3))) {
    const row = db.insert(shares, { note: note.id, person: person.id });
    const role = rng.chance(0.1) ? "none" : rng.chance(0.4) ? "editor" : "viewer";
    db.insert(shareRoles, { share: row.id, role });
  }
}

const SAID = [
  "Nobody is late this time.",
  "We take the early train.",
  "Cash only at the door.",
  "The key is with the neighbour.",
  "Someone brings a cake.",
  "The parking is behind the hall.",
] as const;

/** What one of three people of the part wrote down and shared with the owner. */
function borrow(db: Writer, rng: Rng, happening: Happening, { everyone }: Life): void {
  const { place, part, day, time } = happening;
  const person = rng.pick(everyone[part].slice(0, 3)).id;
  const title = rng.pick([
    `Thoughts on the ${place}`,
    `About the ${place}`,
    `To remember: ${place}`,
  ]);
  const share = money(rng.integer(500, 9000));
  const lines = [...rng.sample(SAID, 2), `Day: ${day}, ${time}.`, `Everyone gives ${share}.`];
  const role = rng.chance(0.4) ? "editor" : "viewer";
  db.insert(borrowed, { person, title, text: lines.join("\n"), role, left: rng.chance(0.06) });
}
