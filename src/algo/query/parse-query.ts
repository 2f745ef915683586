/**
 * Parses a query: a question of rollouts, the same in the studio, in the shell and in the library.
 *
 *     status:422 outcome:finished            both must hold
 *     check:"nothing extra" failed           quotes hold a value with spaces together
 *     iteration:5..8 return<0.5 tokens>=400  numbers
 *     outcome:turn-limit,token-limit         one of several values
 *     -api:docs refund                       a minus negates; other words are looked for in the text
 */
import { BowlineError, didYouMean } from "../../core/index.ts";
import { fieldNamed, QUERY_FIELDS, type QueryFieldName } from "./query-fields.ts";

/** A condition on a number. Both ends are included, unless they are named as exclusive. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
  readonly excludes?: "from" | "to";
}

/** One condition of a query. A rollout matches a query if all its terms hold. */
export type QueryTerm = { readonly negated: boolean } & (
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "number"; readonly field: QueryFieldName; readonly ranges: NumberRange[] }
  | { readonly kind: "value"; readonly field: QueryFieldName; readonly values: string[] }
  | { readonly kind: "check"; readonly names: string[]; readonly passed: boolean }
);

/** A parsed query: a list of conditions that must all hold. */
export interface Query {
  readonly terms: readonly QueryTerm[];
}

type Operator = ":" | "<" | "<=" | ">" | ">=";
const SYNTAX = /\s*(-?)(?:([a-zA-Z]+)(:|<=|>=|<|>))?((?:"[^"]*"|[^\s"])*)/y;

/** Parses a query. An empty one matches everything. Throws a `config` error that names the word that is wrong. */
export function parseQuery(text: string): Query {
  const quotes = [...text].filter((character) => character === '"').length;
  if (quotes % 2 === 1) throw queryError(text, "a quote is opened and not closed");
  const terms: QueryTerm[] = [];
  SYNTAX.lastIndex = 0;
  while (text.slice(SYNTAX.lastIndex).trim() !== "") {
    const [word, minus, name, operator, value] = SYNTAX.exec(text)!;
    const previous = terms.at(-1);
    const result = CHECK_RESULTS.get(word.trim());
    if (result !== undefined && previous?.kind === "check")
      terms[terms.length - 1] = { ...previous, passed: result };
    else terms.push(parseTerm(text, minus === "-", name, operator as Operator, value!));
  }
  return { terms };
}

/** The words that may follow `check:NAME`. */
const CHECK_RESULTS = new Map([
  ["failed", false],
  ["passed", true],
]);

function parseTerm(
  query: string,
  negated: boolean,
  name: string | undefined,
  operator: Operator,
  value: string,
): QueryTerm {
  if (name === undefined) return { negated, kind: "text", text: parseFreeText(query, value) };
  const field = parseFieldName(query, name, operator);
  if (fieldNamed(field).kind === "number")
    return { negated, kind: "number", field, ranges: parseRanges(query, field, operator, value) };
  if (operator !== ":")
    throw queryError(query, `${field} is not a number: write ${field}:${value || "value"}`);
  const values = splitAlternatives(value);
  if (values.length === 0) throw queryError(query, `${field}: has no value`);
  if (field === "check") return { negated, kind: "check", names: values, passed: false };
  for (const one of values) requireKnownValue(query, field, one);
  return { negated, kind: "value", field, values };
}

function parseFreeText(query: string, value: string): string {
  const text = value.replaceAll('"', "");
  if (text === "") throw queryError(query, "a minus or a pair of quotes stands alone");
  return text;
}

function parseFieldName(query: string, name: string, operator: string): QueryFieldName {
  if (Object.hasOwn(QUERY_FIELDS, name)) return name as QueryFieldName;
  const names = Object.keys(QUERY_FIELDS);
  throw queryError(
    query,
    `there is no field ${name}${didYouMean(name, names) || ` (fields: ${names.join(", ")})`}; to search for the text, write it in quotes: "${name}${operator}..."`,
  );
}

function requireKnownValue(query: string, field: QueryFieldName, value: string): void {
  const { values } = fieldNamed(field);
  if (!values || values.some((known) => known.toLowerCase() === value.toLowerCase())) return;
  throw queryError(query, `${field} is one of ${values.join(", ")}, and not ${value}`);
}

/** Splits `a,"b, c"` at the commas that stand outside of quotes. */
function splitAlternatives(value: string): string[] {
  const found = value.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  return found.map((one) => one.replaceAll('"', "")).filter((one) => one !== "");
}

function parseRanges(
  query: string,
  field: string,
  operator: Operator,
  value: string,
): NumberRange[] {
  const ranges = value.split(",").map((one) => parseRange(operator, one));
  if (ranges.every((range) => range !== undefined)) return ranges;
  throw queryError(
    query,
    `${field} compares numbers, and ${JSON.stringify(value)} is none: write ${field}:5, ${field}:5..8, ${field}<5 or ${field}>=5`,
  );
}

const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?$/;

function parseRange(operator: Operator, value: string): NumberRange | undefined {
  const [first = "", last = first, ...rest] = operator === ":" ? value.split("..") : [value];
  const isOpen = value.includes("..");
  if (rest.length > 0 || (first === "" && last === "")) return undefined;
  if (![first, last].every((end) => NUMBER.test(end) || (isOpen && end === ""))) return undefined;
  const from = first === "" ? -Infinity : Number(first);
  const to = last === "" ? Infinity : Number(last);
  if (operator === ":") return { from, to };
  if (operator.startsWith("<"))
    return { from: -Infinity, to, ...(operator === "<" && { excludes: "to" }) };
  return { from, to: Infinity, ...(operator === ">" && { excludes: "from" }) };
}

function queryError(query: string, problem: string): BowlineError {
  return new BowlineError(
    "config",
    `the query ${JSON.stringify(query)} cannot be read: ${problem}`,
  );
}
