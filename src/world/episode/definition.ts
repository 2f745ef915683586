/**
 * Checks a world definition. It may be written in JavaScript or with forced types, so the kit checks what it relies on:
 * when the module is loaded, when the population is made, and when a scenario is drawn.
 */
import {
  BowlineError,
  didYouMean,
  explainLoadFailure,
  formatValue,
  isTrustError,
  loadUserModule,
  type ModuleOrigin,
  requireInteger,
} from "../../core/index.ts";
import { SPLITS } from "../../spec/index.ts";
import type { GoalOutcome, LaterSession, Profile, Task, WorldDefinition } from "../define.ts";

/**
 * The largest number of scenarios of one split. A larger number must be a mistake, because scenarios are kept in
 * memory, at about 2 KB each in a small world.
 */
export const MAX_SCENARIOS = 100_000;

/** Throws a `config` error unless the value can be the number of a split's scenarios. */
export function requireScenarioCount(scenarios: unknown): asserts scenarios is number {
  requireInteger("scenarios", scenarios, 1, MAX_SCENARIOS, "all that the world lists");
}

/**
 * Imports a world module and returns its definition. Throws a `world` error when that is not a world, and a `trust`
 * error when `origin` is a file whose modules this user has not trusted.
 */
export async function loadDefinition(
  moduleUrl: string,
  origin: ModuleOrigin,
): Promise<WorldDefinition> {
  return requireDefinition(moduleUrl, await importWorld(moduleUrl, origin));
}

/** Returns the default export of a world module as a definition. Throws a `world` error when it is none. */
export function requireDefinition(moduleUrl: string, exported: unknown): WorldDefinition {
  const definition = exported as Partial<WorldDefinition> | undefined;
  const fields = ["name", "now", "apps", "scenarios", "populate", "scenario"] as const;
  const missing = fields.filter((field) => definition?.[field] === undefined);
  if (missing.length === 0) return definition as WorldDefinition;
  throw new BowlineError(
    "world",
    definition === undefined
      ? `${moduleUrl} has no default export; expected \`export default defineWorld({ ... })\``
      : `the default export of ${moduleUrl} is no world: these fields are missing: ${missing.join(", ")}`,
  );
}

/** Imports a world module and returns its default export. Throws like `loadDefinition`. */
export async function importWorld(moduleUrl: string, origin: ModuleOrigin): Promise<unknown> {
  try {
    const module = await loadUserModule(moduleUrl, "world.name", origin);
    return module["default"];
  } catch (cause) {
    if (isTrustError(cause)) throw cause;
    throw new BowlineError(
      "world",
      `cannot load the world ${moduleUrl}: ${explainLoadFailure(cause, moduleUrl)}`,
      { cause },
    );
  }
}

/** Throws a `world` error, which names the field, unless version, apps and numbers of scenarios are valid. */
export function requireValidDefinition({ name, version, apps, scenarios }: WorldDefinition): void {
  const where = `world ${formatValue(name)}: `;
  if (version !== undefined && !isNonEmptyText(version)) {
    throw worldError(`${where}version: expected a text such as "2", got ${formatValue(version)}`);
  }
  if (!Array.isArray(apps))
    throw worldError(`${where}apps: expected a list, got ${formatValue(apps)}`);
  const splits = Object.entries(scenarios ?? {});
  if (splits.length === 0) {
    throw worldError(
      `${where}scenarios: expected a number for some of ${SPLITS.join(", ")}, got none`,
    );
  }
  for (const [split, count] of splits) {
    if (!SPLITS.some((known) => known === split)) {
      const hint = didYouMean(split, SPLITS);
      throw worldError(
        `${where}scenarios: expected ${SPLITS.join(", ")}, got ${formatValue(split)}${hint}`,
      );
    }
    if (Number.isInteger(count) && count! >= 1 && count! <= MAX_SCENARIOS) continue;
    throw worldError(
      `${where}scenarios.${split}: expected a whole number from 1 to ${MAX_SCENARIOS}, got ${formatValue(count)}; leave out a split without tasks`,
    );
  }
}

/** Throws a `world` error unless `populate` returned the person whom the agent works for. */
export function requireProfile(owner: Profile | undefined): void {
  for (const field of ["name", "email", "phone"] as const) {
    if (typeof owner?.[field] === "string") continue;
    throw worldError(
      `populate: expected it to return { name, email, phone } of the person whom the agent works for, but ${field} is ${formatValue(owner?.[field])}`,
    );
  }
}

/** Throws an error that says which of a scenario's three tasks is wrong, and why. */
export function requireThreeTasks(tasks: unknown): asserts tasks is readonly Task[] {
  if (!Array.isArray(tasks) || tasks.length !== 3) {
    throw worldError(
      `expected a list of three tasks, got ${Array.isArray(tasks) ? tasks.length : formatValue(tasks)}`,
    );
  }
  for (const [i, task] of (tasks as Partial<Task>[]).entries()) {
    const { signature, difficulty, instruction, goal, sessions = [] } = task ?? {};
    const rules: readonly [keyof Task, unknown, string, boolean][] = [
      ["signature", signature, "a text", isNonEmptyText(signature)],
      ["difficulty", difficulty, "1, 2 or 3", [1, 2, 3].includes(difficulty as number)],
      ["instruction", instruction, "a text", isNonEmptyText(instruction)],
      ["goal", goal, "a function", typeof goal === "function"],
      [
        "sessions",
        sessions,
        SESSIONS_EXPECTED,
        Array.isArray(sessions) && sessions.every(isSession),
      ],
    ];
    const broken = rules.find(([, , , holds]) => !holds);
    if (!broken) continue;
    const [field, value, expected] = broken;
    throw worldError(`task ${i + 1}: ${field}: expected ${expected}, got ${formatValue(value)}`);
  }
}

const SESSIONS_EXPECTED = "a list of { instruction, minutes } with minutes from 0 on";

function isSession(session: Partial<LaterSession> | undefined): boolean {
  const { instruction, minutes } = session ?? {};
  return isNonEmptyText(instruction) && Number.isFinite(minutes) && minutes! >= 0;
}

/** Throws an error that names the field unless the outcome of a goal is plain data that checks can compare. */
export function requirePlainOutcome(outcome: GoalOutcome | undefined): void {
  if (outcome === undefined || outcome === null) return;
  if (typeof outcome !== "object") {
    throw worldError(`expected { answer?, impossible?, guesses? }, got ${formatValue(outcome)}`);
  }
  const { answer, guesses, impossible } = outcome;
  if (answer !== undefined) requireAnswer("answer", answer);
  if (impossible !== undefined && typeof impossible !== "boolean") {
    throw worldError(`impossible: expected true or false, got ${formatValue(impossible)}`);
  }
  if (guesses === undefined) return;
  if (!Array.isArray(guesses)) {
    throw worldError(`guesses: expected a list of answers, got ${formatValue(guesses)}`);
  }
  for (const [i, guess] of guesses.entries()) requireAnswer(`guesses.${i}`, guess);
}

function requireAnswer(field: string, answer: unknown): void {
  const isItem = (item: unknown) => typeof item === "string" || Number.isFinite(item);
  if (isItem(answer) || typeof answer === "boolean") return;
  if (Array.isArray(answer) && answer.every(isItem)) return;
  throw worldError(
    `${field}: expected a text, a number, true, false, or a list of texts and numbers, got ${formatValue(answer)}`,
  );
}

function isNonEmptyText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function worldError(message: string): BowlineError {
  return new BowlineError("world", message);
}
