/**
 * Checks the arguments of public functions, for callers in JavaScript. Each check throws a `config` error of one line,
 * which names the argument, says what was expected and shows the value that came.
 */
import { BowlineError, didYouMean } from "./errors.ts";

const MAX_CHARACTERS = 60;

/** Formats a value on one line for an error message. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") return "a function";
  if (typeof value === "number" || typeof value === "symbol") return String(value);
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Date) return `a Date (${formatDate(value)})`;
  if (value instanceof Map || value instanceof Set) return `a ${value.constructor.name}`;
  if (value instanceof Promise) return "a promise";
  return truncateText(stringifyOrPlaceholder(value), MAX_CHARACTERS);
}

/** Cuts a text after `maxCharacters` and appends "..." if something was cut off. */
export function truncateText(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}...` : text;
}

function formatDate(date: Date): string {
  return Number.isNaN(date.getTime()) ? "invalid" : date.toISOString();
}

function stringifyOrPlaceholder(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "an object";
  } catch {
    return "an object";
  }
}

/**
 * Requires a whole number from `low` to `high`, both included. `meaningOfNothing` says what the caller's function does
 * when the argument is left out. It is used only in the message.
 */
export function requireInteger(
  name: string,
  value: unknown,
  low: number,
  high: number,
  meaningOfNothing?: string,
): asserts value is number {
  if (Number.isInteger(value) && (value as number) >= low && (value as number) <= high) return;
  const otherwise = meaningOfNothing ? ` (or nothing: ${meaningOfNothing})` : "";
  throw new BowlineError(
    "config",
    `${name}: expected a whole number from ${low} to ${high}${otherwise}, got ${formatValue(value)}`,
  );
}

/** Requires a seed: an unsigned integer of 32 bits. */
export function requireSeed(name: string, value: unknown): asserts value is number {
  requireInteger(name, value, 0, 2 ** 32 - 1);
}

/** Requires a string, which may be empty. */
export function requireText(name: string, value: unknown): asserts value is string {
  if (typeof value === "string") return;
  throw new BowlineError("config", `${name}: expected a string, got ${formatValue(value)}`);
}

/** Requires one of the names in `known`. */
export function requireOneOf<T extends string>(
  name: string,
  value: unknown,
  known: readonly T[],
): asserts value is T {
  if (known.some((name) => name === value)) return;
  const hint = typeof value === "string" ? didYouMean(value, known) : "";
  throw new BowlineError(
    "config",
    `${name}: expected ${known.join(", ")}, got ${formatValue(value)}${hint}`,
  );
}

/**
 * Requires a string that is not empty, such as a name or a path. `expected` says in the message what the string should
 * be.
 */
export function requireNonEmptyText(
  name: string,
  value: unknown,
  expected: string,
): asserts value is string {
  if (typeof value === "string" && value !== "") return;
  throw new BowlineError("config", `${name}: expected ${expected}, got ${formatValue(value)}`);
}

/** Requires an object that has only fields listed in `known`. */
export function requireKnownFields(name: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BowlineError(
      "config",
      `${name}: expected an object with ${known.join(", ")}, got ${formatValue(value)}`,
    );
  }
  const field = Object.keys(value).find((key) => !known.includes(key));
  if (field === undefined) return;
  throw new BowlineError(
    "config",
    `${name}: expected ${known.join(", ")}, got "${field}"${didYouMean(field, known)}`,
  );
}
