/**
 * Questions about a set: the right answer according to its meaning, the code that computes it, and the words that ask
 * for it.
 */
import type { Answer, Reader, TableRow } from "../world/index.ts";
import { type Claims, makeFieldClaim } from "./claims.ts";
import type { Attempt } from "./draw.ts";
import { carefulCells, type DrawnSet } from "./drawn-set.ts";
import type { Field } from "./parts.ts";
import type { Question } from "./shapes.ts";
import * as words from "./words.ts";

export const fieldsInQuestion = (question: Question) => [
  ...("field" in question ? [question.field] : []),
  ...("label" in question ? [question.label] : []),
];

/** Makes a claim about a field of the rows in a set. The set's cells leave the items in a variable. */
export function claimAboutField(set: DrawnSet, field: Field<never>): Claims {
  const cells = carefulCells(set.cells);
  const rows = (db: Reader) => rowsOfSet(set, db, set.ids(db));
  return makeFieldClaim(set.collection!, field, cells, set.items!, rows);
}

export function rowsOfSet(
  { collection }: DrawnSet,
  db: Reader,
  ids: readonly number[],
): TableRow[] {
  return ids.map((id) => db.get(collection!.table, id)!);
}

/** Computes the answer to a question about rows; undefined when there is no single answer. */
export function evaluateQuestion(
  question: Question,
  rows: readonly TableRow[],
  db: Reader,
): Answer | undefined {
  const readField = (field: Field<never>) => (row: TableRow) =>
    (field as unknown as Field<TableRow>).value(row, db);
  switch (question.type) {
    case "count":
      return rows.length;
    case "sum":
    case "average": {
      const total = rows
        .map(readField(question.field))
        .reduce((sum: number, x) => sum + Number(x), 0);
      return roundToHundredths(question.type === "sum" ? total : total / rows.length);
    }
    case "list":
      return [...new Set(rows.map(readField(question.field)))];
    case "extreme": {
      const value = readField(question.field);
      const sign = question.end === "most" ? -1 : 1;
      const [first, second] = rows.toSorted((a, b) => (value(a) < value(b) ? -sign : sign));
      if (!first || !second || value(first) === value(second)) return undefined;
      return readField(question.label)(first);
    }
  }
}

export const roundToHundredths = (x: number) => Math.round(x * 100) / 100;

export function answerCode(question: Question, items: string): string {
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

/** Writes the question about a set. `many` is its noun in the plural, and `counted` follows "the number of". */
export function questionSentence(
  attempt: Attempt,
  question: Question,
  { kind, many = "", counted = many }: Pick<DrawnSet, "kind" | "many" | "counted">,
): string {
  switch (question.type) {
    case "count":
      return attempt.wording.pick(words.COUNT_QUESTIONS)(counted);
    case "sum":
      return attempt.wording.pick(words.SUM_QUESTIONS)(question.field.noun, many);
    case "average":
      return attempt.wording.pick(words.AVERAGE_QUESTIONS)(question.field.noun, many);
    case "list":
      return attempt.wording.pick(words.LIST_QUESTIONS)(question.field.noun, many);
    case "extreme": {
      const rank = attempt.wording.pick(question.field.superlatives![question.end]);
      const its = kind === "people" ? "their" : "its";
      return attempt.wording.pick(words.EXTREME_QUESTIONS)(question.label.noun, rank, many, its);
    }
  }
}

/** Returns true for answers that an agent might guess without looking. */
export function isGuessable(answer: Answer): boolean {
  if (Array.isArray(answer)) return answer.length < 2;
  const text = String(answer).trim().toLowerCase();
  return ["", "0", "1", "2", "yes", "no", "true", "false"].includes(text);
}

export function equalAnswers(a: Answer, b: Answer): boolean {
  const comparableText = (answer: Answer) =>
    JSON.stringify(Array.isArray(answer) ? [...answer].sort() : answer);
  return comparableText(a) === comparableText(b);
}
