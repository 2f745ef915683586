/**
 * Writes the owner's todos: what has to be done before a happening (book, buy, invite) and after it (settle, thank),
 * and todos of the household. Some lists are shared with people of one part of the population, who are assigned some of
 * the todos.
 */
import type { Rng, Writer } from "bowline/world";
import { type Person, type Todo, todoLists, todos } from "../apps/tables.ts";
import { nextDay } from "../apps/todo/repeating.ts";
import {
  comments,
  type Details,
  details,
  listShares,
  listsOfOthers,
  PRIORITIES,
  RHYTHMS,
  rounds,
  steps,
  timeEntries,
} from "../apps/todo/tables.ts";
import { TODO_LISTS, TODOS } from "../population/background-texts.ts";
import { PARTS, type Part } from "../population/name-pools.ts";
import { dayFromStart } from "../population/time.ts";
import type { Happening, Life } from "./life.ts";

const HAPPENING_LISTS: { readonly [P in Part]: string } = {
  train: "outings",
  dev: "evenings out",
  "test-normal": "away days",
  "test-challenge": "city walks",
  circle: "close ones",
};

/** The lists of other people. The owner may only view every second one. */
const LISTS_OF_OTHERS: { readonly [P in Part]: readonly string[] } = {
  train: ["bake sale", "street party"],
  dev: ["garden day"],
  "test-normal": ["quiz night"],
  "test-challenge": ["flea market"],
  circle: ["summer house"],
};

interface TodoDraft {
  readonly title: string;
  readonly due: string | null;
  readonly done: boolean;
}

export function addTodos(db: Writer, rng: Rng, life: Life): void {
  const householdTodos = addHousehold(db, rng.child("household"));
  const backgroundTodos = addBackground(db, rng.child("background"), life.density);
  db.insert(todoLists, { name: "some day" });
  const editorsByList = new Map<number, readonly Person[]>();
  const happeningTodos = PARTS.flatMap((part) => {
    const list = db.insert(todoLists, { name: HAPPENING_LISTS[part] }).id;
    editorsByList.set(list, shareList(db, rng.child(part), list, life.everyone[part]));
    const own = life.happenings.filter((happening) => happening.part === part);
    return own.flatMap((one, i) => addHappeningTodos(db, rng.child(part).child(i), list, one));
  });
  for (const row of householdTodos) {
    const minutes = row.due === null ? null : rng.integer(11, 99);
    db.insert(details, { todo: row.id, ...DEFAULT_DETAILS, minutes });
  }
  for (const [i, row] of [...backgroundTodos, ...happeningTodos].entries()) {
    addDetails(db, rng.child("details").child(i), row, editorsByList.get(row.list) ?? []);
  }
  addPrerequisites(db, happeningTodos);
  for (const part of PARTS) addListsOfOthers(db, rng.child("theirs").child(part), part, life);
}

const DEFAULT_DETAILS = {
  priority: "normal",
  minutes: null,
  tags: [],
  every: null,
  assignee: null,
  waits: [],
} as const satisfies Omit<Details, "id" | "todo">;

/**
 * Adds the lists and todos of the starter. Half of the todos are done, and one of each list is due on a day on which no
 * other is.
 */
