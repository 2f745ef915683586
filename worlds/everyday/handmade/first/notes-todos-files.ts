/** Notes, todos and files: small things that concern the owner alone. */
import { files, folders } from "../../apps/files/tables.ts";
import { items, traits } from "../../apps/notes/tables.ts";
import { notes, todoLists, todos } from "../../apps/tables.ts";
import { listsOfOthers, steps, details as todoDetails } from "../../apps/todo/tables.ts";
import { DONE, logIn, pages, quoted } from "../cells.ts";
import { Changes, sameMembers, sameWords, silent } from "../changes.ts";
import { dayWords, LAST_WEEK, openTodo, receivedText } from "../rows.ts";
import { type Draw, errand, type HandmadeScenario, turn } from "../scenario.ts";

/** Names of one row only. */
function unique<R>(rows: readonly R[], name: (row: R) => string): R[] {
  const names = rows.map((row) => name(row).toLowerCase());
  return rows.filter((_, i) => names.filter((other) => other.includes(names[i]!)).length === 1);
}

const ownLists = ({ base }: Draw) =>
  base.all(todoLists).filter(({ id }) => base.where(listsOfOthers, { list: id }).length === 0);

const pinAndTagNote = errand("pin-and-tag-note", 1, (draw) => {
  const { base } = draw;
  const plain = unique(base.all(notes), ({ title }) => title).filter(
    ({ id, pinned }) => !pinned && base.where(traits, { note: id })[0]?.state === "active",
  );
  const note = turn(draw, plain);
  const tag = turn(draw, ["this spring", "ask about", "for the house"]);
  return {
    instruction: `Pin my note "${note.title}" and tag it "${tag}".`,
    goal: (db) => void db.update(notes, note.id, { pinned: true, tag }),
    *solution() {
      yield `const { id } = apis.notes.search({ query: ${quoted(note.title)} }).items[0];`;
      yield `apis.notes.pin({ id });\napis.notes.tag({ id, tag: ${quoted(tag)} });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const changed = end.where(notes, { tag }).filter(({ pinned }) => pinned);
      return (
        silent(finish) &&
        new Changes(start, end).count === 1 &&
        sameMembers(changed, [{ ...note, pinned: true, tag }])
      );
    },
  };
});

const NEXT_STEPS = ["write down what is missing", "send the papers", "tell the others about it"];

const todoDoneAndNext = errand("todo-done-and-next", 1, (draw) => {
  const { base, rng } = draw;
  const own = ownLists(draw);
  const simple = unique(base.all(todos), ({ title }) => title).filter(({ id, done, list }) => {
    const [facts] = base.where(todoDetails, { todo: id });
    return !done && own.some((row) => row.id === list) && !facts?.every && !facts?.waits.length;
  });
  const todo = turn(draw, simple);
  const title = turn(draw, NEXT_STEPS);
  const due = `2026-03-${rng.integer(16, 29)}`;
  const list = base.get(todoLists, todo.list)!.name;
  return {
    instruction: `"${todo.title}" on my ${list} list is done, please tick it off. Then put "${title}" on the same list, due ${dayWords(due)}.`,
    goal(db) {
      db.update(todos, todo.id, { done: true });
      db.insert(todos, { title, list: todo.list, due, done: false });
    },
    *solution() {
      yield `const [todo] = apis.todo.search({ query: ${quoted(todo.title)} }).items;
apis.todo.complete({ id: todo.id });
apis.todo.add({ title: ${quoted(title)}, list: todo.list, due: "${due}" });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      if (!silent(finish) || seen.count !== 2 || !end.get(todos, todo.id)?.done) return false;
      const [fresh] = seen.added(todos);
      const right = fresh !== undefined && sameWords(fresh.title, title) && !fresh.done;
      return right && fresh.list === todo.list && fresh.due === due;
    },
  };
});

