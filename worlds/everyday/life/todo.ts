/**
 * The owner's todos: what a happening asks for before it (book, buy, invite) and after it (settle, thank), around a
 * household's own. Lists of one part each are shared with people of that part, who are assigned some of their todos.
 */
import type { Rng, Writer } from "bowline/world";
import { type Person, type Todo, todoLists, todos } from "../apps/tables.ts";
import { nextDay } from "../apps/todo/repeating.ts";
import {
  comments,
  type Details,
  details,
  foreignLists,
  listShares,
  PRIORITIES,
  RHYTHMS,
  rounds,
  steps,
  timeEntries,
} from "../apps/todo/tables.ts";
import { PARTS, type Part } from "../population/names.ts";
import { dayAfter } from "../population/time.ts";
import { TODO_LISTS, TODOS } from "../population/topics.ts";
import type { Happening, Life } from "./life.ts";

const OUTINGS: { readonly [P in Part]: string } = {
  train: "outings",
  dev: "evenings out",
  "test-normal": "away days",
  "test-challenge": "city walks",
  circle: "close ones",
};

/** Lists of others: who sees them as what goes by turns. */
const THEIRS: { readonly [P in Part]: readonly string[] } = {
  train: ["bake sale", "street party"],
  dev: ["garden day"],
  "test-normal": ["quiz night"],
  "test-challenge": ["flea market"],
  circle: ["summer house"],
};

interface Plain {
  readonly title: string;
  readonly due: string | null;
  readonly done: boolean;
}

export function addTodos(db: Writer, rng: Rng, life: Life): void {
  const plain = addHousehold(db, rng.child("household"));
  const more = addBackground(db, rng.child("background"), life.density);
  db.insert(todoLists, { name: "some day" });
  const doers = new Map<number, readonly Person[]>();
  const outings = PARTS.flatMap((part) => {
    const list = db.insert(todoLists, { name: OUTINGS[part] }).id;
    doers.set(list, shareList(db, rng.child(part), list, life.everyone[part]));
    const own = life.happenings.filter((happening) => happening.part === part);
    return own.flatMap((one, i) => addOuting(db, rng.child(part).child(i), list, one));
  });
  for (const row of plain) {
    const minutes = row.due === null ? null : rng.integer(11, 99);
    db.insert(details, { todo: row.id, ...PLAIN, minutes });
  }
  for (const [i, row] of [...more, ...outings].entries()) {
    addDetails(db, rng.child("details").child(i), row, doers.get(row.list) ?? []);
  }
  addWaits(db, outings);
  for (const part of PARTS) addTheirs(db, rng.child("theirs").child(part), part, life);
}

const PLAIN = {
  priority: "normal",
  minutes: null,
  tags: [],
  every: null,
  assignee: null,
  waits: [],
} as const satisfies Omit<Details, "id" | "todo">;

// --- the household's own ---

/** The lists and todos of the small world: half done, one of each list due on a day of its own. */
function addHousehold(db: Writer, rng: Rng): Todo[] {
  return TODO_LISTS.flatMap((name, i) => {
    const list = db.insert(todoLists, { name }).id;
    return rng.shuffle<string>(TODOS[name]).map((title, j) => {
      const due = j === 0 ? dayAfter(1 + 3 * i) : null;
      return db.insert(todos, { title, list, due, done: j % 2 === 1 });
    });
  });
}

const CHORES = [
  [
    "errands",
    "renew the bus pass,return the drill,buy light bulbs,collect the shoes,post the forms",
  ],
  ["work", "send the agenda,book the room,file the receipts,check the numbers,plan the week"],
  [
    "house",
    "water the plants,defrost the freezer,air the cellar,sweep the stairs,clean the filter",
  ],
  ["weekend", "wash the car,trim the hedge,sort the photos,call the grandparents,mend the kite"],
  ["reading", "read the manual,listen to the lecture,review the poem,order the atlas"],
] as const;

const BILLS = "plumber,electrician,dentist,tailor,gardener,locksmith,painter,vet".split(",");

/** Chores, and bills whose amount stands in the title. */
function addBackground(db: Writer, rng: Rng, density: number): Todo[] {
  const listOf = (name: string) => db.where(todoLists, { name })[0]!.id;
  const chores = CHORES.flatMap(([list, titles]) =>
    titles.split(",").map((title) => ({ list: listOf(list), title })),
  );
  const bills = BILLS.map((who) => ({
    list: listOf("inbox"),
    title: `pay the ${who} $${(rng.integer(2500, 40_000) / 100).toFixed(2)}`,
  }));
  const all = rng.shuffle([...chores, ...bills]);
  return all.slice(0, Math.round(all.length * density)).map((row) => {
    const due = rng.chance(0.6) ? dayAfter(rng.integer(-12, 45)) : null;
    return db.insert(todos, { ...row, due, done: rng.chance(0.3) });
  });
}

// --- what happenings ask for ---

const BEFORE: { readonly [K in Happening["kind"]]: readonly string[] } = {
  dinner: ["book a table at the", "choose the wine for the"],
  trip: ["reserve the rooms at the", "rent a car for the", "print the map to the"],
  concert: ["buy the tickets for the", "find a seat plan of the"],
  birthday: ["wrap the gift for the", "order the cake for the"],
  match: ["buy the scarves for the", "look up trains to the"],
  workshop: ["sign up for the", "get the materials for the"],
  picnic: ["pack the basket for the", "pump up the tyres for the"],
};

