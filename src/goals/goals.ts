/**
 * Draws a goal: its sentence, the intended changes or answer, and the program that reaches them.
 *
 * A goal first reads all its sets and then acts, so the order in which its parts are done plays no part; where acting on
 * one set would change another, the draw is given up. The program learns everything from what its cells print.
 */
import type { DemonstrationStyle, StepResult } from "../spec/index.ts";
import type { Answer, Reader, TableRow, Writer } from "../world/index.ts";
import { type Claims, claimOfFact, claimOfField, claimOfSource, joined, partOf } from "./claims.ts";
import { type Attempt, drawOf, lowerIn, NothingToDraw, orGiveUp, setUp } from "./draw.ts";
import type { Action, Deed, Effect, Field, Source } from "./parts.ts";
import { type DrawnSet, drawSet, FEW, type Ids, MANY, sameIds, valueCells } from "./sets.ts";
import { type Condition, type GoalShape, nameOfSet, type Question } from "./shapes.ts";
import * as words from "./words.ts";

/** One change; `legal` says whether the APIs would let it happen now. */
export interface Step {
  readonly legal: (db: Reader) => boolean;
  readonly run: (db: Writer) => void;
}

/** Yields cells; returns the arguments of `finishTask`. */
export type Program = Generator<string, string, StepResult>;

export interface DrawnGoal {
  /** Imperative or a question, capital letter, no mark at the end. */
  readonly sentence: string;
  /** What it reads; must not depend on what else is done. */
  readonly reads: readonly Ids[];
  /** Reads its sets now. */
  readonly plan: (db: Reader) => readonly Step[];
  readonly answer?: Answer;
  /** Answers with one clause dropped. */
  readonly guesses?: readonly Answer[];
  readonly impossible?: boolean;
  readonly program: (style: DemonstrationStyle) => Program;
  readonly claims: Claims;
  /** What it does, for the case that all claims hold: `action shop.cancel`. */
  readonly does: readonly string[];
}

export interface GoalOptions {
  /** For conditions: which branch is to be taken. */
  readonly truth: boolean;
  /** What the task names does not exist. */
  readonly missing: boolean;
}

export function drawGoal(
  attempt: Attempt,
  path: string,
  shape: GoalShape,
  options: GoalOptions,
): DrawnGoal {
  switch (shape.type) {
    case "act":
      return act(attempt, path, shape, options.missing);
    case "deed":
      return deed(attempt, path, shape.deed, shape.source);
    case "answer":
      return answer(attempt, path, shape);
    case "branch":
      return branch(attempt, path, shape, options);
    case "branch-on":
      return branchOn(attempt, path, shape, options);
    case "both":
      return both(attempt, path, shape, options);
  }
}

// --- acting ---

function drawEffect(attempt: Attempt, path: string, action: Action, source?: Source): Effect {
  const own = source?.type === action.takes ? source : undefined;
  const effect = orGiveUp(action.draw(drawOf(attempt, `${path}.${action.name}`, own)));
  for (const { setup } of effect.uses ?? []) setUp(attempt, setup);
  setUp(attempt, effect.setup);
  return effect;
}

function stepsOf(effect: Effect, ids: readonly number[]): Step {
  return {
    legal: (db) => ids.every((id) => effect.permits?.(db, id) ?? true),
    run: (db) => {
      for (const id of ids) effect.apply(db, id);
    },
  };
}

/** Legal now, each still legal after any other, and the outcome the same in either order: so the parts commute. */
function refuseConflicts(attempt: Attempt, plan: DrawnGoal["plan"]): void {
  const steps = plan(attempt.db);
  if (!steps.every(({ legal }) => legal(attempt.db))) throw new NothingToDraw();
  if (steps.length < 2) return;
  const [forwards, backwards] = [steps, steps.toReversed()].map((order) =>
    outcomeOf(attempt, order),
  );
  if (forwards !== backwards) throw new NothingToDraw();
}

