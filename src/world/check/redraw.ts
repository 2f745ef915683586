/**
 * Checks that a task is the same when it is drawn again. It is drawn again in the same thread with another time and
 * another source of randomness (`SecondDrawing`), and in another thread, which loaded the module itself
 * (`compareFingerprints`). Threads and runs draw tasks again from the seed. So a scenario that uses `Math.random` would
 * show one instruction and run another.
 */
import { errorMessage, runWithOtherTimeAndRandomness, truncateText } from "../../core/index.ts";
import { findUserCodePlace } from "../api/index.ts";
import type { TableRow } from "../define.ts";
import { WorldInstance } from "../episode/index.ts";

/** Everything about a task, field by field, as text. Lists are kept as lists of lines. It is plain data. */
export type TaskFingerprint = Readonly<Record<string, string | readonly string[]>>;

/** Returns everything about a task as text. Draws the task if it was not drawn yet. */
export function fingerprintTask(world: WorldInstance, taskId: string): TaskFingerprint {
  const { info, state, checks } = world.prepareTask(taskId);
  const toLines = (changes: readonly object[]) => changes.map((change) => JSON.stringify(change));
  return {
    instruction: info.instruction,
    signature: info.signature,
    difficulty: String(info.difficulty),
    "start state": toLines(state.changesSince(world.copyPopulation())),
    "intended change": toLines(checks.intended),
    "intended end": JSON.stringify(checks.outcome),
  };
}

/** Says in which field two fingerprints differ; undefined when they are equal. */
export function compareFingerprints(
  one: TaskFingerprint,
  other: TaskFingerprint,
): string | undefined {
  for (const [field, value] of Object.entries(one)) {
    const found = firstDifference(value, other[field] ?? "");
    if (found) return `its ${field} is ${found[0]} and ${found[1]}`;
  }
  return undefined;
}

function firstDifference(
  one: string | readonly string[],
  other: string | readonly string[],
): readonly [string, string] | undefined {
  if (typeof one === "string" || typeof other === "string")
    return one === other
      ? undefined
      : [shortLine(JSON.stringify(one)), shortLine(JSON.stringify(other))];
  const length = Math.max(one.length, other.length);
  const at = Array.from({ length }, (_, i) => i).find((i) => one[i] !== other[i]);
  return at === undefined
    ? undefined
    : [shortLine(one[at] ?? "nothing"), shortLine(other[at] ?? "nothing")];
}

const MAX_LINE_CHARS = 160;
const shortLine = (text: string) => truncateText(text, MAX_LINE_CHARS);

/** The rows of the population by table. It is plain data. */
export type Population = Readonly<Record<string, readonly TableRow[]>>;

export function readPopulation(world: WorldInstance): Population {
  const state = world.copyPopulation();
  const { tables } = world.dispatcher.catalog;
  return Object.fromEntries(tables.map((table) => [table.name, state.all(table)]));
}

/** Says in which row two populations differ; undefined when they hold the same rows. */
export function comparePopulations(one: Population, other: Population): string | undefined {
  const toLines = (rows: readonly TableRow[] = []) => rows.map((row) => JSON.stringify(row));
  for (const [table, rows] of Object.entries(one)) {
    const found = firstDifference(toLines(rows), toLines(other[table]));
    if (found) return `the population's table ${table} has the row ${found[0]} and ${found[1]}`;
  }
  return undefined;
}

/** Describes a world that is not the same when it is made twice: what differs, and the cause if it is known. */
export function explainUnsteadiness(difference: string, blame?: string): string {
  const advice =
    "use the rng that populate and scenario get, and take the time from the world's `now`";
  return blame === undefined
    ? `not the same when it is drawn again: ${difference}; look for Math.random, Date.now, and variables of the module that an earlier drawing changed: ${advice}`
    : `not the same when it is drawn again: ${difference}; it uses ${blame}: ${advice}`;
}

/** The same world, made a second time in this thread with another time and another source of randomness. */
export class SecondDrawing {
  readonly #first: WorldInstance;
  readonly #second: WorldInstance;
  readonly #askedFor = new Set<string>();
  readonly #population: string | undefined;

  constructor(first: WorldInstance) {
    this.#first = first;
    const { definition, seed, dials } = first;
    const { watch } = first.dispatcher;
    this.#second = this.#runElsewhere(() => new WorldInstance(definition, seed, dials, watch));
    const difference = comparePopulations(readPopulation(first), readPopulation(this.#second));
    this.#population = difference && this.#explain(difference);
  }

  /** Says what differs when the task is drawn again; undefined when nothing does. */
  compareTask(taskId: string): string | undefined {
    if (this.#population !== undefined) return this.#population;
    this.#askedFor.clear();
    try {
      const second = this.#runElsewhere(() => fingerprintTask(this.#second, taskId));
      const found = compareFingerprints(fingerprintTask(this.#first, taskId), second);
      return found && this.#explain(found);
    } catch (error) {
      return this.#explain(errorMessage(error));
    }
  }

  #explain(difference: string): string {
    const [blame] = this.#askedFor;
    return explainUnsteadiness(difference, blame);
  }

  /** Runs code with another time and other randomness, and records where the world's own code used either of them. */
  #runElsewhere<T>(run: () => T): T {
    return runWithOtherTimeAndRandomness(run, (name, from) => {
      const place = findUserCodePlace(from);
      if (place !== undefined) this.#askedFor.add(`${name} at ${place}`);
    });
  }
}
