/**
 * The types of scenarios written by hand. A scenario has three tasks. The success of each task is also decided by a
 * predicate over the final state.
 *
 * The goal states what changes, and the kit derives checks from it. The verdict states with independent code what must
 * hold in the end. `bowline world check --split handmade` compares checks and verdict on final states that are right,
 * wrong and unchanged.
 */
import type { Difficulty, Profile, Reader, Rng, Task, Verdict, Writer } from "bowline/world";
import type { Group, Person } from "../apps/tables.ts";

export interface HandmadeTask {
  /** The instruction, as a person would write it. */
  readonly instruction: string;
  /** Inserts rows for this task alone, in addition to the population. */
  readonly setup?: (db: Writer) => void;
  /** Makes the intended changes directly on tables. */
  readonly goal: Task["goal"];
  /** Yields cells of code that make the same changes through the APIs, including logins. */
  readonly solution: NonNullable<Task["solution"]>;
  /** Other correct solutions. */
  readonly alternatives?: readonly HandmadeTask["solution"][];
  /** Returns true when the final state is right. It uses neither the goal nor the kit's checks. */
  readonly verdict: Verdict;
}

export interface HandmadeRequest {
  readonly rng: Rng;
  readonly base: Reader;
  /** Returns a new copy of `base` that may be written to. */
  readonly scratch: () => Writer;
  readonly owner: Profile;
  /** The people of the test-normal part, without those who are blocked. */
  readonly people: readonly Person[];
  /** The people close to the owner. Most unread messages, open requests and invitations come from them. */
  readonly circle: readonly Person[];
  /** The groups whose members are all in `people`. */
  readonly groups: readonly Group[];
}

export interface HandmadeScenario {
  /** A unique name in kebab-case, such as `archive-read-newsletters`. */
  readonly name: string;
  readonly difficulty: Difficulty;
  /** Makes the three tasks, which differ in people, rows or values. */
  readonly tasks: (request: HandmadeRequest) => readonly [HandmadeTask, HandmadeTask, HandmadeTask];
}

/** What one of the three tasks draws from. Each task has its own random stream and its own people. */
export interface TaskDraw extends HandmadeRequest {
  /** The number of the task: 0, 1 or 2. */
  readonly variant: number;
  /**
   * A random stream that is the same for all three tasks, so that `pickForTask` can give each task a different element.
   */
  readonly common: Rng;
}

/** Makes three tasks of one form. No two of them get the same person in `people`. */
export function makeThreeTasks(
  request: HandmadeRequest,
  make: (draw: TaskDraw) => HandmadeTask,
): readonly [HandmadeTask, HandmadeTask, HandmadeTask] {
  const people = request.rng.child("people").shuffle(request.people);
  const makeTask = (variant: number) =>
    make({
      ...request,
      variant,
      common: request.rng.child("common"),
      rng: request.rng.child(variant),
      people: people.filter((_, i) => i % 3 === variant),
    });
  return [makeTask(0), makeTask(1), makeTask(2)];
}

/**
 * Picks an element of the list, a different one for each of the three tasks. Throws when the list has fewer than three.
 */
export function pickForTask<T>({ common, variant }: TaskDraw, list: readonly T[]): T {
  if (list.length < 3)
    throw new Error(
      `expected a list of at least three elements, one for each task, got ${list.length}`,
    );
  return common.shuffle(list)[variant]!;
}

/** Defines a scenario whose three tasks have the same form. */
export function defineScenario(
  name: string,
  difficulty: Difficulty,
  make: (draw: TaskDraw) => HandmadeTask,
): HandmadeScenario {
  return { name, difficulty, tasks: (request) => makeThreeTasks(request, make) };
}
