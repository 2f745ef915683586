/**
 * Whether a mechanism does anything: a counter of what it was meant for in an iteration, and of where it acted.
 *
 * A field that is set is no proof. A judge may say nothing, a filter may meet nothing, a buffer may never be asked for the
 * same task again. So each mechanism declares how its work shows in what an iteration leaves: records, advantages, the rows
 * that the objective saw. Counters look at that evidence and not at whether the field is set; without their mechanism
 * they read 0.
 */
import type { GradedRollout, TaskTable } from "../../algo/index.ts";
import type { Renderer, Rollout, TaskInfo } from "../../spec/index.ts";
import type { OnPolicyState } from "../on-policy/on-policy-state.ts";
import type { FiringCount, LearningRecord } from "./learning-record.ts";

export type { FiringCount, LearningRecord } from "./learning-record.ts";

/** What one iteration leaves to look at. */
export interface Evidence {
  /** 1-based. */
  readonly number: number;
  /** Of this iteration, and of the one before; undefined before the first. */
  readonly config: object;
  readonly previous: object | undefined;
  readonly rollouts: readonly Rollout[];
  readonly graded: readonly GradedRollout[];
  readonly record: LearningRecord;
  /** Pairs of turns that collecting found by itself. */
  readonly pairs: number;
  readonly metrics: Readonly<Record<string, number>>;
  /** What the method remembered before the iteration, and does after it. */
  readonly before: OnPolicyState;
  readonly after: OnPolicyState;
  /** Every training task, and what was known of each before the iteration. */
  readonly tasks: readonly TaskInfo[];
  readonly table: TaskTable;
  readonly renderer: Renderer;
  /** Demonstrations that the policy was warmed up on. */
  readonly demonstrations: number;
}

export interface Mechanism {
  /** Whether a configuration asks for it. */
  readonly isOn: (config: object) => boolean;
  /** What is counted, in the plural. */
  readonly unit: string;
  readonly count: (evidence: Evidence) => FiringCount;
}

/** Of a list, those for which this holds. */
export function countActed<T>(items: readonly T[], acted: (item: T) => boolean): FiringCount {
  return { meant: items.length, fired: items.filter(acted).length };
}

/** The value of a field by its path, or undefined where the configuration has none of that name. */
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

/** True where a field is there and not off: neither null, false, 0 nor `none`. */
export function isFieldSet(path: string): (config: object) => boolean {
  return (config) => {
    const value = readField(config, path);
    return (
      value !== undefined && value !== null && value !== false && value !== 0 && value !== "none"
    );
  };
}

/** True where a field has one of these values. */
export function isFieldOneOf(
  path: string,
  ...values: readonly unknown[]
): (config: object) => boolean {
  return (config) => values.includes(readField(config, path));
}

export function allHold(
  ...conditions: readonly ((config: object) => boolean)[]
): (config: object) => boolean {
  return (config) => conditions.every((holds) => holds(config));
}

/** A difference that is none of rounding. */
export function differsBeyondRounding(a: number, b: number): boolean {
  return Math.abs(a - b) > 1e-9;
}

export function hasDifferentValues(values: ArrayLike<number>): boolean {
  return Array.from(values).some((value) => differsBeyondRounding(value, values[0]!));
}
