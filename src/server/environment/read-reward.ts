/**
 * Reads the reward of an episode from what a program wrote: its reward file, the last JSON line of its output, or the
 * answer to a POST. Nothing is guessed. What cannot be read as a reward is an error, and an error is never a reward of
 * 0.
 *
 * A reward file has a number or an object. A line and an answer have an object. The object's field `reward` has the
 * reward, and `metrics`, if there is one, has numbers by name.
 */
import { readFileSync, statSync } from "node:fs";
import { isPlainObject, truncateText } from "../../core/index.ts";
import type { RewardWithMetrics } from "../agent/index.ts";

/** The largest reward file. */
const MAX_BYTES = 2 ** 20;

/**
 * Reads the reward file. Returns undefined when there is no file or an empty one. `field` is the path of the field with
 * the reward, such as "verifier.reward". Throws an error that is named `bad-reward` when the file has no reward.
 */
export function readRewardFile(path: string, field: string): RewardWithMetrics | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.size === 0) return undefined;
  if (!found.isFile() || found.size > MAX_BYTES) {
    throw badReward(`the reward file: expected a file of at most ${MAX_BYTES} bytes`);
  }
  const text = readFileSync(path, "utf8").trim();
  return text === ""
    ? undefined
    : readReward(parseJson(text, "the reward file"), field, "the reward file");
}

/** Reads the reward from the last line of the output that begins with "{"; undefined if there is no such line. */
export function readRewardLine(stdout: string, field: string): RewardWithMetrics | undefined {
  const line = stdout.split("\n").findLast((one) => one.trimStart().startsWith("{"));
  if (line === undefined) return undefined;
  const where = "the last JSON line of the output";
  return readReward(requireObject(parseJson(line.trim(), where), where), field, where);
}

/** Reads the reward from the body of an answer; undefined if the body is empty. */
export function readRewardAnswer(body: string, field: string): RewardWithMetrics | undefined {
  if (body.trim() === "") return undefined;
  const where = "the answer";
  return readReward(requireObject(parseJson(body, where), where), field, where);
}

function readReward(value: unknown, field: string, where: string): RewardWithMetrics {
  if (typeof value === "number") return { reward: value };
  const reward = field
    .split(".")
    .reduce<unknown>((inner, name) => (isPlainObject(inner) ? inner[name] : undefined), value);
  if (typeof reward !== "number") {
    throw badReward(`${where}: expected a number in the field ${field}, got ${show(value)}`);
  }
  const { metrics } = value as { readonly metrics?: unknown };
  if (metrics === undefined || metrics === null) return { reward };
  if (!isPlainObject(metrics)) {
    throw badReward(`${where}: expected metrics to be an object of numbers, got ${show(metrics)}`);
  }
  return { reward, metrics: metrics as Record<string, number> };
}

function requireObject(value: unknown, where: string): unknown {
  if (isPlainObject(value)) return value;
  throw badReward(`${where}: expected a JSON object with a reward, got ${show(value)}`);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badReward(`${where} is no JSON: ${truncateText(text, 200)}`);
  }
}

const show = (value: unknown) => truncateText(JSON.stringify(value) ?? String(value), 200);

/** Makes an error whose name becomes the failure code of the rollout. */
function badReward(message: string): Error {
  return Object.assign(new Error(message), { name: "bad-reward" });
}
