/**
 * Composes a scenario's three tasks from a shape. It draws values, proves at once what can be proved, and draws again
 * when a rule is broken.
 *
 * The tasks of a scenario differ in people and values. If they have a condition, it is true in some of them and false
 * in others. If they name something, one of the three may name something that does not exist.
 */
import type { Rng } from "../core/index.ts";
import type { ComposedSplit, StepResult } from "../spec/index.ts";
import type {
  Answer,
  Claim,
  GoalOutcome,
  Reader,
  Scratch,
  SolutionContext,
  Task,
  Writer,
} from "../world/index.ts";
import { NothingToDraw, startAttempt } from "./draw.ts";
import { drawGoal } from "./draw-goal.ts";
import type { DrawnGoal, GoalOptions } from "./drawn-goal.ts";
import type { Language, Person } from "./language.ts";
import {
  type GoalShape,
  goalDifficulty,
  type SetShape,
  signatureOfGoal,
  signatureOfSet,
} from "./shapes.ts";
import { addPunctuation } from "./words.ts";

/** What a scenario is composed from: its random stream, split, people, population, and the apps that need a login. */
export interface ComposeRequest {
  readonly rng: Rng;
  readonly split: ComposedSplit;
  readonly people: readonly Person[];
  readonly language: Language;
  /** Returns a copy of the population that may be written to. */
  readonly scratch: () => Scratch;
  readonly paraphrase: number;
  /** The apps that need a login; none when the dial `logins` is off. */
  readonly logins: ReadonlySet<string>;
  /**
   * Returns true when an independent reader understands an instruction in another way than its goal. The task is then
   * drawn again. `scratch` returns copies of the start state `db`.
   */
  readonly isMisread?: ((task: Task, db: Reader, scratch: () => Scratch) => boolean) | undefined;
  /** True when sessions may expire within an episode. Every cell then logs in again. */
  readonly shortSessions: boolean;
}

const MAX_ATTEMPTS = 30;

/**
 * Which attempts succeed for a request: first 0 for the special form of the shape or 1 for the shape itself, then a
 * number for each task. Whoever has composed an equal request before need not search them again.
 */
export interface AttemptSearch {
  readonly known?: readonly number[] | undefined;
  readonly onFound?: (attempts: readonly number[]) => void;
}

/**
 * Composes the three tasks of a shape; undefined when the population has nothing suitable for it, or when the known
 * attempts do not succeed.
 */
export function composeScenario(
  request: ComposeRequest,
  shape: GoalShape,
  { known, onFound }: AttemptSearch = {},
): readonly [Task, Task, Task] | undefined {
  const forms = [askAboutEach(shape) ?? decideAboutOneThing(shape), shape];
  for (const [number, form] of forms.entries()) {
    if (!form || (known && known[0] !== number)) continue;
    const composed = composeTasks(request, form, known?.slice(1));
    if (!composed) continue;
    onFound?.([number, ...composed.map(({ attempt }) => attempt)]);
    return composed.map(({ task }) => task) as unknown as readonly [Task, Task, Task];
  }
  return undefined;
}

/** Lets both branches act on one thing when they act on the same kind of set; undefined for other shapes. */
function decideAboutOneThing(shape: GoalShape): GoalShape | undefined {
  if (shape.type !== "branch") return undefined;
  const { then, otherwise } = shape;
  if (then.type !== "act" || otherwise.type !== "act") return undefined;
  return signatureOfSet(then.set) === signatureOfSet(otherwise.set)
    ? { ...shape, sameThing: true }
    : undefined;
}

/**
 * Changes "what belongs to any of them" to "what belongs to each of them"; undefined if the relation has no words for
 * that.
 */
function askAboutEach(shape: GoalShape): GoalShape | undefined {
  if (shape.type !== "act" || shape.set.type !== "related") return undefined;
  const { relation, of } = shape.set;
  if (!relation.wordsForEach || of.type === "titled") return undefined;
  return { ...shape, set: { ...shape.set, each: true } };
}

interface ComposedTask {
  readonly task: Task;
  /** The number of the attempt that succeeded. */
  readonly attempt: number;
}

function composeTasks(
  request: ComposeRequest,
  shape: GoalShape,
  known: readonly number[] | undefined,
): readonly ComposedTask[] | undefined {
  const flips = request.rng
    .child("truth")
    .shuffle([true, false, request.rng.child("third").chance(0.5)]);
  const missing = canNameMissing(shape) && request.rng.child("missing").chance(0.8);
  const which = request.rng.child("which").integer(0, 2);
  const composed: ComposedTask[] = [];
  for (const [i, truth] of flips.entries()) {
    const options = { truth, missing: missing && i === which };
    const used = composed.map(({ task }) => task.instruction);
    const one = { ...request, rng: request.rng.child(i) };
    const next = known
      ? composeKnownTask(one, shape, options, known[i]!)
      : composeTask(one, shape, options, used);
    if (!next) return undefined;
    composed.push(next);
  }
  return composed;
}