/** Before it: due in the days before. After it: one todo a cost that another paid, mostly done. */
function addOuting(db: Writer, rng: Rng, list: number, happening: Happening): Todo[] {
  const { kind, place, day, costs } = happening;
  const ahead = day >= dayAfter(0);
  const before = ahead ? BEFORE[kind] : rng.sample(BEFORE[kind], 1);
  const made: Plain[] = before.map((what) => ({
    title: `${what} ${place}`,
    due: daysBefore(day, rng.integer(1, ahead ? 9 : 5)),
    done: !ahead || rng.chance(0.2),
  }));
  for (const { what, payer } of costs) {
    const settle = {
      title: `settle the ${what} of the ${place}`,
      due: daysBefore(day, -rng.integer(3, 20)),
    };
    if (payer !== null && rng.chance(0.6)) made.push({ ...settle, done: rng.chance(0.6) });
  }
  return made.map((row) => db.insert(todos, { ...row, list }));
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}

/** The list is shared with four; three of them may edit, and one has left. Returns the editors. */
function shareList(
  db: Writer,
  rng: Rng,
  list: number,
  people: readonly Person[],
): readonly Person[] {
  const chosen = rng.sample(people, 5);
  for (const [i, { id }] of chosen.entries()) {
    const role = i < 3 ? "editor" : "viewer";
    db.insert(listShares, { list, person: id, role, status: i === 4 ? "ended" : "active" });
  }
  return chosen.slice(0, 3);
}

// --- details ---

const TAGS = ["calls", "computer", "outside", "quick", "with others"] as const;

const REMARKS = [
  "I can do this.",
  "Ask for a receipt.",
  "Is this still needed?",
  "Half of it is done.",
];

const STEPS = "compare prices,ask around,fix a day,write it down,pay,tell everyone,tidy up".split(
  ",",
);

function addDetails(db: Writer, rng: Rng, row: Todo, doers: readonly Person[]): void {
  const estimated = row.due !== null || rng.chance(0.6);
  const minutes = estimated ? rng.integer(2, 72) * 5 + rng.pick([0, 1, 2, 3]) : null;
  const repeats = row.due !== null && !row.done && doers.length === 0 && rng.chance(0.35);
  const every = repeats ? rng.pick(RHYTHMS) : null;
  const assignee = doers.length > 0 && rng.chance(0.35) ? rng.pick(doers) : null;
  db.insert(details, {
    todo: row.id,
    priority: rng.pick([...PRIORITIES, "normal"] as const),
    minutes,
    tags: rng.chance(0.4) ? rng.sample(TAGS, rng.integer(1, 2)).sort() : [],
    every,
    assignee: assignee?.id ?? null,
    waits: [],
  });
  if (rng.chance(0.3)) {
    for (const title of rng.sample(STEPS, rng.integer(2, 4))) {
      db.insert(steps, { todo: row.id, title, done: row.done || rng.chance(0.4) });
    }
  }
  if (rng.chance(0.3)) {
    const person = assignee && rng.chance(0.7) ? assignee.id : null;
    const at = `${dayAfter(-rng.integer(1, 20))}T17:00:00Z`;
    db.insert(comments, { todo: row.id, person, text: rng.pick(REMARKS), at });
  }
  if (rng.chance(0.3)) {
    const [day, spent] = [dayAfter(-rng.integer(0, 20)), rng.integer(5, 180)];
    db.insert(timeEntries, { todo: row.id, minutes: spent, day });
  }
  if (every !== null && row.due !== null) addRounds(db, rng, row.id, row.due, every);
}

/** Earlier rounds, so that the last one led to the present due day. */
function addRounds(
  db: Writer,
  rng: Rng,
  todo: number,
  due: string,
  every: NonNullable<Details["every"]>,
): void {
  const back = { daily: 1, weekly: 7, monthly: 31 }[every];
  for (let round = rng.integer(1, 3); round > 0; round--) {
    const day = daysBefore(due, back * round);
    if (every !== "monthly" || nextDay(day, every) <= due) db.insert(rounds, { todo, day });
  }
}

/** The second todo of something that lies ahead waits for the first. */
function addWaits(db: Writer, outings: readonly Todo[]): void {
  for (const [i, row] of outings.entries()) {
    const before = outings[i - 1];
    if (!before || before.list !== row.list || before.done || row.done) continue;
    const [own] = db.where(details, { todo: row.id });
    const [other] = db.where(details, { todo: before.id });
    if (own && other && other.waits.length === 0 && i % 2 === 1) {
      db.update(details, own.id, { waits: [before.id] });
    }
  }
}

// --- lists of others ---

const JOBS =
  "bring the long table,print the signs,count the cash,ask for chairs,hang the lights,sort the cups,call the baker,borrow a tent".split(
    ",",
  );

function addTheirs(db: Writer, rng: Rng, part: Part, life: Life): void {
  for (const [i, name] of THEIRS[part].entries()) {
    const person = rng.pick(life.everyone[part]).id;
    const list = db.insert(todoLists, { name }).id;
    const viewer = (PARTS.indexOf(part) + i) % 2 === 0;
    db.insert(foreignLists, { list, person, role: viewer ? "viewer" : "editor" });
    for (const job of rng.sample(JOBS, rng.integer(3, 5))) {
      const due = dayAfter(rng.integer(2, 30));
      const row = db.insert(todos, {
        title: `${job} for the ${name}`,
        list,
        due,
        done: rng.chance(0.3),
      });
      db.insert(details, { todo: row.id, ...PLAIN, minutes: rng.integer(3, 30) * 5 });
    }
  }
}
