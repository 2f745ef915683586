/**
 * Writes the owner's notes: costs of happenings and who paid them, plans of future happenings, packing lists, and ideas
 * for gifts.
 *
 * Notes say in sentences what files say in tables, with the same amounts and days. Some notes of old happenings are
 * archived.
 */
import type { Rng, Writer } from "bowline/world";
import {
  COLOURS,
  items,
  notebooks,
  notesOfOthers,
  noteVersions,
  shareRoles,
  type Traits,
  traits,
} from "../apps/notes/tables.ts";
import { type Note, notes, shares } from "../apps/tables.ts";
import { NOTES } from "../population/background-texts.ts";
import { dayFromStart } from "../population/time.ts";
import type { Happening, Life } from "./life.ts";

const NOTEBOOKS = ["Trips", "Evenings", "Home", "Kitchen", "Money", "One day"] as const;
type NotebookName = (typeof NOTEBOOKS)[number];

/** A note before it is inserted, with the happening and the costs that it is about. */
interface NoteDraft {
  readonly title: string;
  readonly lines: readonly string[];
  readonly tag: string | null;
  readonly book: NotebookName | null;
  readonly happening?: Happening;
  readonly todo?: readonly string[];
}

export function addNotes(db: Writer, rng: Rng, life: Life): void {
  const books = new Map(NOTEBOOKS.map((name) => [name, db.insert(notebooks, { name }).id]));
  const drafts = [
    ...life.happenings.flatMap((happening, i) =>
      draftHappeningNotes(rng.child(i), happening, life),
    ),
    ...draftHouseholdNotes(rng.child("household"), life.density),
  ];
  const written = rng.shuffle(drafts).map((draft) => ({ draft, note: insertNote(db, rng, draft) }));
  for (const [i, { draft, note }] of written.entries()) {
    const others = written.filter(
      (other) => other.draft.happening === draft.happening && other.note.id < note.id,
    );
    const links = draft.happening ? others.map((other) => other.note.id) : [];
    const own = rng.child("traits").child(i);
    const notebook = draft.book === null ? null : (books.get(draft.book) ?? null);
    db.insert(traits, { note: note.id, notebook, links, ...drawTraits(own, draft) });
    shareNote(db, own, note, draft);
  }
  for (const [i, happening] of life.happenings.entries()) {
    if (i % 2 === 1) addNoteOfOther(db, rng.child("others").child(i), happening, life);
  }
}

const formatMoney = (cents: number) => `$${(cents / 100).toFixed(2)}`;

function draftHappeningNotes(rng: Rng, happening: Happening, life: Life): NoteDraft[] {
  const { kind, costs, day, place } = happening;
  const book: NotebookName = kind === "trip" ? "Trips" : "Evenings";
  const about = { happening, book };
  const drafts: NoteDraft[] = [];
  if (costs.length > 0) {
    drafts.push({
      ...about,
      title: `Costs of the ${place}`,
      lines: makeCostLines(happening, life),
      tag: "costs",
    });
  }
  if (day >= dayFromStart(0)) {
    drafts.push({
      ...about,
      title: `Plan for the ${place}`,
      lines: makePlanLines(rng, happening),
      tag: "plans",
    });
  }
  if (kind === "trip") {
    const todo = rng.sample(THINGS, rng.integer(3, 7));
    const lines = [`For ${happening.nights} nights in ${happening.city}.`];
    drafts.push({ ...about, title: `Packing for the ${place}`, lines, tag: "checklist", todo });
  }
  if (kind === "birthday") {
    const lines = rng
      .sample(GIFTS, rng.integer(2, 4))
      .map((gift) => `${gift}: ${formatMoney(rng.integer(900, 9900))}`);
    drafts.push({ ...about, title: `Gifts for the ${place}`, lines, tag: "gifts" });
  }
  return drafts;
}

function makeCostLines({ title, day, costs }: Happening, { owner }: Life): string[] {
  return [
    `${title} on ${day}.`,
    ...costs.map(
      ({ what, cents, payer }) =>
        `${what}: ${formatMoney(cents)}, paid by ${(payer ?? owner).name}`,
    ),
  ];
}

function makePlanLines(rng: Rng, { title, day, time, host, people }: Happening): string[] {
  const guests = people.map(({ name }) => name).join(", ");
  return [
    `${title}.`,
    `Day: ${day}`,
    `We meet at ${time}.`,
    `With ${guests}.`,
    ...(host ? [`${host.name} invited us.`] : []),
    `Budget: ${formatMoney(rng.integer(2000, 30_000))}`,
  ];
}

