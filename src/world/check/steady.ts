/**
 * Whether a task is the same task when it is drawn again: in the same thread, at another time and by other chance
 * (`SecondDrawing`), and by another thread, which loaded the module itself (`differenceOf` two prints). Threads and runs draw
 * tasks anew from the seed, so a scenario that asks `Math.random` shows one instruction and runs another.
 */
import { elsewhere, messageOf, shortened } from "../../core/index.ts";
import { placeOf } from "../api/index.ts";
import type { TableRow } from "../define.ts";
import { WorldInstance } from "../episode/index.ts";

/** All that a task is, field by field, as text; of lists the first line that differs is shown. Plain data. */
export type TaskPrint = Readonly<Record<string, string | readonly string[]>>;

/** Draws the task where that was not done yet. */
export function printOf(world: WorldInstance, taskId: string): TaskPrint {
  const { info, state, checks } = world.start(taskId);
  const lines = (changes: readonly object[]) => changes.map((change) => JSON.stringify(change));
  return {
    instruction: info.instruction,
    signature: info.signature,
    difficulty: String(info.difficulty),
    "start state": lines(state.changesSince(world.scratch())),
    "intended change": lines(checks.intended),
    "intended end": JSON.stringify(checks.outcome),
  };
}

/** Undefined where both are equal. */
export function differenceOf(one: TaskPrint, other: TaskPrint): string | undefined {
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
    return one === other ? undefined : [lineOf(JSON.stringify(one)), lineOf(JSON.stringify(other))];
  const length = Math.max(one.length, other.length);
  const at = Array.from({ length }, (_, i) => i).find((i) => one[i] !== other[i]);
  return at === undefined
    ? undefined
    : [lineOf(one[at] ?? "nothing"), lineOf(other[at] ?? "nothing")];
}

const LONGEST = 160;
const lineOf = (text: string) => shortened(text, LONGEST);

/** The rows of the population, by table. Plain data. */
export type Population = Readonly<Record<string, readonly TableRow[]>>;

export function populationOf(world: WorldInstance): Population {
  const state = world.scratch();
  const { tables } = world.dispatcher.catalog;
  return Object.fromEntries(tables.map((table) => [table.name, state.all(table)]));
}

/** Undefined where both hold the same rows. */
export function populationDifference(one: Population, other: Population): string | undefined {
  const lines = (rows: readonly TableRow[] = []) => rows.map((row) => JSON.stringify(row));
  for (const [table, rows] of Object.entries(one)) {
    const found = firstDifference(lines(rows), lines(other[table]));
    if (found) return `the population's table ${table} has the row ${found[0]} and ${found[1]}`;
  }
  return undefined;
}

/** How a world that is not steady is told of: what differs, and what is to blame where that is known. */
export function unsteady(difference: string, blame?: string): string {
  const advice =
    "draw from the rng that populate and scenario are given, and take time from the world's `now`";
  return blame === undefined
    ? `not the same when it is drawn again: ${difference}; look for Math.random, Date.now, and what an earlier drawing left in a variable of the module: ${advice}`
    : `not the same when it is drawn again: ${difference}; it asks ${blame}: ${advice}`;
}

/** The same world made a second time in this thread, elsewhere in time and chance. */
export class SecondDrawing {
  readonly #first: WorldInstance;
  readonly #second: WorldInstance;
  readonly #uses = new Set<string>();
  readonly #population: string | undefined;

  constructor(first: WorldInstance) {
    this.#first = first;
    const { definition, seed, dials } = first;
    this.#second = this.#elsewhere(() => new WorldInstance(definition, seed, dials));
    this.#second.dispatcher.watch = first.dispatcher.watch;
    const difference = populationDifference(populationOf(first), populationOf(this.#second));
    this.#population = difference && this.#told(difference);
  }

  /** What is another when the task is drawn again; undefined when nothing is. */
  difference(taskId: string): string | undefined {
    if (this.#population !== undefined) return this.#population;
    this.#uses.clear();
    try {
      const second = this.#elsewhere(() => printOf(this.#second, taskId));
      const found = differenceOf(printOf(this.#first, taskId), second);
      return found && this.#told(found);
    } catch (error) {
      return this.#told(messageOf(error));
    }
  }

  #told(difference: string): string {
    const [blame] = this.#uses;
    return unsteady(difference, blame);
  }

  /** Remembers what the world's own code asked for, and where. */
  #elsewhere<T>(run: () => T): T {
    return elsewhere(run, (name, from) => {
      const place = placeOf(from);
      if (place !== undefined) this.#uses.add(`${name} at ${place}`);
    });
  }
}
