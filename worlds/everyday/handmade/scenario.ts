/**
 * A scenario written by hand: three tasks, each of whose success is also decided by a predicate over the final state.
 *
 * The goal says what changes (the kit derives checks from it); the verdict says, in other words and by other code, what
 * must be so in the end. `bowline world check --split handmade` compares the two on right, wrong and idle endings.
 */
import type { Difficulty, Profile, Reader, Rng, Task, Verdict, Writer } from "bowline/world";
import type { Group, Person } from "../apps/tables.ts";

export interface HandmadeTask {
  /** As a person writes it. */
  readonly instruction: string;
  /** Rows of this task alone, on top of the population. */
  readonly setup?: (db: Writer) => void;
  /** The intended changes, made directly on tables. */
  readonly goal: Task["goal"];
  /** Cells of code that reach the same through the APIs, logins included. */
  readonly solution: NonNullable<Task["solution"]>;
  /** Other right ways. */
  readonly alternatives?: readonly HandmadeTask["solution"][];
  /** True when the final state is right. Written without the goal and without the kit's checks. */
  readonly verdict: Verdict;
}

export interface HandmadeRequest {
  readonly rng: Rng;
  readonly base: Reader;
  /** A fresh copy of `base` that may be written. */
  readonly scratch: () => Writer;
  readonly owner: Profile;
  /** People of the test-normal part, none of them blocked. */
  readonly people: readonly Person[];
  /** The owner's close ones, from whom most of what waits for the owner comes. */
  readonly circle: readonly Person[];
  /** Groups of `people` alone. */
  readonly groups: readonly Group[];
}

export interface HandmadeScenario {
  /** Unique, in kebab-case: `archive-read-newsletters`. */
  readonly name: string;
  readonly difficulty: Difficulty;
  /** The three differ in people, rows or values. */
  readonly tasks: (request: HandmadeRequest) => readonly [HandmadeTask, HandmadeTask, HandmadeTask];
}

/** What one of the three tasks draws from: a stream of its own and people of its own. */
export interface Draw extends HandmadeRequest {
  /** 0, 1 or 2. */
  readonly variant: number;
  /** The same stream for all three tasks, so that each may take another one of a list; see `turn`. */
  readonly common: Rng;
}

/** Three tasks of one form. No person of `people` is given to two of them. */
export function thrice(
  request: HandmadeRequest,
  make: (draw: Draw) => HandmadeTask,
): readonly [HandmadeTask, HandmadeTask, HandmadeTask] {
  const people = request.rng.child("people").shuffle(request.people);
  const task = (variant: number) =>
    make({
      ...request,
      variant,
      common: request.rng.child("common"),
      rng: request.rng.child(variant),
      people: people.filter((_, i) => i % 3 === variant),
    });
  return [task(0), task(1), task(2)];
}

/** One of the list, another one for each of the three tasks. Throws when there are fewer than three. */
export function turn<T>({ common, variant }: Draw, list: readonly T[]): T {
  if (list.length < 3) throw new Error(`expected three to choose from, got ${list.length}`);
  return common.shuffle(list)[variant]!;
}

/** A scenario whose three tasks have one form. */
export function errand(
  name: string,
  difficulty: Difficulty,
  make: (draw: Draw) => HandmadeTask,
): HandmadeScenario {
  return { name, difficulty, tasks: (request) => thrice(request, make) };
}
