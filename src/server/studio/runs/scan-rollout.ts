/**
 * What a list shows of a rollout, read from its line without parsing it: most of a line is tokens and turns, of which a list
 * needs counts alone. Only the small values (id, task, evaluation, failure) are parsed.
 */
import { Cursor, keys, TORN } from "./json-cursor.ts";

/** What a list needs of a line. `reward` is NaN where there was no evaluation. */
export interface ScannedRollout {
  readonly id: string;
  /** JSON, as it stands there. */
  readonly task: string;
  readonly index: number;
  readonly outcome: string;
  /** As scores count it: the agent finished, and every check passed. */
  readonly passed: boolean;
  /** The fraction of checks, or what was paid. */
  readonly reward: number;
  readonly turns: number;
  /** Sampled tokens of all rows. */
  readonly sampled: number;
  /** JSON. */
  readonly failure: string | undefined;
}

/** Throws where `bytes[start, end)` is no rollout. */
export function scanRollout(bytes: Buffer, start: number, end: number): ScannedRollout {
  const cursor = new Cursor(bytes, start, end);
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
  cursor.object(ROLLOUT_KEYS, (key) => {
    if (key === "id" || key === "outcome") found[key] = cursor.string();
    else if (key === "task" || key === "failure") found[key] = cursor.text();
    else if (key === "index") found.index = cursor.number();
    else if (key === "turns") found.turns = cursor.array(() => cursor.skip());
    else if (key === "tokens") found.sampled += cursor.row();
    else if (key === "segments") {
      cursor.array(() => {
        found.sampled += cursor.row();
      });
    } else if (key === "evaluation") readVerdict(cursor, found);
    else cursor.skip();
  });
  if (found.id === "" || found.turns < 0) throw TORN;
  return found;
}

/** The id and advantage of a line of notes. Throws where it is none. */
export function scanNotes(
  bytes: Buffer,
  start: number,
  end: number,
): { readonly id: string; readonly advantage: number } {
  const cursor = new Cursor(bytes, start, end);
  const found = { id: "", advantage: Number.NaN };
  cursor.object(NOTE_KEYS, (key) => {
    if (key === "id") found.id = cursor.string();
    else if (key === "advantage") found.advantage = cursor.number();
    else cursor.skip();
  });
  if (found.id === "" || Number.isNaN(found.advantage)) throw TORN;
  return found;
}

/** Without checks, the fraction is whether the evaluation passed. */
function readVerdict(cursor: Cursor, into: { passed: boolean; reward: number }): void {
  let [passed, finished] = [false, false];
  let paid: number | undefined;
  let checks = 0;
  let right = 0;
  cursor.object(VERDICT_KEYS, (key) => {
    if (key === "passed") passed = cursor.isTrue();
    else if (key === "finished") finished = cursor.isTrue();
    else if (key === "reward") paid = cursor.number();
    else if (key === "checks") {
      checks = cursor.array(() => {
        cursor.object(CHECK_KEYS, (name) => {
          if (name === "passed") right += Number(cursor.isTrue());
          else cursor.skip();
        });
      });
    } else cursor.skip();
  });
  into.passed = passed && finished;
  into.reward = paid ?? (checks === 0 ? Number(passed) : right / checks);
}

const ROLLOUT_KEYS = keys(
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
const NOTE_KEYS = keys("id", "advantage");
const VERDICT_KEYS = keys("passed", "finished", "checks", "reward");
const CHECK_KEYS = keys("passed");
