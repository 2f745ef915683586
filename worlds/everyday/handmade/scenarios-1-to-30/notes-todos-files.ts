/** Scenarios about the owner's notes, todos and files. */
import { files, folders } from "../../apps/files/tables.ts";
import { items, traits } from "../../apps/notes/tables.ts";
import { notes, todoLists, todos } from "../../apps/tables.ts";
import { listsOfOthers, steps, details as todoDetails } from "../../apps/todo/tables.ts";
import { dayAndMonth, insertOpenTodo, insertReceivedText, LAST_WEEK } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask, type TaskDraw } from "../scenario.ts";
import { FINISH_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { Changes, haveSameMembers, haveSameWords, isDone } from "../verdicts.ts";

/** Keeps the rows whose name is not part of another row's name. */
function keepUniqueNames<R>(rows: readonly R[], nameOf: (row: R) => string): R[] {
  const names = rows.map((row) => nameOf(row).toLowerCase());
  return rows.filter((_, i) => names.filter((other) => other.includes(names[i]!)).length === 1);
}

const ownTodoLists = ({ base }: TaskDraw) =>
  base.all(todoLists).filter(({ id }) => base.where(listsOfOthers, { list: id }).length === 0);

const pinAndTagNote = defineScenario("pin-and-tag-note", 1, (draw) => {
  const { base } = draw;
  const plain = keepUniqueNames(base.all(notes), ({ title }) => title).filter(
    ({ id, pinned }) => !pinned && base.where(traits, { note: id })[0]?.state === "active",
  );
  const note = pickForTask(draw, plain);
  const tag = pickForTask(draw, ["this spring", "ask about", "for the house"]);
  return {
    instruction: `Pin my note "${note.title}" and tag it "${tag}".`,
    goal: (db) => void db.update(notes, note.id, { pinned: true, tag }),
    *solution() {
      yield `const { id } = apis.notes.search({ query: ${quote(note.title)} }).items[0];`;
      yield `apis.notes.pin({ id });\napis.notes.tag({ id, tag: ${quote(tag)} });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changed = end.where(notes, { tag }).filter(({ pinned }) => pinned);
      return (
        isDone(finish) &&
        new Changes(start, end).rowCount === 1 &&
        haveSameMembers(changed, [{ ...note, pinned: true, tag }])
      );
    },
  };
});

const NEXT_STEPS = ["write down what is missing", "send the papers", "tell the others about it"];

const todoDoneAndNext = defineScenario("todo-done-and-next", 1, (draw) => {
  const { base, rng } = draw;
  const own = ownTodoLists(draw);
  const simple = keepUniqueNames(base.all(todos), ({ title }) => title).filter(
    ({ id, done, list }) => {
      const [facts] = base.where(todoDetails, { todo: id });
      return !done && own.some((row) => row.id === list) && !facts?.every && !facts?.waits.length;
    },
  );
  const todo = pickForTask(draw, simple);
  const title = pickForTask(draw, NEXT_STEPS);
  const due = `2026-03-${rng.integer(16, 29)}`;
  const list = base.get(todoLists, todo.list)!.name;
  return {
    instruction: `"${todo.title}" on my ${list} list is done, please tick it off. Then put "${title}" on the same list, due ${dayAndMonth(due)}.`,
    goal(db) {
      db.update(todos, todo.id, { done: true });
      db.insert(todos, { title, list: todo.list, due, done: false });
    },
    *solution() {
      yield `const [todo] = apis.todo.search({ query: ${quote(todo.title)} }).items;
apis.todo.complete({ id: todo.id });
apis.todo.add({ title: ${quote(title)}, list: todo.list, due: "${due}" });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      if (!isDone(finish) || changes.rowCount !== 2 || !end.get(todos, todo.id)?.done) return false;
      const [fresh] = changes.addedRows(todos);
      const right = fresh !== undefined && haveSameWords(fresh.title, title) && !fresh.done;
      return right && fresh.list === todo.list && fresh.due === due;
    },
  };
});

const moveFileAndMakeFavourite = defineScenario("file-away", 1, (draw) => {
  const { base } = draw;
  const movable = keepUniqueNames(base.where(files, { owner: null }), ({ name }) => name).filter(
    (row) => row.state === "live" && !row.locked && !row.favourite && row.folder !== null,
  );
  const file = pickForTask(draw, movable);
  const top = base.where(folders, { parent: null }).filter(({ id }) => id !== file.folder);
  const folder = pickForTask(draw, top);
  return {
    instruction: `Move the file "${file.name}" into the folder /${folder.name} and make it a favourite.`,
    goal: (db) => void db.update(files, file.id, { folder: folder.id, favourite: true }),
    *solution() {
      yield logInCell("files");
      yield `const { id } = apis.files.search({ query: ${quote(file.name)} }).items[0];
apis.files.move({ id, folder: ${quote(`/${folder.name}`)} });
apis.files.favourite({ id });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const [change, ...more] = new Changes(start, end).changedRows(files);
      const alone = more.length === 0 && new Changes(start, end).areOnlyIn(files);
      if (!isDone(finish) || !alone || change?.after.id !== file.id) return false;
      const { name, favourite } = change.after;
      const beside = end.where(files, { folder: folder.id }).map((row) => row.id);
      return (
        favourite && name === file.name && beside.includes(file.id) && change.columns.length === 2
      );
    },
  };
});

const PROJECTS = [
  {
    title: "get the bicycle through the winter",
    parts: ["oil the chain", "pump the tyres", "fix the lamp", "clean the frame"],
  },
  {
    title: "get the spare room ready",
    parts: ["move the boxes", "wash the curtains", "change the bulb", "make the bed"],
  },
  {
    title: "hand in the tax papers",
    parts: ["sort the receipts", "fill in the form", "copy everything", "post the letter"],
  },
];

const finishSteps = defineScenario("finish-steps", 2, (draw) => {
  const project = pickForTask(draw, PROJECTS);
  const list = pickForTask(draw, ownTodoLists(draw));
  const done = draw.rng.sample(project.parts, 1);
  return {
    instruction: `I have done everything for "${project.title}". Check off all of its steps that are still open, and then the todo itself.`,
    setup(db) {
      const other = insertOpenTodo(db, list.id, "get the small ladder back");
      db.insert(steps, { todo: other.id, title: project.parts[0]!, done: false });
      const { id } = insertOpenTodo(db, list.id, project.title);
      for (const title of project.parts)
        db.insert(steps, { todo: id, title, done: done.includes(title) });
    },
    goal(db) {
      const todo = db.all(todos).find(({ title }) => title === project.title)!;
      for (const step of db.where(steps, { todo: todo.id }))
        db.update(steps, step.id, { done: true });
      db.update(todos, todo.id, { done: true });
    },
    *solution() {
      yield `const [todo] = apis.todo.search({ query: ${quote(project.title)} }).items;
${readAllPagesCode("open", (page) => `apis.todo.steps({ id: todo.id, done: false, ${page} })`)}
print(open);`;
      yield `for (const step of open) apis.todo.checkStep({ step: step.id });
apis.todo.complete({ id: todo.id });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const finished = changes.changedRows(todos).map(({ after }) => [after.title, after.done]);
      const ticked = changes.changedRows(steps).map(({ after }) => [after.title, after.done]);
      const open = project.parts.filter((part) => !done.includes(part));
      const all = finished.length + ticked.length === changes.rowCount;
      const stepsRight = haveSameMembers(
        ticked,
        open.map((part) => [part, true]),
      );
      return (
        isDone(finish) && all && stepsRight && haveSameMembers(finished, [[project.title, true]])
      );
    },
  };
});

const OUTINGS = [
  {
    title: "Saturday by the lake",
    have: ["blankets", "a kettle"],
    need: ["lemons", "paper plates", "candles"],
    old: ["salt", "napkins"],
  },
  {
    title: "Flea market table",
    have: ["price tags", "a chair"],
    need: ["small change", "a table cloth", "string", "tape"],
    old: ["a tent", "hooks"],
  },
  {
    title: "Evening for the new neighbours",
    have: ["glasses"],
    need: ["olives", "bread", "a corkscrew"],
    old: ["ice", "straws"],
  },
];

const checklistFromText = defineScenario("checklist-from-text", 2, (draw) => {
  const [personA, personB] = draw.people;
  const { title, have, need, old } = pickForTask(draw, OUTINGS);
  return {
    instruction: `${personA!.name} texted me what we still need. Add each of the things as an item to the checklist of my note "${title}".`,
    setup(db) {
      const note = db.insert(notes, { title, text: "Who brings what?", tag: null, pinned: false });
      for (const text of have) db.insert(items, { note: note.id, text, done: true });
      insertReceivedText(db, personA!, `Last time we forgot: ${old.join(", ")}.`, {
        at: LAST_WEEK,
      });
      insertReceivedText(db, personA!, `We still need: ${need.join(", ")}.`);
      insertReceivedText(db, personB!, `We still need: ${old.join(", ")}.`);
    },
    goal(db) {
      const note = db.all(notes).find((row) => row.title === title)!;
      for (const text of need) db.insert(items, { note: note.id, text, done: false });
    },
    *solution() {
      yield `const from = apis.contacts.find({ name: ${quote(personA!.name)} }).items[0].handle;
${readAllPagesCode("received", (page) => `apis.messages.list({ from, ${page} })`)}
const { text } = received.find((item) => item.text.startsWith("We still need"));
print(text);`;
      yield `const [note] = apis.notes.search({ query: ${quote(title)} }).items;
const things = text.replace("We still need: ", "").replace(/\\.$/, "").split(", ");
for (const thing of things) apis.notes.addItem({ id: note.id, text: thing });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const added = changes.addedRows(items);
      const on = new Set(added.map(({ note }) => end.get(notes, note)?.title));
      const asked = need.every((thing) =>
        added.some(({ text, done }) => !done && haveSameWords(text, thing)),
      );
      const exact = added.length === need.length && changes.rowCount === added.length;
      return isDone(finish) && asked && exact && haveSameMembers([...on], [title]);
    },
  };
});

export const notesTodosFilesScenarios: readonly HandmadeScenario[] = [
  pinAndTagNote,
  todoDoneAndNext,
  moveFileAndMakeFavourite,
  finishSteps,
  checklistFromText,
];