/** What the steps leave behind, as text in which the ids of new rows play no part. */
function outcomeOf(attempt: Attempt, steps: readonly Step[]): string {
  const db = attempt.fresh();
  for (const { legal, run } of steps) {
    if (!legal(db)) throw new NothingToDraw();
    run(db);
  }
  const changes = db.changes();
  const created = new Set(changes.filter(({ kind }) => kind === "insert").map(({ id }) => id));
  const lines = changes.map(({ table, id, kind, after }) => {
    const cells = Object.entries(after ?? {}).map(([column, cell]) =>
      column === "id" || created.has(cell as number) ? [column] : [column, cell],
    );
    return JSON.stringify([table, kind, kind === "insert" ? 0 : id, cells]);
  });
  return lines.sort().join("\n");
}

function effectCells(effect: Effect, keys: string): string[] {
  const before = valueCells(effect.uses ?? []).map((cell) => cell("careful"));
  return [...before, `for(const x of ${keys}){${effect.call("x")}}`];
}

function act(
  attempt: Attempt,
  path: string,
  { set: shape, actions, source }: Extract<GoalShape, { type: "act" }>,
  missing: boolean,
): DrawnGoal {
  const set = drawSet(attempt, `${path}.set`, shape, FEW, missing);
  const effects = actions.map((action) => drawEffect(attempt, path, action, source));
  const plan = (db: Reader) => {
    const ids = set.ids(db);
    return missing ? [] : effects.map((effect) => stepsOf(effect, ids));
  };
  refuseConflicts(attempt, plan);
  return {
    sentence: actSentence(attempt, set, effects),
    reads: [set.ids],
    plan,
    claims: joined(
      set.claims,
      claimOfSource(
        source,
        effects.flatMap(({ uses }) => uses ?? []),
      ),
    ),
    does: actions.map((action) => `action ${partOf(action)}`),
    ...(missing ? { impossible: true } : {}),
    *program(style) {
      for (const cell of set.cells) yield cell(style);
      if (missing) return 'status:"impossible"';
      for (const effect of style === "hasty" ? effects.slice(0, 1) : effects) {
        yield* effectCells(effect, set.keys);
      }
      return "";
    },
  };
}

function actSentence(attempt: Attempt, set: DrawnSet, effects: readonly Effect[]): string {
  const [first, second] = effects as [Effect, Effect?];
  const sentence = attempt.wording.pick(first.frames)(set.noun);
  if (!second) return sentence;
  const also = attempt.wording.pick(second.frames)(set.single ? pronoun(set) : "them");
  return attempt.wording.pick(words.AND_THEM)(lowerIn(attempt), sentence, also);
}

const pronoun = (set: DrawnSet) => (set.kind === "people" ? "them" : "it");

function deed(attempt: Attempt, path: string, part: Deed, source?: Source): DrawnGoal {
  const own = source?.type === part.takes ? source : undefined;
  const drawn = orGiveUp(part.draw(drawOf(attempt, `${path}.${part.name}`, own)));
  for (const { setup } of drawn.uses ?? []) setUp(attempt, setup);
  setUp(attempt, drawn.setup);
  const plan = () => [{ legal: (db: Reader) => drawn.permits?.(db) ?? true, run: drawn.apply }];
  refuseConflicts(attempt, plan);
  return {
    sentence: attempt.wording.pick(drawn.sentences),
    reads: [],
    plan,
    claims: claimOfSource(source, drawn.uses ?? []),
    does: [`deed ${partOf(part)}`],
    *program() {
      for (const cell of valueCells(drawn.uses ?? [])) yield cell("careful");
      yield* drawn.cells;
      return "";
    },
  };
}

// --- answering ---

