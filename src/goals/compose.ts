/**
 * From a signature to a scenario's three tasks: draw, prove what can be proved at once, and draw again when a rule is
 * broken.
 *
 * The tasks of a scenario differ in people and values; conditions come out both ways within it, and where a task names
 * something, one of the three may name what does not exist.
 */
import type { Rng } from "../core/index.ts";
import type { ComposedSplit, StepResult } from "../spec/index.ts";
import type {
  Answer,
  Claim,
  GoalOutcome,
  Scratch,
  SolutionContext,
  Task,
  Writer,
} from "../world/index.ts";
import { NothingToDraw, startAttempt } from "./draw.ts";
import type { DrawnGoal, GoalOptions } from "./drawn-goal.ts";
import { drawGoal } from "./goals.ts";
import type { Language, Person } from "./language.ts";
import { type GoalShape, goalDifficulty, type SetShape, signatureOfGoal } from "./shapes.ts";
import { finish } from "./words.ts";

/** Where a scenario is composed: its randomness, split and people, the population, and what a solution has to log in to. */
export interface ComposeRequest {
  readonly rng: Rng;
  readonly split: ComposedSplit;
  readonly people: readonly Person[];
  readonly language: Language;
  /** The population under a fresh overlay. */
  readonly scratch: () => Scratch;
  readonly paraphrase: number;
  /** Apps that need a login; none when the dial is off. */
  readonly logins: ReadonlySet<string>;
  /** True when sessions may expire within an episode: then every cell logs in again. */
  readonly shortSessions: boolean;
}

const ATTEMPTS = 30;

/** Undefined when the population offers nothing for this shape. */
export function composeScenario(
  request: ComposeRequest,
  shape: GoalShape,
): readonly [Task, Task, Task] | undefined {
  const each = ofEach(shape);
  return (each && composeOne(request, each)) ?? composeOne(request, shape);
}

/** The same about what belongs to each thing of a set instead of to any, where the relation has words for that. */
function ofEach(shape: GoalShape): GoalShape | undefined {
  if (shape.type !== "act" || shape.set.type !== "related") return undefined;
  const { relation, of } = shape.set;
  if (!relation.wordsForEach || of.type === "titled") return undefined;
  return { ...shape, set: { ...shape.set, each: true } };
}

function composeOne(
  request: ComposeRequest,
  shape: GoalShape,
): readonly [Task, Task, Task] | undefined {
  const flips = request.rng
    .child("truth")
    .shuffle([true, false, request.rng.child("third").chance(0.5)]);
  const missing = mayMiss(shape) && request.rng.child("missing").chance(0.8);
  const which = request.rng.child("which").integer(0, 2);
  const tasks: Task[] = [];
  for (const [i, truth] of flips.entries()) {
    const options = { truth, missing: missing && i === which };
    const used = tasks.map(({ instruction }) => instruction);
    const task = composeTask({ ...request, rng: request.rng.child(i) }, shape, options, used);
    if (!task) return undefined;
    tasks.push(task);
  }
  return tasks as unknown as readonly [Task, Task, Task];
}

function composeTask(
  request: ComposeRequest,
  shape: GoalShape,
  options: GoalOptions,
  used: readonly string[],
): Task | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const task = tryTask({ ...request, rng: request.rng.child(attempt) }, shape, options);
    if (task && !used.includes(task.instruction)) return task;
  }
  return undefined;
}

function tryTask(
  request: ComposeRequest,
  shape: GoalShape,
  options: GoalOptions,
): Task | undefined {
  try {
    const attempt = startAttempt(request);
    const goal = drawGoal(attempt, "goal", shape, options);
    const instruction = finish(goal.sentence);
    if (request.language.namesStrangers(instruction, request.split)) return undefined;
    return {
      signature: signatureOfGoal(shape),
      difficulty: goalDifficulty(shape),
      instruction,
      setup: (db) => {
        for (const setup of attempt.setups) setup(db);
      },
      goal: (db) => reach(goal, db),
      solution: (context) => solve(goal, request, context),
      claims: { of: (db) => goal.claims(db).map(loggedIn(request)), does: goal.does },
    };
  } catch (error) {
    if (error instanceof NothingToDraw) return undefined;
    throw error;
  }
}

function reach(goal: DrawnGoal, db: Writer): GoalOutcome | undefined {
  if (goal.impossible) return { impossible: true };
  for (const { run } of goal.plan(db)) run(db);
  return goal.answer === undefined ? undefined : outcome(goal.answer, goal.guesses ?? []);
}

function outcome(answer: Answer, guesses: readonly Answer[]): GoalOutcome {
  return { answer, guesses };
}

/** One named thing, or what belongs to one. */
function mayMiss(shape: GoalShape): boolean {
  const named = (set: SetShape): boolean =>
    set.type === "titled"
      ? (set.collection.title?.missing.length ?? 0) > 0
      : set.type === "related" && named(set.of);
  return shape.type === "act" && !shape.source && named(shape.set);
}

// --- the program ---

/** The goal's cells, with a login before an app is first used. */
function* solve(
  goal: DrawnGoal,
  { logins, shortSessions }: ComposeRequest,
  { style }: SolutionContext,
): Generator<string, void, StepResult> {
  const open = new Set<string>();
  const program = goal.program(style);
  let next = program.next();
  while (!next.done) {
    const needed = appsIn(next.value).filter(
      (app) => logins.has(app) && (shortSessions || !open.has(app)),
    );
    if (needed.length > 0) yield loginCell(needed);
    for (const app of needed) open.add(app);
    next = program.next(yield next.value);
  }
  yield `apis.me.finishTask(${next.value && `{${next.value}}`})`;
}

/** A claim is asked in an episode of its own, which begins without a session. */
const loggedIn =
  ({ logins }: ComposeRequest) =>
  (claim: Claim): Claim => {
    const apps = appsIn(claim.cells.join(";")).filter((app) => logins.has(app));
    return apps.length === 0 ? claim : { ...claim, cells: [loginCell(apps), ...claim.cells] };
  };

function appsIn(code: string): string[] {
  return [...new Set([...code.matchAll(/\bapis\.(\w+)\./g)].map(([, app]) => app!))];
}

function loginCell(apps: readonly string[]): string {
  const logins = apps.map((app) => `apis.${app}.login({password:password.${app}})`).join(";");
  return `var password=Object.fromEntries(apis.me.listAccounts({}).items.map(x=>[x.app,x.password]));${logins}`;
}
