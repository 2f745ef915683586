/**
 * Arguments of public functions, checked where they come in: what a caller in JavaScript got wrong is one line that names
 * the argument, says what was expected and shows what came. Each throws a `config` error.
 */
import { BowlineError, didYouMean } from "./errors.ts";

const LONGEST_SHOWN = 60;

/** A value as an error message shows it, on one line. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") return "a function";
  if (typeof value === "number" || typeof value === "symbol") return String(value);
  if (typeof value === "bigint") return `${value}n`;
  return shortened(jsonOf(value), LONGEST_SHOWN);
}

/** Text of at most so many characters, and that it goes on. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}...` : text;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "an object";
  } catch {
    return "an object";
  }
}

/** A whole number from `low` to `high`, both included; `unless` says what leaving it out means, where that is right too. */
export function requireInteger(
  name: string,
  value: unknown,
  low: number,
  high: number,
  unless?: string,
): asserts value is number {
  if (Number.isInteger(value) && (value as number) >= low && (value as number) <= high) return;
  const otherwise = unless ? ` (or nothing: ${unless})` : "";
  throw new BowlineError(
    "config",
    `${name}: expected a whole number from ${low} to ${high}${otherwise}, got ${shown(value)}`,
  );
}

/** A seed of the library: an unsigned integer of 32 bits. */
export function requireSeed(name: string, value: unknown): asserts value is number {
  requireInteger(name, value, 0, 2 ** 32 - 1);
}

/** A text, which may be empty. */
export function requireText(name: string, value: unknown): asserts value is string {
  if (typeof value === "string") return;
  throw new BowlineError("config", `${name}: expected a text, got ${shown(value)}`);
}

/** One of the names in `known`. */
export function requireOneOf<T extends string>(
  name: string,
  value: unknown,
  known: readonly T[],
): asserts value is T {
  if (known.some((one) => one === value)) return;
  const hint = typeof value === "string" ? didYouMean(value, known) : "";
  throw new BowlineError(
    "config",
    `${name}: expected ${known.join(", ")}, got ${shown(value)}${hint}`,
  );
}

/** A name or a path: text that is not empty. `what` says in words what it names. */
export function requireName(name: string, value: unknown, what: string): asserts value is string {
  if (typeof value === "string" && value !== "") return;
  throw new BowlineError("config", `${name}: expected ${what}, got ${shown(value)}`);
}

/** An object without fields beside `known`. */
export function requireFields(name: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BowlineError(
      "config",
      `${name}: expected an object with ${known.join(", ")}, got ${shown(value)}`,
    );
  }
  const field = Object.keys(value).find((key) => !known.includes(key));
  if (field === undefined) return;
  throw new BowlineError(
    "config",
    `${name}: expected ${known.join(", ")}, got "${field}"${didYouMean(field, known)}`,
  );
}