const THINGS =
  "charger,socks,papers,torch,swimsuit,rain coat,book,toothbrush,sun hat,first aid,snacks".split(
    ",",
  );
const GIFTS = "a lamp,a good knife,a scarf,a puzzle,a plant,a print,a teapot,a board game".split(
  ",",
);

/** Makes the notes of the starter, prices to remember, and shopping lists. */
function draftHouseholdNotes(rng: Rng, density: number): NoteDraft[] {
  const books: { readonly [tag: string]: NotebookName } = {
    recipes: "Kitchen",
    home: "Home",
    money: "Money",
  };
  const starterNotes = NOTES.map(({ title, text, tag }) => ({
    title,
    lines: [text],
    tag,
    book: (tag === null ? undefined : books[tag]) ?? null,
  }));
  const prices = PRICED.slice(0, Math.round(PRICED.length * density)).map((what) => ({
    title: `Price of the ${what}`,
    lines: [`Asked twice.`, `The ${what} is ${formatMoney(rng.integer(1500, 48_000))} now.`],
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
  return [...starterNotes, ...prices, ...lists];
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

/** Inserts a note with its checklist. Every sixth note was changed once before. */
function insertNote(db: Writer, rng: Rng, { title, lines, tag, todo }: NoteDraft): Note {
  const text = lines.join("\n");
  const note = db.insert(notes, { title, text, tag, pinned: rng.chance(0.08) });
  for (const item of todo ?? [])
    db.insert(items, { note: note.id, text: item, done: rng.chance(0.4) });
  if (rng.chance(1 / 6)) {
    const before = lines.length > 1 ? lines.slice(0, -1).join("\n") : "To be written.";
    const at = `${dayFromStart(-rng.integer(1, 30))}T18:00:00Z`;
    db.insert(noteVersions, { note: note.id, title, text: before, at });
  }
  return note;
}

function drawTraits(
  rng: Rng,
  { happening, tag }: NoteDraft,
): Pick<Traits, "colour" | "state" | "day" | "time"> {
  const colour = rng.chance(0.45) ? rng.pick(COLOURS.slice(1)) : "plain";
  const isLongAgo = happening !== undefined && happening.day < dayFromStart(-40);
  const state = isLongAgo && rng.chance(0.5) ? "archived" : rng.chance(0.05) ? "trashed" : "active";
  if (happening !== undefined && tag === "plans" && rng.chance(0.6)) {
    return { colour, state, day: happening.day, time: rng.pick(["08:00", "09:30", "12:00"]) };
  }
  if (happening === undefined && rng.chance(0.25)) {
    return {
      colour,
      state,
      day: dayFromStart(rng.integer(1, 40)),
      time: rng.pick(["09:00", "18:30"]),
    };
  }
  return { colour, state, day: null, time: null };
}

/** Shares a note with some people of its happening. Notes in the trash are not shared. */
function shareNote(db: Writer, rng: Rng, note: Note, { happening }: NoteDraft): void {
  const trashed = db.where(traits, { note: note.id, state: "trashed" }).length > 0;
  if (happening === undefined || trashed || rng.chance(0.45)) return;
  for (const person of rng.sample(happening.people, rng.integer(1, 3))) {
    const row = db.insert(shares, { note: note.id, person: person.id });
    const role = rng.chance(0.1) ? "none" : rng.chance(0.4) ? "editor" : "viewer";
    db.insert(shareRoles, { share: row.id, role });
  }
}

const AGREEMENTS = [
  "Nobody is late this time.",
  "We take the early train.",
  "Cash only at the door.",
  "The key is with the neighbour.",
  "Someone brings a cake.",
  "The parking is behind the hall.",
] as const;

/**
 * Adds a note of another person that is shared with the owner. In each part of the population, the same three people
 * write all such notes.
 */
function addNoteOfOther(db: Writer, rng: Rng, happening: Happening, { everyone }: Life): void {
  const { place, part, day, time } = happening;
  const person = rng.pick(everyone[part].slice(0, 3)).id;
  const title = rng.pick([
    `Thoughts on the ${place}`,
    `About the ${place}`,
    `To remember: ${place}`,
  ]);
  const share = formatMoney(rng.integer(500, 9000));
  const lines = [...rng.sample(AGREEMENTS, 2), `Day: ${day}, ${time}.`, `Everyone gives ${share}.`];
  const role = rng.chance(0.4) ? "editor" : "viewer";
  db.insert(notesOfOthers, { person, title, text: lines.join("\n"), role, left: rng.chance(0.06) });
}