function answer(
  attempt: Attempt,
  path: string,
  { set: shape, question }: Extract<GoalShape, { type: "answer" }>,
): DrawnGoal {
  const set = drawSet(
    attempt,
    `${path}.set`,
    shape,
    question.type === "list" ? { least: 2, most: 12 } : MANY,
  );
  const many = orGiveUp(set.many);
  const evaluate = (ids: readonly number[]) =>
    answerOf(question, rowsOf(set, attempt.db, ids), attempt.db);
  const right = orGiveUp(evaluate(set.ids(attempt.db)));
  const guesses = set.without.flatMap((ids) => evaluate(ids(attempt.db)) ?? []);
  if (guessable(right) || guesses.some((guess) => same(guess, right))) throw new NothingToDraw();
  return {
    sentence: askedAs(attempt, question, many),
    reads: [set.ids],
    plan: () => [],
    claims: joined(set.claims, ...fieldsOf(question).map((field) => claimIn(set, field))),
    does: [`question ${question.type} of ${nameOfSet(shape)}`],
    answer: right,
    guesses,
    *program(style) {
      for (const cell of set.cells) yield cell(style);
      const code = answerCode(question, set.items!);
      yield `var answer=${code};print(answer)`;
      return "answer";
    },
  };
}

const fieldsOf = (question: Question) => [
  ...("field" in question ? [question.field] : []),
  ...("label" in question ? [question.label] : []),
];

/** Over the rows of a set, in whose cells the items stand. */
function claimIn(set: DrawnSet, field: Field<never>): Claims {
  const cells = set.cells.map((cell) => cell("careful"));
  const rows = (db: Reader) => rowsOf(set, db, set.ids(db));
  return claimOfField(set.collection!, field, cells, set.items!, rows);
}

function rowsOf({ collection }: DrawnSet, db: Reader, ids: readonly number[]): TableRow[] {
  return ids.map((id) => db.get(collection!.table, id)!);
}

/** Undefined where the question has no single answer. */
function answerOf(question: Question, rows: readonly TableRow[], db: Reader): Answer | undefined {
  const valueIn = (field: Field<never>) => (row: TableRow) =>
    (field as unknown as Field<TableRow>).value(row, db);
  switch (question.type) {
    case "count":
      return rows.length;
    case "sum":
    case "average": {
      const total = rows
        .map(valueIn(question.field))
        .reduce((sum: number, x) => sum + Number(x), 0);
      return toHundredths(question.type === "sum" ? total : total / rows.length);
    }
    case "list":
      return [...new Set(rows.map(valueIn(question.field)))];
    case "extreme": {
      const value = valueIn(question.field);
      const sign = question.end === "most" ? -1 : 1;
      const [first, second] = rows.toSorted((a, b) => (value(a) < value(b) ? -sign : sign));
      if (!first || !second || value(first) === value(second)) return undefined;
      return valueIn(question.label)(first);
    }
  }
}

const toHundredths = (x: number) => Math.round(x * 100) / 100;

function answerCode(question: Question, items: string): string {
  switch (question.type) {
    case "count":
      return `${items}.length`;
    case "sum":
      return `Math.round(100*${items}.reduce((t,x)=>t+Number(${question.field.code}),0))/100`;
    case "average":
      return `Math.round(100*${items}.reduce((t,x)=>t+Number(${question.field.code}),0)/${items}.length)/100`;
    case "list":
      return `[...new Set(${items}.map(x=>${question.field.code}))]`;
    case "extreme": {
      const [less, more] = question.end === "most" ? ["1", "-1"] : ["-1", "1"];
      const ranked = `${items}.map(x=>({x,v:${question.field.code}})).sort((a,b)=>a.v<b.v?${less}:${more})`;
      return `${ranked}.slice(0,1).map(({x})=>${question.label.code})[0]`;
    }
  }
}

function askedAs(attempt: Attempt, question: Question, many: string): string {
  switch (question.type) {
    case "count":
      return attempt.wording.pick(words.COUNT)(many);
    case "sum":
      return attempt.wording.pick(words.SUM)(question.field.noun, many);
    case "average":
      return attempt.wording.pick(words.AVERAGE)(question.field.noun, many);
    case "list":
      return attempt.wording.pick(words.LIST)(question.field.noun, many);
    case "extreme": {
      const rank = attempt.wording.pick(question.field.superlatives![question.end]);
      return attempt.wording.pick(words.EXTREME)(question.label.noun, rank, many);
    }
  }
}

/** What an agent would say that has not looked. */
function guessable(answer: Answer): boolean {
  if (Array.isArray(answer)) return answer.length < 2;
  const text = String(answer).trim().toLowerCase();
  return ["", "0", "1", "2", "yes", "no", "true", "false"].includes(text);
}

