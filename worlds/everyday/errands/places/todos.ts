/** How tasks of the todo app are found: by list, by topic, by the name of a person. */
import type { Reader, Writer } from "bowline/world";
import * as apps from "../../apps/index.ts";
import { type Finder, found, type Planting, query, unless } from "../parts.ts";
import { nearTopic } from "../words.ts";

export function listNamed(db: Writer, name: string): number {
  const [known] = db.where(apps.todoLists, { name });
  return known?.id ?? db.insert(apps.todoLists, { name }).id;
}

function plan({ db }: Planting, title: string, list: string, done = false): void {
  db.insert(apps.todos, { title, list: listNamed(db, list), due: null, done });
}

const onList = (db: Reader, name: string) =>
  db.where(apps.todos, { list: db.where(apps.todoLists, { name })[0]!.id });

const byTitle = {
  kind: "todo",
  carried: (db: Reader, id: number) => db.get(apps.todos, id)!.title.split(": ")[1]!,
  read: 'x.title.split(": ")[1]',
  asks: "what its title says after the colon",
  locate: (db: Reader, key: string) =>
    db.all(apps.todos).find(({ title }) => title.startsWith(`${key}: `))!.id,
} as const;

const byList = {
  kind: "todo",
  takes: "topic",
  role: "list",
  carried: (db: Reader, id: number) => db.get(apps.todos, id)!.title,
  read: "x.title",
  asks: "its title",
} as const;

const about: Finder = {
  ...byTitle,
  name: "todo.about",
  takes: "topic",
  nouns: [
    (t) => `the task about ${t}`,
    (t) => `the task on ${t}`,
    (t) => `the task that is about ${t}`,
  ],
  plant: (planting) => {
    const { key, says, decoy, rng } = planting;
    plan(planting, `${nearTopic(rng, key)}: ${decoy}`, "inbox");
    plan(planting, `${key}: ${says}`, "inbox");
  },
  cells: (style) => [found(`apis.todo.search({query:${query(style)}}).items[0]`)],
};

/** The namesake's task, which is planted first, is the decoy. */
const withPerson: Finder = {
  ...byTitle,
  name: "todo.with",
  takes: "name",
  nouns: [
    (who) => `the task about ${who}`,
    (who) => `the task that names ${who}`,
    (who) => `the task with the name of ${who}`,
  ],
  plant: (planting) => plan(planting, `${planting.key}: ${planting.says}`, "inbox"),
  cells: (style) => [
    found(`apis.todo.search({query:t${style === "hasty" ? '.split(" ")[0]' : ""}}).items[0]`),
  ],
};

const open: Finder = {
  ...byList,
  name: "todo.open",
  nouns: [
    (t) => `the open task on ${t}`,
    (t) => `the task not yet done on ${t}`,
    (t) => `the task still open on ${t}`,
  ],
  plant: (planting) => {
    plan(planting, planting.decoy, planting.key, true);
    plan(planting, planting.says, planting.key);
  },
  locate: (db, key) => onList(db, key).find((todo) => !todo.done)!.id,
  cells: (style) => [found(`apis.todo.list({list:t${unless(style, ",done:false")}}).items[0]`)],
};

const last: Finder = {
  ...byList,
  name: "todo.last",
  nouns: [
    (t) => `the newest task on ${t}`,
    (t) => `the last task on ${t}`,
    (t) => `the task that I put last on ${t}`,
  ],
  plant: (planting) => {
    for (let more = planting.rng.integer(5, 8); more > 0; more--) {
      plan(planting, planting.decoy, planting.key);
    }
    plan(planting, planting.says, planting.key);
  },
  locate: (db, key) => onList(db, key).at(-1)!.id,
  cells: (style) => [found(`apis.todo.list({list:t${unless(style, ",size:20")}}).items.at(-1)`)],
};

export const todoFinders: readonly Finder[] = [about, open, last, withPerson];