function composeTask(
  request: ComposeRequest,
  shape: GoalShape,
  options: GoalOptions,
  used: readonly string[],
): ComposedTask | undefined {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const task = tryToComposeTask({ ...request, rng: request.rng.child(attempt) }, shape, options);
    if (task && !used.includes(task.instruction)) return { task, attempt };
  }
  return undefined;
}

/** Composes a task by an attempt that succeeded before, when the independent reader has understood the task. */
function composeKnownTask(
  request: ComposeRequest,
  shape: GoalShape,
  options: GoalOptions,
  attempt: number,
): ComposedTask | undefined {
  const proven = { ...request, rng: request.rng.child(attempt), isMisread: undefined };
  const task = tryToComposeTask(proven, shape, options);
  return task && { task, attempt };
}

function tryToComposeTask(
  request: ComposeRequest,
  shape: GoalShape,
  options: GoalOptions,
): Task | undefined {
  try {
    const attempt = startAttempt(request);
    const goal = drawGoal(attempt, "goal", shape, options);
    const instruction = addPunctuation(goal.sentence);
    if (request.language.namesStrangers(instruction, request.split)) return undefined;
    const task: Task = {
      signature: signatureOfGoal(shape),
      difficulty: goalDifficulty(shape),
      instruction,
      setup: (db) => {
        for (const setup of attempt.setups) setup(db);
      },
      goal: (db) => applyGoal(goal, db),
      solution: (context) => solveGoal(goal, request, context),
      claims: {
        listClaims: (db) => goal.claims(db).map(withLoginCell(request)),
        actionNames: goal.actionNames,
      },
    };
    return request.isMisread?.(task, attempt.db, attempt.fresh) ? undefined : task;
  } catch (error) {
    if (error instanceof NothingToDraw) return undefined;
    throw error;
  }
}

function applyGoal(goal: DrawnGoal, db: Writer): GoalOutcome | undefined {
  if (goal.impossible) return { impossible: true };
  for (const { run } of goal.plan(db)) run(db);
  return goal.answer === undefined ? undefined : makeOutcome(goal.answer, goal.guesses ?? []);
}

function makeOutcome(answer: Answer, guesses: readonly Answer[]): GoalOutcome {
  return { answer, guesses };
}

/** Returns true for a shape that names one thing, or what belongs to it. Such a task may use an invented name. */
function canNameMissing(shape: GoalShape): boolean {
  const namesOneThing = (set: SetShape): boolean =>
    set.type === "titled"
      ? (set.collection.title?.missing.length ?? 0) > 0
      : set.type === "related" && namesOneThing(set.of);
  return shape.type === "act" && !shape.source && namesOneThing(shape.set);
}

/** Runs the goal's cells, with a login before an app is first used. */
function* solveGoal(
  goal: DrawnGoal,
  { logins, shortSessions }: ComposeRequest,
  { style }: SolutionContext,
): Generator<string, void, StepResult> {
  const open = new Set<string>();
  const program = goal.program(style);
  let next = program.next();
  while (!next.done) {
    const needed = appsUsedIn(next.value).filter(
      (app) => logins.has(app) && (shortSessions || !open.has(app)),
    );
    if (needed.length > 0) yield loginCell(needed);
    for (const app of needed) open.add(app);
    next = program.next(yield next.value);
  }
  yield `apis.me.finishTask(${next.value && `{${next.value}}`})`;
}

/** Adds a login to a claim, because a claim is tested in its own episode, which starts without a session. */
const withLoginCell =
  ({ logins }: ComposeRequest) =>
  (claim: Claim): Claim => {
    const apps = appsUsedIn(claim.cells.join(";")).filter((app) => logins.has(app));
    return apps.length === 0 ? claim : { ...claim, cells: [loginCell(apps), ...claim.cells] };
  };

function appsUsedIn(code: string): string[] {
  return [...new Set([...code.matchAll(/\bapis\.(\w+)\./g)].map(([, app]) => app!))];
}

function loginCell(apps: readonly string[]): string {
  const logins = apps.map((app) => `apis.${app}.login({password:password.${app}})`).join(";");
  return `var password=Object.fromEntries(apis.me.listAccounts({}).items.map(x=>[x.app,x.password]));${logins}`;
}