function same(a: Answer, b: Answer): boolean {
  const key = (answer: Answer) =>
    JSON.stringify(Array.isArray(answer) ? [...answer].sort() : answer);
  return key(a) === key(b);
}

// --- conditions ---

interface DrawnCondition {
  readonly text: string;
  readonly claims: Claims;
  readonly holds: (db: Reader) => boolean;
  readonly reads: readonly Ids[];
  readonly cells: readonly string[];
  /** An expression. */
  readonly code: string;
}

function branch(
  attempt: Attempt,
  path: string,
  shape: Extract<GoalShape, { type: "branch" }>,
  options: GoalOptions,
): DrawnGoal {
  const condition = drawCondition(attempt, `${path}.if`, shape.condition, options.truth);
  const plain = { truth: true, missing: false };
  const then = drawGoal(attempt, `${path}.then`, shape.then, plain);
  const otherwise = drawGoal(attempt, `${path}.else`, shape.otherwise, plain);
  const taken = (truth: boolean) => (truth ? then : otherwise);
  return {
    sentence: attempt.wording.pick(words.BRANCH)(
      lowerIn(attempt),
      condition.text,
      then.sentence,
      otherwise.sentence,
    ),
    reads: [...condition.reads, ...then.reads, ...otherwise.reads],
    claims: joined(condition.claims, then.claims, otherwise.claims),
    does: [...then.does, ...otherwise.does],
    plan: (db) => taken(condition.holds(db)).plan(db),
    program: (style) => branching(condition, style, (truth) => taken(truth).program(style)),
  };
}

function* branching(
  { cells, code }: DrawnCondition,
  style: DemonstrationStyle,
  go: (truth: boolean) => Program,
): Program {
  // A hasty agent does not look whether the condition holds.
  if (style === "hasty") return yield* go(true);
  yield* cells;
  const { stdout } = yield `print(${code})`;
  return yield* go(stdout.trim() === "true");
}

function branchOn(
  attempt: Attempt,
  path: string,
  shape: Extract<GoalShape, { type: "branch-on" }>,
  { truth }: GoalOptions,
): DrawnGoal {
  const set = drawSet(attempt, `${path}.set`, shape.set, { least: 2, most: 9 });
  const many = orGiveUp(set.many);
  const count = set.ids(attempt.db).length;
  const limit = limitFor(drawOf(attempt, `${path}.limit`).rng.integer(0, 2), count, truth);
  const effects = [shape.then, shape.otherwise].map((action) => drawEffect(attempt, path, action));
  const [then, otherwise] = effects as [Effect, Effect];
  const choose = (yes: boolean) => (yes ? then : otherwise);
  const plan = (db: Reader) => {
    const ids = set.ids(db);
    return [stepsOf(choose(ids.length > limit), ids)];
  };
  for (const effect of effects) refuseConflicts(attempt, (db) => [stepsOf(effect, set.ids(db))]);
  const pick = (effect: Effect) => attempt.wording.pick(effect.frames)("them");
  return {
    sentence: attempt.wording.pick(words.BRANCH)(
      lowerIn(attempt),
      attempt.wording.pick(words.MORE_THAN)(many, limit),
      pick(then),
      pick(otherwise),
    ),
    reads: [set.ids],
    plan,
    claims: set.claims,
    does: [shape.then, shape.otherwise].map((action) => `action ${partOf(action)}`),
    *program(style) {
      for (const cell of set.cells) yield cell(style);
      const { stdout } = yield `print(${set.keys}.length>${limit})`;
      yield* effectCells(choose(style === "hasty" || stdout.trim() === "true"), set.keys);
      return "";
    },
  };
}

/** "More than limit" is to be `truth` for `count`. */
function limitFor(distance: number, count: number, truth: boolean): number {
  return truth ? Math.max(1, count - 1 - distance) : count + distance;
}

