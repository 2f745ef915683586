/**
 * Counters that show whether a mechanism has any effect: how often it could have acted in an iteration, and how often
 * it acted.
 *
 * A field that is set does not prove that its mechanism acts: a judge may give no marks, a filter may find no rollout,
 * a buffer may never be used. So each mechanism defines how its work shows in the results of an iteration, such as
 * records, advantages, and the rows of the objective. Counters look at this evidence and not at whether the field is
 * set. When the mechanism did not act, they count 0.
 */
import type { GradedRollout, TaskTable } from "../../algo/index.ts";
import type { Renderer, Rollout, TaskInfo } from "../../spec/index.ts";
import type { OnPolicyState } from "../on-policy/on-policy-state.ts";
import type { FiringCount, LearningRecord } from "./learning-record.ts";

export type { FiringCount, LearningRecord } from "./learning-record.ts";

/** The results of one iteration, which counters look at. */
export interface Evidence {
  /** Number of the iteration, counted from 1. */
  readonly number: number;
  /** Configuration of this iteration. */
  readonly config: object;
  /** The configuration of the previous iteration; undefined in the first one. */
  readonly previous: object | undefined;
  readonly rollouts: readonly Rollout[];
  readonly graded: readonly GradedRollout[];
  readonly record: LearningRecord;
  /** The number of pairs of turns that were found while rollouts were collected (by tree search). */
  readonly pairs: number;
  readonly metrics: Readonly<Record<string, number>>;
  /** What the method remembered before the iteration. */
  readonly before: OnPolicyState;
  /** What the method remembers after the iteration. */
  readonly after: OnPolicyState;
  /** All training tasks. */
  readonly tasks: readonly TaskInfo[];
  /** Statistics of tasks before the iteration. */
  readonly table: TaskTable;
  readonly renderer: Renderer;
  /** Number of demonstrations that the warm start used. */
  readonly demonstrations: number;
}

/** A mechanism, with the rule that says when a configuration enables it and the counter of its actions. */
export interface Mechanism {
  /** Returns whether a configuration enables the mechanism. */
  readonly isOn: (config: object) => boolean;
  /** The items that are counted, as a plural noun. */
  readonly unit: string;
  readonly count: (evidence: Evidence) => FiringCount;
}

/** Counts how many items there are, and on how many the mechanism acted. */
export function countActed<T>(items: readonly T[], acted: (item: T) => boolean): FiringCount {
  return { meant: items.length, fired: items.filter(acted).length };
}

/** Returns the value of a configuration field by its path, or undefined when the configuration has no such field. */
export function readField(config: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null
          ? (value as Record<string, unknown>)[name]
          : undefined,
      config,
    );
}

/**
 * Returns a function that tells whether a configuration has this field and it is not off: not null, false, 0 or `none`.
 */
export function isFieldSet(path: string): (config: object) => boolean {
  return (config) => {
    const value = readField(config, path);
    return (
      value !== undefined && value !== null && value !== false && value !== 0 && value !== "none"
    );
  };
}

/** Returns a function that tells whether a configuration field has one of these values. */
export function isFieldOneOf(
  path: string,
  ...values: readonly unknown[]
): (config: object) => boolean {
  return (config) => values.includes(readField(config, path));
}

/** Returns a function that tells whether all of these conditions hold for a configuration. */
export function allHold(
  ...conditions: readonly ((config: object) => boolean)[]
): (config: object) => boolean {
  return (config) => conditions.every((holds) => holds(config));
}

/** Returns whether two numbers differ by more than rounding can explain. */
export function differsBeyondRounding(a: number, b: number): boolean {
  return Math.abs(a - b) > 1e-9;
}

/** Returns whether some value differs from the first one by more than rounding. */
export function hasDifferentValues(values: ArrayLike<number>): boolean {
  return Array.from(values).some((value) => differsBeyondRounding(value, values[0]!));
}
