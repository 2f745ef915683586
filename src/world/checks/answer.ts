/**
 * Decides whether an answer is right: numbers within half a cent, text as `comparedText` compares it, lists as sets.
 *
 * The form may vary, the content may not: "$1,250.00" is 1250, "yes" is true, and ["b", "a"] is ["A", "B"].
 */
import type { Answer } from "../define.ts";
import { comparedText } from "./compared-text.ts";

const HALF_A_CENT = 0.005 + 1e-9;

/** Returns true when the given answer means the expected one. A missing answer is never right. */
export function isSameAnswer(expected: Answer, given: Answer | undefined): boolean {
  if (given === undefined) return false;
  if (typeof expected === "object") return equalSets(expected, toList(given));
  if (typeof given === "object") return given.length === 1 && isSameAnswer(expected, given[0]);
  if (typeof expected === "boolean") return parseBoolean(given) === expected;
  if (typeof given === "boolean") return false;
  return equalScalars(expected, given);
}

function equalSets(expected: readonly (string | number)[], given: readonly Answer[]): boolean {
  const covers = (a: readonly Answer[], b: readonly Answer[]) =>
    a.every((item) => b.some((other) => isSameAnswer(item, other)));
  return covers(expected, given) && covers(given, expected);
}

function toList(answer: Answer): readonly Answer[] {
  return typeof answer === "object" ? answer : [answer];
}

function equalScalars(expected: string | number, given: string | number): boolean {
  const [a, b] = [parseNumber(expected), parseNumber(given)];
  if (a !== undefined && b !== undefined && !isCode(expected)) {
    return Math.abs(a.value - b.value) <= HALF_A_CENT && haveSameCurrency(a, b);
  }
  if (typeof expected === "number" || typeof given === "number") return false;
  return comparedText(expected) === comparedText(given);
}

interface ParsedNumber {
  readonly value: number;
  /** The sign of the currency, or "" without one. */
  readonly currency: string;
}

function parseNumber(value: string | number): ParsedNumber | undefined {
  if (typeof value === "number") return { value, currency: "" };
  const [, minus, currency = "", digits] = /^(-?)([$€£]?)(.*)$/s.exec(value.trim()) ?? [];
  if (digits === undefined || !/^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(digits)) return undefined;
  return { value: Number(minus + digits.replaceAll(",", "")), currency };
}

/** A number without a currency may be in any. */
function haveSameCurrency(a: ParsedNumber, b: ParsedNumber): boolean {
  return a.currency === "" || b.currency === "" || a.currency === b.currency;
}

/** Returns whether a text of digits names something instead of counting it, such as the code "0042". */
function isCode(expected: string | number): boolean {
  return typeof expected === "string" && /^\s*0\d/.test(expected);
}

function parseBoolean(value: string | number | boolean): boolean | undefined {
  const word = String(value).trim().toLowerCase();
  return word === "true" || word === "yes"
    ? true
    : word === "false" || word === "no"
      ? false
      : undefined;
}
