/**
 * Draws a goal: its sentence, the intended changes or answer, and the program that reaches them.
 *
 * A goal first reads all its sets and then acts, so the order of its parts does not matter. If acting on one set would
 * change another one, the attempt is given up. The program learns everything from what its cells print.
 */
import type { DemonstrationStyle } from "../spec/index.ts";
import type { Reader } from "../world/index.ts";
import { joinClaims, makeSourceClaims, qualifiedName } from "./claims.ts";
import { countLimit, type DrawnCondition, drawCondition } from "./conditions.ts";
import {
  type Attempt,
  applySetup,
  lowerFirstLetterIn,
  makeDrawContext,
  NothingToDraw,
  requireDrawn,
} from "./draw.ts";
import type { DrawnGoal, GoalOptions, SolutionProgram } from "./drawn-goal.ts";
import {
  ACTION_LIMITS,
  COUNTING_LIMITS,
  carefulCells,
  type DrawnSet,
  drawSet,
  equalIds,
  valueCells,
} from "./drawn-set.ts";
import { drawEffect, effectCells, makeStep, refuseConflicts, sayLookedUp } from "./effects.ts";
import type { Deed, Effect, Source } from "./parts.ts";
import {
  answerCode,
  claimAboutField,
  equalAnswers,
  evaluateQuestion,
  fieldsInQuestion,
  isGuessable,
  questionSentence,
  rowsOfSet,
} from "./questions.ts";
import { type GoalShape, signatureOfSet } from "./shapes.ts";
import * as words from "./words.ts";

export function drawGoal(
  attempt: Attempt,
  path: string,
  shape: GoalShape,
  options: GoalOptions,
): DrawnGoal {
  switch (shape.type) {
    case "act":
      return drawAct(attempt, path, shape, options.missing);
    case "deed":
      return drawDeed(attempt, path, shape.deed, shape.source);
    case "answer":
      return drawAnswer(attempt, path, shape);
    case "branch":
      return drawBranch(attempt, path, shape, options);
    case "branch-on":
      return drawBranchOnSet(attempt, path, shape, options);
    case "both":
      return drawBoth(attempt, path, shape, options);
  }
}

