/**
 * Conditions that choose between two goals: a fact, count or sum, with a limit that makes the condition true or false
 * as required.
 */
import type { Reader } from "../world/index.ts";
import { type Claims, joinClaims, makeFactClaim } from "./claims.ts";
import { type Attempt, makeDrawContext, NothingToDraw, requireDrawn } from "./draw.ts";
import {
  COUNTING_LIMITS,
  carefulCells,
  type DrawnSet,
  drawSet,
  type IdsInState,
} from "./drawn-set.ts";
import { answerCode, claimAboutField, evaluateQuestion, rowsOfSet } from "./questions.ts";
import type { Condition, Question } from "./shapes.ts";
import * as words from "./words.ts";

export interface DrawnCondition {
  /** A sentence that introduces what the condition is about. */
  readonly context?: string;
  readonly text: string;
  readonly claims: Claims;
  readonly holds: (db: Reader) => boolean;
  readonly reads: readonly IdsInState[];
  readonly cells: readonly string[];
  /** A JavaScript expression that is true when the condition holds. */
  readonly code: string;
}

export function countLimit(distance: number, count: number, truth: boolean): number {
  return truth ? Math.max(1, count - 1 - distance) : count + distance;
}

export function drawCondition(
  attempt: Attempt,
  path: string,
  condition: Condition,
  truth: boolean,
): DrawnCondition {
  const { rng } = makeDrawContext(attempt, `${path}.limit`);
  if (condition.type === "fact") {
    const { fact } = condition;
    const limit = amountLimit(fact.value(attempt.db), rng.integer(5, 40), truth, fact.unit);
    return {
      text: attempt.wording.pick(words.ABOVE_CONDITIONS)(
        attempt.wording.pick(fact.words),
        limit.words,
      ),
      holds: (db) => fact.value(db) > limit.value,
      claims: makeFactClaim(fact),
      reads: [],
      cells: [],
      code: `${fact.code}>${limit.value}`,
    };
  }
  const set = drawSet(attempt, `${path}.set`, condition.set, COUNTING_LIMITS);
  const many = requireDrawn(set.many);
  const cells = carefulCells(set.cells);
  if (condition.type === "count") {
    const limit = countLimit(rng.integer(0, 3), set.ids(attempt.db).length, truth);
    return {
      ...introduction(set),
      text: attempt.wording.pick(words.AT_LEAST_CONDITIONS)(set.afterNumber ?? many, limit + 1),
      holds: (db) => set.ids(db).length > limit,
      claims: set.claims,
      reads: [set.ids],
      cells,
      code: `${set.items}.length>${limit}`,
    };
  }
  const sum: Question = { type: "sum", field: condition.field };
  const sumOfField = (db: Reader) =>
    Number(evaluateQuestion(sum, rowsOfSet(set, db, set.ids(db)), db));
  const unit = condition.field.unit === "money" ? "money" : "number";
  const limit = amountLimit(sumOfField(attempt.db), rng.integer(5, 40), truth, unit);
  return {
    ...introduction(set),
    text: attempt.wording.pick(words.ABOVE_CONDITIONS)(
      `the total ${condition.field.noun} of the ${many}`,
      limit.words,
    ),
    holds: (db) => sumOfField(db) > limit.value,
    claims: joinClaims(set.claims, claimAboutField(set, condition.field)),
    reads: [set.ids],
    cells,
    code: `${answerCode(sum, set.items!)}>${limit.value}`,
  };
}

const introduction = ({ context }: DrawnSet) => (context === undefined ? {} : { context });

/**
 * Returns a whole number that differs from `value` by so many percent, on the side that makes "above" true or false.
 */
export function amountLimit(
  value: number,
  percent: number,
  truth: boolean,
  unit: "money" | "number",
) {
  if (value < 2) throw new NothingToDraw();
  const limit = truth
    ? Math.floor(value * (1 - percent / 100))
    : Math.ceil(value * (1 + percent / 100));
  return { value: limit, words: unit === "money" ? `$${limit}` : String(limit) };
}
