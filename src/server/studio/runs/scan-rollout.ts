/**
 * Reads what lists show of a rollout without parsing its whole line. Most of a line is tokens and turns, which lists
 * only count. Only the small values (id, task, evaluation, failure) are parsed.
 */
import { isPassed, type RewardedRollout } from "../../../algo/index.ts";
import { encodeKeys, JsonCursor, NOT_AN_OBJECT } from "./json-cursor.ts";

/** What lists show of a rollout, and what its reward is computed from. */
export interface ScannedRollout extends RewardedRollout {
  /** The JSON text of the task. */
  readonly task: string;
  readonly index: number;
  /** Whether the agent finished and every check passed, as scores count it. */
  readonly passed: boolean;
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
    opposed: undefined as true | undefined,
    evaluation: undefined as ScannedRollout["evaluation"],
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
    } else if (key === "evaluation") found.evaluation = readEvaluation(cursor);
    else if (key === "opposed") found.opposed = cursor.readIsTrue() || undefined;
    else cursor.skipValue();
  });
  if (found.id === "" || found.turns < 0) throw NOT_AN_OBJECT;
  found.passed = isPassed(found);
  return found;
}

/** Reads a line of notes: the id, the advantage and the return. Throws if the line is not one. */
export function scanNotes(bytes: Buffer, start: number, end: number): ScannedNotes {
  const cursor = new JsonCursor(bytes, start, end);
  const found = { id: "", advantage: Number.NaN, return: undefined as number | undefined };
  cursor.forEachMember(NOTE_KEYS, (key) => {
    if (key === "id") found.id = cursor.readString();
    else if (key === "advantage" || key === "return") found[key] = cursor.readNumber();
    else cursor.skipValue();
  });
  if (found.id === "" || Number.isNaN(found.advantage)) throw NOT_AN_OBJECT;
  return found;
}

/** What lists show of the notes about a rollout. */
export interface ScannedNotes {
  readonly id: string;
  readonly advantage: number;
  /** The return that the advantage came from, if it is not the reward of the outcome. */
  readonly return: number | undefined;
}

/** Reads an evaluation without the details of its checks. */
function readEvaluation(cursor: JsonCursor): NonNullable<ScannedRollout["evaluation"]> {
  const found = { passed: false, finished: false, reward: undefined as number | undefined };
  const checks: ReturnType<typeof readCheck>[] = [];
  cursor.forEachMember(EVALUATION_KEYS, (key) => {
    if (key === "passed" || key === "finished") found[key] = cursor.readIsTrue();
    else if (key === "reward") found.reward = cursor.readNumber();
    else if (key === "checks") cursor.forEachItem(() => void checks.push(readCheck(cursor)));
    else cursor.skipValue();
  });
  return { ...found, checks };
}

function readCheck(cursor: JsonCursor) {
  const found = { name: "", label: "progress" as "progress" | "guard", passed: false };
  cursor.forEachMember(CHECK_KEYS, (key) => {
    if (key === "passed") found.passed = cursor.readIsTrue();
    else if (key === "name") found.name = cursor.readString();
    else if (key === "label") found.label = cursor.readString() === "guard" ? "guard" : "progress";
    else cursor.skipValue();
  });
  return found;
}

const ROLLOUT_KEYS = encodeKeys(
  "id",
  "task",
  "index",
  "turns",
  "tokens",
  "segments",
  "outcome",
  "opposed",
  "evaluation",
  "failure",
);
const NOTE_KEYS = encodeKeys("id", "advantage", "return");
const EVALUATION_KEYS = encodeKeys("passed", "finished", "checks", "reward");
const CHECK_KEYS = encodeKeys("name", "label", "passed");