function drawAct(
  attempt: Attempt,
  path: string,
  { set: shape, actions, source }: Extract<GoalShape, { type: "act" }>,
  missing: boolean,
): DrawnGoal {
  const set = drawSet(attempt, `${path}.set`, shape, ACTION_LIMITS, missing);
  const effects = actions.map((action) => drawEffect(attempt, path, action, source));
  const plan = (db: Reader) => {
    const ids = set.ids(db);
    return missing ? [] : effects.map((effect) => makeStep(effect, ids));
  };
  refuseConflicts(attempt, plan);
  return {
    sentence: actSentence(attempt, set, effects),
    sentenceAgain: words.sayPronoun(attempt.wording.pick(effects[0]!.frames)(pronounOf(set))),
    reads: [set.ids],
    plan,
    claims: joinClaims(
      set.claims,
      makeSourceClaims(
        source,
        effects.flatMap(({ uses }) => uses ?? []),
      ),
    ),
    actionNames: actions.map((action) => `action ${qualifiedName(action)}`),
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
  const sentence = withContext(set.context, attempt.wording.pick(first.frames)(set.noun));
  if (!second) return sentence;
  const also = words.sayPronoun(attempt.wording.pick(second.frames)(pronounOf(set)));
  return attempt.wording.pick(words.SECOND_ACTION_SENTENCES)(
    lowerFirstLetterIn(attempt),
    sentence,
    also,
  );
}

const withContext = (context: string | undefined, sentence: string) =>
  context === undefined ? sentence : `${context}. ${sentence}`;

/** Returns the pronoun for a set that was just named. After a context, "them" could mean what the context introduced. */
function pronounOf({ kind, isSingle, context, collection }: DrawnSet): string {
  if (isSingle) return kind === "people" ? "them" : "it";
  if (context === undefined || collection !== undefined) return "them";
  const noun = kind.split(/[- ]|(?=[A-Z])/).at(-1)!;
  return `the same ${noun.toLowerCase()}`;
}

function drawDeed(attempt: Attempt, path: string, part: Deed, source?: Source): DrawnGoal {
  const own = source?.type === part.takes ? source : undefined;
  const drawn = requireDrawn(
    part.draw(makeDrawContext(attempt, `${path}.${part.name}`, own, qualifiedName(part))),
  );
  for (const { setup } of drawn.uses ?? []) applySetup(attempt, setup);
  applySetup(attempt, drawn.setup);
  const plan = () => [{ isLegal: (db: Reader) => drawn.permits?.(db) ?? true, run: drawn.apply }];
  refuseConflicts(attempt, plan);
  return {
    sentence: sayLookedUp(attempt.wording.pick(drawn.sentences), own, drawn.uses),
    reads: [],
    plan,
    claims: makeSourceClaims(source, drawn.uses ?? []),
    actionNames: [`deed ${qualifiedName(part)}`],
    *program() {
      yield* carefulCells(valueCells(drawn.uses ?? []));
      yield* drawn.cells;
      return "";
    },
  };
}

function drawAnswer(
  attempt: Attempt,
  path: string,
  { set: shape, question }: Extract<GoalShape, { type: "answer" }>,
): DrawnGoal {
  const set = drawSet(
    attempt,
    `${path}.set`,
    shape,
    question.type === "list" ? { least: 2, most: 12 } : COUNTING_LIMITS,
  );
  requireDrawn(set.many);
  const evaluateIds = (ids: readonly number[]) =>
    evaluateQuestion(question, rowsOfSet(set, attempt.db, ids), attempt.db);
  const right = requireDrawn(evaluateIds(set.ids(attempt.db)));
  const guesses = set.withoutClause.flatMap((ids) => evaluateIds(ids(attempt.db)) ?? []);
  if (isGuessable(right) || guesses.some((guess) => equalAnswers(guess, right)))
    throw new NothingToDraw();
  return {
    sentence: withContext(set.context, questionSentence(attempt, question, set)),
    reads: [set.ids],
    plan: () => [],
    claims: joinClaims(
      set.claims,
      ...fieldsInQuestion(question).map((field) => claimAboutField(set, field)),
    ),
    actionNames: [`question ${question.type} of ${signatureOfSet(shape)}`],
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

function drawBranch(
  attempt: Attempt,
  path: string,
  shape: Extract<GoalShape, { type: "branch" }>,
  options: GoalOptions,
): DrawnGoal {
  const condition = drawCondition(attempt, `${path}.if`, shape.condition, options.truth);
  const plain = { truth: true, missing: false };
  // With one path, both branches draw the same thing.
  const isSameSet = shape.sameThing === true;
  const then = drawGoal(attempt, `${path}.${isSameSet ? "on" : "then"}`, shape.then, plain);
  const otherwise = drawGoal(
    attempt,
    `${path}.${isSameSet ? "on" : "else"}`,
    shape.otherwise,
    plain,
  );
  const branchFor = (truth: boolean) => (truth ? then : otherwise);
  return {
    sentence: withContext(
      condition.context,
      attempt.wording.pick(words.BRANCH_SENTENCES)(
        lowerFirstLetterIn(attempt),
        condition.text,
        then.sentence,
        isSameSet ? (otherwise.sentenceAgain ?? otherwise.sentence) : otherwise.sentence,
      ),
    ),
    reads: [...condition.reads, ...then.reads, ...otherwise.reads],
    claims: joinClaims(condition.claims, then.claims, otherwise.claims),
    actionNames: [...then.actionNames, ...otherwise.actionNames],
    plan: (db) => branchFor(condition.holds(db)).plan(db),
    program: (style) => branchProgram(condition, style, (truth) => branchFor(truth).program(style)),
  };
}

function* branchProgram(
  { cells, code }: DrawnCondition,
  style: DemonstrationStyle,
  go: (truth: boolean) => SolutionProgram,
): SolutionProgram {
  // A hasty agent does not check whether the condition holds.
  if (style === "hasty") return yield* go(true);
  yield* cells;
  const { stdout } = yield `print(${code})`;
  return yield* go(stdout.trim() === "true");
}

function drawBranchOnSet(
  attempt: Attempt,
  path: string,
  shape: Extract<GoalShape, { type: "branch-on" }>,
  { truth }: GoalOptions,
): DrawnGoal {
  const set = drawSet(attempt, `${path}.set`, shape.set, { least: 2, most: 9 });
  const many = requireDrawn(set.many);
  const count = set.ids(attempt.db).length;
  const limit = countLimit(
    makeDrawContext(attempt, `${path}.limit`).rng.integer(0, 2),
    count,
    truth,
  );
  const effects = [shape.then, shape.otherwise].map((action) => drawEffect(attempt, path, action));
  const [then, otherwise] = effects as [Effect, Effect];
  const effectFor = (yes: boolean) => (yes ? then : otherwise);
  const plan = (db: Reader) => {
    const ids = set.ids(db);
    return [makeStep(effectFor(ids.length > limit), ids)];
  };
  for (const effect of effects) refuseConflicts(attempt, (db) => [makeStep(effect, set.ids(db))]);
  const effectSentence = (effect: Effect) =>
    words.sayPronoun(attempt.wording.pick(effect.frames)("them"));
  return {
    sentence: withContext(
      set.context,
      attempt.wording.pick(words.BRANCH_SENTENCES)(
        lowerFirstLetterIn(attempt),
        attempt.wording.pick(words.AT_LEAST_CONDITIONS)(set.afterNumber ?? many, limit + 1),
        effectSentence(then),
        effectSentence(otherwise),
      ),
    ),
    reads: [set.ids],
    plan,
    claims: set.claims,
    actionNames: [shape.then, shape.otherwise].map((action) => `action ${qualifiedName(action)}`),
    *program(style) {
      for (const cell of set.cells) yield cell(style);
      const { stdout } = yield `print(${set.keys}.length>${limit})`;
      yield* effectCells(effectFor(style === "hasty" || stdout.trim() === "true"), set.keys);
      return "";
    },
  };
}

function drawBoth(
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
    sentence: attempt.wording.pick(words.BOTH_SENTENCES)(
      lowerFirstLetterIn(attempt),
      goals[0].sentence,
      goals[1].sentence,
    ),
    reads: goals.flatMap(({ reads }) => reads),
    plan,
    claims: joinClaims(...goals.map(({ claims }) => claims)),
    actionNames: goals.flatMap(({ actionNames }) => actionNames),
    ...(answering ? { answer: answering.answer!, guesses: answering.guesses ?? [] } : {}),
    *program(style) {
      const first = yield* goals[0].program(style);
      if (style === "hasty") return first;
      const second = yield* goals[1].program(style);
      return [first, second].filter(Boolean).join();
    },
  };
}

/** Gives up the attempt when doing one goal changes what another goal reads. */
function refuseInterference(attempt: Attempt, goals: readonly DrawnGoal[]): void {
  for (const goal of goals) {
    const db = attempt.fresh();
    for (const { run } of goal.plan(db)) run(db);
    for (const other of goals) {
      if (other === goal) continue;
      if (!other.reads.every((ids) => equalIds(ids(db), ids(attempt.db))))
        throw new NothingToDraw();
    }
  }
}