const fileAway = errand("file-away", 1, (draw) => {
  const { base } = draw;
  const movable = unique(base.where(files, { owner: null }), ({ name }) => name).filter(
    (row) => row.state === "live" && !row.locked && !row.favourite && row.folder !== null,
  );
  const file = turn(draw, movable);
  const top = base.where(folders, { parent: null }).filter(({ id }) => id !== file.folder);
  const folder = turn(draw, top);
  return {
    instruction: `Move the file "${file.name}" into the folder /${folder.name} and make it a favourite.`,
    goal: (db) => void db.update(files, file.id, { folder: folder.id, favourite: true }),
    *solution() {
      yield logIn("files");
      yield `const { id } = apis.files.search({ query: ${quoted(file.name)} }).items[0];
apis.files.move({ id, folder: ${quoted(`/${folder.name}`)} });
apis.files.favourite({ id });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const [change, ...more] = new Changes(start, end).changed(files);
      const alone = more.length === 0 && new Changes(start, end).onlyIn(files);
      if (!silent(finish) || !alone || change?.after.id !== file.id) return false;
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

const finishSteps = errand("finish-steps", 2, (draw) => {
  const project = turn(draw, PROJECTS);
  const list = turn(draw, ownLists(draw));
  const done = draw.rng.sample(project.parts, 1);
  return {
    instruction: `I have done everything for "${project.title}". Check off all of its steps that are still open, and then the todo itself.`,
    setup(db) {
      const other = openTodo(db, list.id, "get the small ladder back");
      db.insert(steps, { todo: other.id, title: project.parts[0]!, done: false });
      const { id } = openTodo(db, list.id, project.title);
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
      yield `const [todo] = apis.todo.search({ query: ${quoted(project.title)} }).items;
${pages("open", (page) => `apis.todo.steps({ id: todo.id, done: false, ${page} })`)}
print(open);`;
      yield `for (const step of open) apis.todo.checkStep({ step: step.id });
apis.todo.complete({ id: todo.id });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const finished = seen.changed(todos).map(({ after }) => [after.title, after.done]);
      const ticked = seen.changed(steps).map(({ after }) => [after.title, after.done]);
      const open = project.parts.filter((part) => !done.includes(part));
      const all = finished.length + ticked.length === seen.count;
      const stepsRight = sameMembers(
        ticked,
        open.map((part) => [part, true]),
      );
      return silent(finish) && all && stepsRight && sameMembers(finished, [[project.title, true]]);
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

const checklistFromText = errand("checklist-from-text", 2, (draw) => {
  const [a, b] = draw.people;
  const { title, have, need, old } = turn(draw, OUTINGS);
  return {
    instruction: `${a!.name} texted me what we still need. Add each of the things as an item to the checklist of my note "${title}".`,
    setup(db) {
      const note = db.insert(notes, { title, text: "Who brings what?", tag: null, pinned: false });
      for (const text of have) db.insert(items, { note: note.id, text, done: true });
      receivedText(db, a!, `Last time we forgot: ${old.join(", ")}.`, { at: LAST_WEEK });
      receivedText(db, a!, `We still need: ${need.join(", ")}.`);
      receivedText(db, b!, `We still need: ${old.join(", ")}.`);
    },
    goal(db) {
      const note = db.all(notes).find((row) => row.title === title)!;
      for (const text of need) db.insert(items, { note: note.id, text, done: false });
    },
    *solution() {
      yield `const from = apis.contacts.find({ name: ${quoted(a!.name)} })[0].handle;
${pages("received", (page) => `apis.messages.list({ from, ${page} })`)}
const { text } = received.find((item) => item.text.startsWith("We still need"));
print(text);`;
      yield `const [note] = apis.notes.search({ query: ${quoted(title)} }).items;
const things = text.replace("We still need: ", "").replace(/\\.$/, "").split(", ");
for (const thing of things) apis.notes.addItem({ id: note.id, text: thing });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const added = seen.added(items);
      const on = new Set(added.map(({ note }) => end.get(notes, note)?.title));
      const asked = need.every((thing) =>
        added.some(({ text, done }) => !done && sameWords(text, thing)),
      );
      const exact = added.length === need.length && seen.count === added.length;
      return silent(finish) && asked && exact && sameMembers([...on], [title]);
    },
  };
});

export const notesTodosFilesScenarios: readonly HandmadeScenario[] = [
  pinAndTagNote,
  todoDoneAndNext,
  fileAway,
  finishSteps,
  checklistFromText,
];
