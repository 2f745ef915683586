/** Finders of tasks in the todo app: by list, by topic and by the name of a person. */
import type { Reader, Writer } from "bowline/world";
import * as apps from "../../apps/index.ts";
import {
  type Finder,
  onlyIfCareful,
  type PlantRequest,
  searchQueryCode,
  storeAsX,
} from "../step-types.ts";
import { changeAdjective } from "../topics.ts";

export function findOrInsertList(db: Writer, name: string): number {
  const [known] = db.where(apps.todoLists, { name });
  return known?.id ?? db.insert(apps.todoLists, { name }).id;
}

function insertTodo({ db }: PlantRequest, title: string, list: string, done = false): void {
  db.insert(apps.todos, { title, list: findOrInsertList(db, list), due: null, done });
}

const todosOnList = (db: Reader, name: string) =>
  db.where(apps.todos, { list: db.where(apps.todoLists, { name })[0]!.id });

const todoByTitle = {
  kind: "todo",
  textFromTables: (db: Reader, id: number) => db.get(apps.todos, id)!.title.split(": ")[1]!,
  textCode: 'x.title.split(": ")[1]',
  answerPhrase: "what its title says after the colon",
  locate: (db: Reader, key: string) =>
    db.all(apps.todos).find(({ title }) => title.startsWith(`${key}: `))!.id,
} as const;

const todoByList = {
  kind: "todo",
  keyKind: "topic",
  keyName: "list",
  textFromTables: (db: Reader, id: number) => db.get(apps.todos, id)!.title,
  textCode: "x.title",
  answerPhrase: "its title",
} as const;

const todoAbout: Finder = {
  ...todoByTitle,
  name: "todo.about",
  keyKind: "topic",
  nouns: [
    (t) => `the task about ${t}`,
    (t) => `the task on ${t}`,
    (t) => `the task that is about ${t}`,
  ],
  plant: (planting) => {
    const { key, text, decoyText, rng } = planting;
    insertTodo(planting, `${changeAdjective(rng, key)}: ${decoyText}`, "inbox");
    insertTodo(planting, `${key}: ${text}`, "inbox");
  },
  cells: (style) => [storeAsX(`apis.todo.search({query:${searchQueryCode(style)}}).items[0]`)],
};

/** Finds a todo by the name of a person. The todo about a namesake is inserted first and is the decoy. */
const todoAboutPerson: Finder = {
  ...todoByTitle,
  name: "todo.with",
  keyKind: "name",
  nouns: [
    (who) => `the task about ${who}`,
    (who) => `the task that names ${who}`,
    (who) => `the task with the name of ${who}`,
  ],
  plant: (planting) => insertTodo(planting, `${planting.key}: ${planting.text}`, "inbox"),
  cells: (style) => [
    storeAsX(`apis.todo.search({query:t${style === "hasty" ? '.split(" ")[0]' : ""}}).items[0]`),
  ],
};

const openTodo: Finder = {
  ...todoByList,
  name: "todo.open",
  nouns: [
    (t) => `the open task on ${t}`,
    (t) => `the task not yet done on ${t}`,
    (t) => `the task still open on ${t}`,
  ],
  plant: (planting) => {
    insertTodo(planting, planting.decoyText, planting.key, true);
    insertTodo(planting, planting.text, planting.key);
  },
  locate: (db, key) => todosOnList(db, key).find((todo) => !todo.done)!.id,
  cells: (style) => [
    storeAsX(`apis.todo.list({list:t${onlyIfCareful(style, ",done:false")}}).items[0]`),
  ],
};

const newestTodo: Finder = {
  ...todoByList,
  name: "todo.last",
  nouns: [
    (t) => `the newest task on ${t}`,
    (t) => `the last task on ${t}`,
    (t) => `the task that I put last on ${t}`,
  ],
  plant: (planting) => {
    for (let more = planting.rng.integer(5, 8); more > 0; more--) {
      insertTodo(planting, planting.decoyText, planting.key);
    }
    insertTodo(planting, planting.text, planting.key);
  },
  locate: (db, key) => todosOnList(db, key).at(-1)!.id,
  cells: (style) => [
    storeAsX(`apis.todo.list({list:t${onlyIfCareful(style, ",size:20")}}).items.at(-1)`),
  ],
};

export const todoFinders: readonly Finder[] = [todoAbout, openTodo, newestTodo, todoAboutPerson];