function addHousehold(db: Writer, rng: Rng): Todo[] {
  return TODO_LISTS.flatMap((name, i) => {
    const list = db.insert(todoLists, { name }).id;
    return rng.shuffle<string>(TODOS[name]).map((title, j) => {
      const due = j === 0 ? dayFromStart(1 + 3 * i) : null;
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

/** Adds chores, and bills whose amount is in the title. */
function addBackground(db: Writer, rng: Rng, density: number): Todo[] {
  const listId = (name: string) => db.where(todoLists, { name })[0]!.id;
  const chores = CHORES.flatMap(([list, titles]) =>
    titles.split(",").map((title) => ({ list: listId(list), title })),
  );
  const bills = BILLS.map((who) => ({
    list: listId("inbox"),
    title: `pay the ${who} $${(rng.integer(2500, 40_000) / 100).toFixed(2)}`,
  }));
  const all = rng.shuffle([...chores, ...bills]);
  return all.slice(0, Math.round(all.length * density)).map((row) => {
    const due = rng.chance(0.6) ? dayFromStart(rng.integer(-12, 45)) : null;
    return db.insert(todos, { ...row, due, done: rng.chance(0.3) });
  });
}

const TODOS_BEFORE: { readonly [K in Happening["kind"]]: readonly string[] } = {
  dinner: ["book a table at the", "choose the wine for the"],
  trip: ["reserve the rooms at the", "rent a car for the", "print the map to the"],
  concert: ["buy the tickets for the", "find a seat plan of the"],
  birthday: ["wrap the gift for the", "order the cake for the"],
  match: ["buy the scarves for the", "look up trains to the"],
  workshop: ["sign up for the", "get the materials for the"],
  picnic: ["pack the basket for the", "pump up the tyres for the"],
};

/**
 * Adds the todos of a happening: some are due in the days before it, and for some costs that another person paid there
 * is one to settle it.
 */
function addHappeningTodos(db: Writer, rng: Rng, list: number, happening: Happening): Todo[] {
  const { kind, place, day, costs } = happening;
  const isAhead = day >= dayFromStart(0);
  const before = isAhead ? TODOS_BEFORE[kind] : rng.sample(TODOS_BEFORE[kind], 1);
  const drafts: TodoDraft[] = before.map((what) => ({
    title: `${what} ${place}`,
    due: daysBefore(day, rng.integer(1, isAhead ? 9 : 5)),
    done: !isAhead || rng.chance(0.2),
  }));
  for (const { what, payer } of costs) {
    const settleTodo = {
      title: `settle the ${what} of the ${place}`,
      due: daysBefore(day, -rng.integer(3, 20)),
    };
    if (payer !== null && rng.chance(0.6)) drafts.push({ ...settleTodo, done: rng.chance(0.6) });
  }
  return drafts.map((row) => db.insert(todos, { ...row, list }));
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * Shares the list with four people, three of whom may edit it. The share with a fifth person has ended. Returns the
 * editors.
 */
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

function addDetails(db: Writer, rng: Rng, row: Todo, editors: readonly Person[]): void {
  const hasEstimate = row.due !== null || rng.chance(0.6);
  const minutes = hasEstimate ? rng.integer(2, 72) * 5 + rng.pick([0, 1, 2, 3]) : null;
  const isRepeating = row.due !== null && !row.done && editors.length === 0 && rng.chance(0.35);
  const every = isRepeating ? rng.pick(RHYTHMS) : null;
  const assignee = editors.length > 0 && rng.chance(0.35) ? rng.pick(editors) : null;
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
    const at = `${dayFromStart(-rng.integer(1, 20))}T17:00:00Z`;
    db.insert(comments, { todo: row.id, person, text: rng.pick(REMARKS), at });
  }
  if (rng.chance(0.3)) {
    const [day, minutesSpent] = [dayFromStart(-rng.integer(0, 20)), rng.integer(5, 180)];
    db.insert(timeEntries, { todo: row.id, minutes: minutesSpent, day });
  }
  if (every !== null && row.due !== null) addRounds(db, rng, row.id, row.due, every);
}

/** Adds earlier rounds of a repeating todo. The last of them led to its present due day. */
function addRounds(
  db: Writer,
  rng: Rng,
  todo: number,
  due: string,
  every: NonNullable<Details["every"]>,
): void {
  const daysPerRound = { daily: 1, weekly: 7, monthly: 31 }[every];
  for (let round = rng.integer(1, 3); round > 0; round--) {
    const day = daysBefore(due, daysPerRound * round);
    if (every !== "monthly" || nextDay(day, every) <= due) db.insert(rounds, { todo, day });
  }
}

/** Lets the second todo of a future happening wait for the first one. */
function addPrerequisites(db: Writer, happeningTodos: readonly Todo[]): void {
  for (const [i, row] of happeningTodos.entries()) {
    const before = happeningTodos[i - 1];
    if (!before || before.list !== row.list || before.done || row.done) continue;
    const [own] = db.where(details, { todo: row.id });
    const [other] = db.where(details, { todo: before.id });
    if (own && other && other.waits.length === 0 && i % 2 === 1) {
      db.update(details, own.id, { waits: [before.id] });
    }
  }
}

const JOBS =
  "bring the long table,print the signs,count the cash,ask for chairs,hang the lights,sort the cups,call the baker,borrow a tent".split(
    ",",
  );

function addListsOfOthers(db: Writer, rng: Rng, part: Part, life: Life): void {
  for (const [i, name] of LISTS_OF_OTHERS[part].entries()) {
    const person = rng.pick(life.everyone[part]).id;
    const list = db.insert(todoLists, { name }).id;
    const isViewer = (PARTS.indexOf(part) + i) % 2 === 0;
    db.insert(listsOfOthers, { list, person, role: isViewer ? "viewer" : "editor" });
    for (const job of rng.sample(JOBS, rng.integer(3, 5))) {
      const due = dayFromStart(rng.integer(2, 30));
      const row = db.insert(todos, {
        title: `${job} for the ${name}`,
        list,
        due,
        done: rng.chance(0.3),
      });
      db.insert(details, { todo: row.id, ...DEFAULT_DETAILS, minutes: rng.integer(3, 30) * 5 });
    }
  }
}