function drawCondition(
  attempt: Attempt,
  path: string,
  condition: Condition,
  truth: boolean,
): DrawnCondition {
  const { rng } = drawOf(attempt, `${path}.limit`);
  if (condition.type === "fact") {
    const { fact } = condition;
    const limit = amountLimit(fact.value(attempt.db), rng.integer(5, 40), truth, fact.unit);
    return {
      text: attempt.wording.pick(words.ABOVE)(attempt.wording.pick(fact.words), limit.words),
      holds: (db) => fact.value(db) > limit.value,
      claims: claimOfFact(fact),
      reads: [],
      cells: [],
      code: `${fact.code}>${limit.value}`,
    };
  }
  const set = drawSet(attempt, `${path}.set`, condition.set, MANY);
  const many = orGiveUp(set.many);
  const cells = set.cells.map((cell) => cell("careful"));
  if (condition.type === "count") {
    const limit = limitFor(rng.integer(0, 3), set.ids(attempt.db).length, truth);
    return {
      text: attempt.wording.pick(words.MORE_THAN)(many, limit),
      holds: (db) => set.ids(db).length > limit,
      claims: set.claims,
      reads: [set.ids],
      cells,
      code: `${set.items}.length>${limit}`,
    };
  }
  const sum: Question = { type: "sum", field: condition.field };
  const total = (db: Reader) => Number(answerOf(sum, rowsOf(set, db, set.ids(db)), db));
  const unit = condition.field.unit === "money" ? "money" : "number";
  const limit = amountLimit(total(attempt.db), rng.integer(5, 40), truth, unit);
  return {
    text: attempt.wording.pick(words.ABOVE)(
      `the total ${condition.field.noun} of the ${many}`,
      limit.words,
    ),
    holds: (db) => total(db) > limit.value,
    claims: joined(set.claims, claimIn(set, condition.field)),
    reads: [set.ids],
    cells,
    code: `${answerCode(sum, set.items!)}>${limit.value}`,
  };
}

/** A whole number so many percent away from the value, on the side that makes "above" true or false. */
function amountLimit(value: number, percent: number, truth: boolean, unit: "money" | "number") {
  if (value < 2) throw new NothingToDraw();
  const limit = truth
    ? Math.floor(value * (1 - percent / 100))
    : Math.ceil(value * (1 + percent / 100));
  return { value: limit, words: unit === "money" ? `$${limit}` : String(limit) };
}

// --- two goals ---

function both(
  attempt: Attempt,
  path: string,
  shape: Extract<GoalShape, { type: "both" }>,
  options: GoalOptions,
): DrawnGoal {
  const goals = [shape.first, shape.second].map((goal, i) =>
    drawGoal(attempt, `${path}.${i + 1}`, goal, { ...options, missing: false }),
  ) as [DrawnGoal, DrawnGoal];
  const plan = (db: Reader) => goals.flatMap((goal) => goal.plan(db));
  refuseConflicts(attempt, plan);
  refuseInterference(attempt, goals);
  const answering = goals.find((goal) => goal.answer !== undefined);
  return {
    sentence: attempt.wording.pick(words.BOTH)(
      lowerIn(attempt),
      goals[0].sentence,
      goals[1].sentence,
    ),
    reads: goals.flatMap(({ reads }) => reads),
    plan,
    claims: joined(...goals.map(({ claims }) => claims)),
    does: goals.flatMap(({ does }) => does),
    ...(answering ? { answer: answering.answer!, guesses: answering.guesses ?? [] } : {}),
    *program(style) {
      const first = yield* goals[0].program(style);
      if (style === "hasty") return first;
      const second = yield* goals[1].program(style);
      return [first, second].filter(Boolean).join();
    },
  };
}

/** What one goal reads must be the same after the other was done. */
function refuseInterference(attempt: Attempt, goals: readonly DrawnGoal[]): void {
  for (const goal of goals) {
    const db = attempt.fresh();
    for (const { run } of goal.plan(db)) run(db);
    for (const other of goals) {
      if (other === goal) continue;
      if (!other.reads.every((ids) => sameIds(ids(db), ids(attempt.db)))) throw new NothingToDraw();
    }
  }
}
