/**
 * Measures the tasks of `everyday/live` by their careful solutions: how many different APIs, calls, apps and statements
 * they need, and whether they need waiting, prose and answers.
 */
import type { WorldUnderTest } from "bowline/testing";
import type {
  Demonstration,
  Reader,
  Solution,
  Table,
  Task,
  TaskInfo,
  WorldDefinition,
  Writer,
} from "bowline/world";
import { mails, notes, texts } from "../apps/tables.ts";

/** What the solution of one task uses. The counts leave out the end of the task and calls that fail. */
export interface TaskSize {
  readonly apis: readonly string[];
  readonly calls: number;
  /** The number of apps, without `me`. */
  readonly apps: number;
  readonly statements: number;
}

export function measureDemonstration({ turns }: Demonstration): TaskSize {
  const calls = turns
    .flatMap(({ result }) => result.calls)
    .filter(({ status, api }) => status === 200 && api !== "finishTask");
  return {
    apis: [...new Set(calls.map(({ app, api }) => `${app}.${api}`))],
    calls: calls.length,
    apps: new Set(calls.map(({ app }) => app).filter((app) => app !== "me")).size,
    statements: countStatements(turns.map(({ code }) => code).join("\n")),
  };
}

/** Counts lines of code, without closing brackets and without functions that nothing calls. */
export function countStatements(code: string): number {
  const blocks = code.match(/^function \w+\([\s\S]*?^\}$/gm) ?? [];
  const unused = blocks.filter((block) => {
    const name = /^function (\w+)/.exec(block)![1]!;
    return !code.replace(block, "").includes(`${name}(`);
  });
  if (unused.length > 0)
    return countStatements(unused.reduce((all, b) => all.replace(b, ""), code));
  return code.split("\n").filter((line) => /[\w;]/.test(line)).length;
}

/** Returns the solution in which the calls of one API are refused. */
export function refuseApi(solution: Solution, name: string): Solution {
  const refuse = 'function refused() { throw new Error("refused"); }\n';
  return mapCells(solution, (code) => refuse + code.replaceAll(`apis.${name}(`, "refused("));
}

/** Returns the solution that does not wait. */
export const withoutWaiting = (solution: Solution): Solution =>
  mapCells(solution, (code) => code.replaceAll("apis.me.wait(", "(() => ({ notices: [] }))("));

/** Returns the solution that does not understand what people answer by text or mail. */
export function withoutAnswers(solution: Solution): Solution {
  const forget = (name: string, column: string) =>
    `${name} = ((read) => (handle, id) => { const found = read(handle, id); return found && { ...found, ${column}: "Hm." }; })(${name});`;
  const forgetful = `${forget("textAfter", "text")}\n${forget("mailAfter", "body")}`;
  return mapCells(solution, (code) =>
    code.includes("function textAfter") ? `${code}\n${forgetful}` : code,
  );
}

/** Returns the solution whose questions the owner does not hear. */
export const withoutOwner = (solution: Solution): Solution =>
  mapCells(solution, (code) => code.replaceAll("apis.owner.ask(", "(() => ({ asked: true }))("));

/** Returns the solution that finds nothing in its notebook. */
export const withoutNotes = (solution: Solution): Solution =>
  mapCells(solution, (code) => code.replaceAll("apis.notebook.read({})", "[]"));

function mapCells(solution: Solution, map: (code: string) => string): Solution {
  return function* (context) {
    const cells = solution(context);
    for (let cell = cells.next(); !cell.done; ) cell = cells.next(yield map(cell.value));
  };
}

/**
 * Returns the world in which what was written for the task before its start has no content: the bodies of mails, the
 * texts of messages and notes.
 */
export function withoutProse(definition: WorldDefinition): WorldDefinition {
  const blank = (db: Writer, base: Reader) => {
    const isNew = (table: Table) => (row: { readonly id: number }) => !base.get(table, row.id);
    for (const { id } of db.all(mails).filter(isNew(mails as never)))
      db.update(mails, id, { body: "..." });
    for (const { id } of db.all(texts).filter(isNew(texts as never)))
      db.update(texts, id, { text: "..." });
    for (const { id } of db.all(notes).filter(isNew(notes as never)))
      db.update(notes, id, { text: "..." });
  };
  const blankTask = (task: Task, base: Reader): Task => ({
    ...task,
    setup: (db, plan) => {
      task.setup?.(db, plan);
      blank(db, base);
    },
  });
  return {
    ...definition,
    scenario: (request) => {
      const [one, two, three] = definition.scenario(request);
      const { base } = request;
      return [blankTask(one, base), blankTask(two, base), blankTask(three, base)];
    },
  };
}

/** Returns the APIs whose refusal makes the solution of a task fail. */
export async function listNecessaryApis(
  world: WorldUnderTest,
  { id }: TaskInfo,
  apis: readonly string[],
): Promise<string[]> {
  const solution = world.prepareTask(id).task.solution!;
  const necessary: string[] = [];
  for (const name of apis) {
    const { evaluation } = await world.demonstrate(id, { solution: refuseApi(solution, name) });
    if (!evaluation.passed) necessary.push(name);
  }
  return necessary;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
