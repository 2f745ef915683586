/** Scenarios about shared files and shared todo lists. */
import { fileShares, files } from "../../apps/files/tables.ts";
import { type Person, people, todoLists, todos } from "../../apps/tables.ts";
import { listShares, listsOfOthers, details as todoDetails } from "../../apps/todo/tables.ts";
import { placesOfPart } from "../../life/life.ts";
import { insertOpenTodo } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask } from "../scenario.ts";
import { FINISH_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { Changes, haveSameMembers, isDone } from "../verdicts.ts";

const sharePlan = defineScenario("share-plan", 3, (draw) => {
  const { base } = draw;
  const findPeopleByName = (name: string) => base.where(people, { name, blocked: false });
  const plans = placesOfPart("test-normal").flatMap((place) => {
    const [file, ...more] = base
      .where(files, { owner: null, state: "live" })
      .filter(({ name }) => name === `${place} plan.md`);
    const names = file?.text.match(/^With: (.+)$/m)?.[1]?.split(", ") ?? [];
    const named = names.flatMap(findPeopleByName);
    return file && more.length === 0 && named.length === names.length && named.length > 2
      ? [{ file, named }]
      : [];
  });
  const { file, named } = pickForTask(draw, plans);
  const [first, second] = named;
  const fileAndPerson = (person: Person) => ({ file: file.id, person: person.id });
  return {
    instruction: `Share my file "${file.name}" with everyone who is named in it after "With" and cannot see it yet. Reading is enough.`,
    setup(db) {
      for (const { id } of db.where(fileShares, { file: file.id })) db.remove(fileShares, id);
      db.insert(fileShares, { ...fileAndPerson(first!), role: "editor", status: "active" });
      db.insert(fileShares, { ...fileAndPerson(second!), role: "editor", status: "ended" });
    },
    goal(db) {
      const [old] = db.where(fileShares, fileAndPerson(second!));
      db.update(fileShares, old!.id, { role: "viewer", status: "active" });
      for (const person of named.slice(2))
        db.insert(fileShares, { ...fileAndPerson(person), role: "viewer", status: "active" });
    },
    *solution() {
      yield logInCell("files");
      yield `const [file] = apis.files.search({ query: ${quote(file.name)} }).items;
const names = apis.files.read({ id: file.id }).text.match(/With: (.+)/)[1].split(", ");
${readAllPagesCode("shared", (page) => `apis.files.shares({ id: file.id, ${page} })`)}
print(names, shared);`;
      yield `for (const name of names) {
  const { handle } = apis.contacts.find({ name }).items[0];
  if (!shared.some((one) => one.person === handle)) apis.files.share({ id: file.id, person: handle });
}\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const reading = end.where(fileShares, { file: file.id, status: "active" });
      const whom = reading.map(({ person, role }) => [person, role]);
      const wanted = named.map(({ id }) => [id, id === first!.id ? "editor" : "viewer"]);
      const touched = new Changes(start, end).rowCount;
      return isDone(finish) && haveSameMembers(whom, wanted) && touched === named.length - 1;
    },
  };
});

const TASKS = [
  "call the plumber",
  "send the photos",
  "water the tomatoes",
  "book the hall",
  "renew the library card",
  "wash the car",
];

const overdueToMonday = defineScenario("overdue-to-monday", 2, (draw) => {
  const own = draw.base
    .all(todoLists)
    .filter(({ id }) => draw.base.where(listsOfOthers, { list: id }).length === 0);
  const list = pickForTask(draw, own);
  const other = own.find(({ id }) => id !== list.id)!;
  const [first, second, third, fourth, fifth] = draw.rng.shuffle(TASKS);
  return {
    instruction: `Make everything on my ${list.name} list that is overdue due next Monday, 16 March, instead.`,
    setup(db) {
      insertOpenTodo(db, list.id, first!, { due: "2026-03-11" });
      insertOpenTodo(db, list.id, second!, { due: "2026-02-27" });
      insertOpenTodo(db, list.id, third!, { due: "2026-03-12" });
      insertOpenTodo(db, list.id, fourth!, { due: "2026-03-10", done: true });
      insertOpenTodo(db, other.id, fifth!, { due: "2026-03-09" });
    },
    goal(db) {
      for (const { id, due } of db.where(todos, { list: list.id, done: false }))
        if (due !== null && due < "2026-03-12") db.update(todos, id, { due: "2026-03-16" });
    },
    *solution() {
      yield `${readAllPagesCode("late", (page) => `apis.todo.overdue({ ${page} })`)}
const here = late.filter((todo) => todo.list === ${quote(list.name)});
print(here);`;
      yield `for (const { id } of here) apis.todo.setDue({ id, due: "2026-03-16" });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const moved = changes.changedRows(todos);
      const isOverdue = (due: string | null) => (due ?? "2026-03-12") < "2026-03-12";
      const right = moved.every(
        ({ before, after, columns }) =>
          columns.join() === "due" &&
          isOverdue(before.due) &&
          !before.done &&
          after.list === list.id &&
          after.due === "2026-03-16",
      );
      const stillOverdue = end
        .where(todos, { list: list.id, done: false })
        .filter(({ due }) => isOverdue(due));
      return (
        isDone(finish) &&
        right &&
        stillOverdue.length === 0 &&
        moved.length >= 2 &&
        changes.rowCount === moved.length
      );
    },
  };
});

const NEW_LISTS = ["summer fair", "roof fund", "neighbourhood paper"];

const assignToLeastBusy = defineScenario("assign-to-idlest", 3, (draw) => {
  const [personA, personB, personC, personD] = draw.people;
  const name = pickForTask(draw, NEW_LISTS);
  const leastBusy = pickForTask(draw, [0, 1, 2]);
  const editors = [personA!, personB!, personC!];
  const counts = editors.map((_, i) => (i === leastBusy ? 1 : i === 0 ? 3 : 2));
  return {
    instruction: `On my shared list "${name}", give every open todo that nobody has been assigned to the editor with the fewest open todos there.`,
    setup(db) {
      const list = db.insert(todoLists, { name });
      const insertShare = (person: Person, role: "editor" | "viewer") =>
        db.insert(listShares, { list: list.id, person: person.id, role, status: "active" });
      for (const editor of editors) insertShare(editor, "editor");
      insertShare(personD!, "viewer");
      const insertTodo = (title: string, assignee: Person | null, done = false) => {
        const todo = insertOpenTodo(db, list.id, title, { done });
        const plain = {
          priority: "normal",
          minutes: null,
          tags: [],
          every: null,
          waits: [],
        } as const;
        db.insert(todoDetails, { todo: todo.id, ...plain, assignee: assignee?.id ?? null });
      };
      for (const [i, editor] of editors.entries())
        for (let k = 0; k < counts[i]!; k++) insertTodo(`${TASKS[2 * i]} (${k + 1})`, editor);
      for (let k = 0; k < 3; k++) insertTodo(`finished ${k + 1}`, editors[leastBusy]!, true);
      insertTodo("ask for offers", null);
      insertTodo("thank the helpers", null, true);
      insertTodo("draw the poster", null);
    },
    goal(db) {
      const [list] = db.where(todoLists, { name });
      for (const { id } of db.where(todos, { list: list!.id, done: false })) {
        const [facts] = db.where(todoDetails, { todo: id });
        if (facts!.assignee === null)
          db.update(todoDetails, facts!.id, { assignee: editors[leastBusy]!.id });
      }
    },
    *solution() {
      yield `${readAllPagesCode("open", (page) => `apis.todo.list({ done: false, list: ${quote(name)}, ${page} })`)}
${readAllPagesCode("shared", (page) => `apis.todo.listMembers({ list: ${quote(name)}, ${page} })`)}
const busy = shared
  .filter(({ role }) => role === "editor")
  .map(({ handle }) => ({ handle, count: open.filter((todo) => todo.assignee === handle).length }))
  .sort((x, y) => x.count - y.count);
print(busy);`;
      yield `for (const { id, assignee } of open) {
  if (assignee === null) apis.todo.assign({ id, person: busy[0].handle });
}\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const given = changes.changedRows(todoDetails).map(({ after, columns }) => ({
        title: end.get(todos, after.todo)!.title,
        to: after.assignee,
        columns,
      }));
      const to = editors[leastBusy]!.id;
      const wanted = ["draw the poster", "ask for offers"].map((title) => ({
        title,
        to,
        columns: ["assignee"],
      }));
      return isDone(finish) && haveSameMembers(given, wanted) && changes.rowCount === wanted.length;
    },
  };
});

export const paperScenarios: readonly HandmadeScenario[] = [
  sharePlan,
  overdueToMonday,
  assignToLeastBusy,
];
