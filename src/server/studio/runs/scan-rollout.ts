/**
 * Reads what lists show of a rollout without parsing its whole line. Most of a line is tokens and turns, which lists
 * only count. Only the small values (id, task, evaluation, failure) are parsed.
 */
import { encodeKeys, JsonCursor, NOT_AN_OBJECT } from "./json-cursor.ts";

/** What lists show of a rollout. `reward` is NaN without an evaluation. */
export interface ScannedRollout {
  readonly id: string;
  /** The JSON text of the task. */
  readonly task: string;
  readonly index: number;
  readonly outcome: string;
  /** Whether the agent finished and every check passed, as scores count it. */
  readonly passed: boolean;
  /** The evaluation's own reward, or the fraction of passed checks. */
  readonly reward: number;
  readonly turns: number;
  /** The number of sampled tokens in all rows. */
  readonly sampled: number;
  /** The JSON text of the failure. */
  readonly failure: string | undefined;
}

/** Throws if `bytes[start, end)` is not a rollout. */
export function scanRollout(bytes: Buffer, start: number, end: number): ScannedRollout {
  const cursor = new JsonCursor(bytes, start, end);
  const found = {
    id: "",
    task: "",
    index: 0,
    outcome: "",
    passed: false,
    reward: Number.NaN,
    turns: -1,
    sampled: 0,
    failure: undefined as string | undefined,
  };
  cursor.forEachMember(ROLLOUT_KEYS, (key) => {
    if (key === "id" || key === "outcome") found[key] = cursor.readString();
    else if (key === "task" || key === "failure") found[key] = cursor.readRawText();
    else if (key === "index") found.index = cursor.readNumber();
    else if (key === "turns") found.turns = cursor.forEachItem(() => cursor.skipValue());
    else if (key === "tokens") found.sampled += cursor.countSampledInRow();
    else if (key === "segments") {
      cursor.forEachItem(() => {
        found.sampled += cursor.countSampledInRow();
      });
    } else if (key === "evaluation") readEvaluation(cursor, found);
    else cursor.skipValue();
  });
  if (found.id === "" || found.turns < 0) throw NOT_AN_OBJECT;
  return found;
}

/** Reads the id and the advantage from a line of notes. Throws if the line is not one. */
export function scanNotes(
  bytes: Buffer,
  start: number,
  end: number,
): { readonly id: string; readonly advantage: number } {
  const cursor = new JsonCursor(bytes, start, end);
  const found = { id: "", advantage: Number.NaN };
  cursor.forEachMember(NOTE_KEYS, (key) => {
    if (key === "id") found.id = cursor.readString();
    else if (key === "advantage") found.advantage = cursor.readNumber();
    else cursor.skipValue();
  });
  if (found.id === "" || Number.isNaN(found.advantage)) throw NOT_AN_OBJECT;
  return found;
}

/** Reads passed and reward. Without checks, the reward is 1 if the evaluation passed and 0 otherwise. */
function readEvaluation(cursor: JsonCursor, into: { passed: boolean; reward: number }): void {
  let [passed, finished] = [false, false];
  let paid: number | undefined;
  let checks = 0;
  let passedChecks = 0;
  cursor.forEachMember(EVALUATION_KEYS, (key) => {
    if (key === "passed") passed = cursor.readIsTrue();
    else if (key === "finished") finished = cursor.readIsTrue();
    else if (key === "reward") paid = cursor.readNumber();
    else if (key === "checks") {
      checks = cursor.forEachItem(() => {
        cursor.forEachMember(CHECK_KEYS, (name) => {
          if (name === "passed") passedChecks += Number(cursor.readIsTrue());
          else cursor.skipValue();
        });
      });
    } else cursor.skipValue();
  });
  into.passed = passed && finished;
  into.reward = paid ?? (checks === 0 ? Number(passed) : passedChecks / checks);
}

const ROLLOUT_KEYS = encodeKeys(
  "id",
  "task",
  "index",
  "turns",
  "tokens",
  "segments",
  "outcome",
  "evaluation",
  "failure",
);
const NOTE_KEYS = encodeKeys("id", "advantage");
const EVALUATION_KEYS = encodeKeys("passed", "finished", "checks", "reward");
const CHECK_KEYS = encodeKeys("passed");
