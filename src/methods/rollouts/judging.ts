/**
 * Asks a judge for its marks of a rollout: one for each turn of the agent.
 *
 * A user's judge is often a model behind a network, which fails now and then. A call that throws, takes too long or
 * returns no mark is repeated, with longer and longer waits. After the last attempt the rollout becomes a failure at
 * the boundary `judge`. It has no return and is left out of its group, whose baseline then covers the remaining
 * rollouts. A mark of 0 would instead teach that the turn was bad, although nothing is known about it.
 *
 * A judge that the policy plays is sampled greedily, so repeating the call would give the same text. If that text is
 * not a mark, the turn has none.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseJudgeMark } from "../../agent/index.ts";
import { isScored } from "../../algo/index.ts";
import { BowlineError, combineSignals, errorMessageWithCause } from "../../core/index.ts";
import type { Failure, Participant, ParticipantView, Rollout } from "../../spec/index.ts";

/** How long to wait for a judge. */
export interface JudgePatience {
  /** Milliseconds to wait before each further attempt. */
  readonly waitsMs: readonly number[];
  /** Time limit of one call, in milliseconds. */
  readonly callMs: number;
}

const DEFAULT_PATIENCE: JudgePatience = { waitsMs: [500, 1500, 4500], callMs: 120_000 };

/** How a judge is called. */
export interface JudgeCall {
  /** Name of the judge in the configuration: `policy`, or the path of a module. */
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
  readonly patience?: JudgePatience;
}

/** A judge's marks in the order of the turns; undefined for a turn without a mark. */
type Marks = readonly (number | undefined)[];
/** The marks of a rollout, or the failure because of which it has none. */
export type JudgeResult = { readonly marks: Marks } | { readonly failure: Failure };

/**
 * Asks the judge for a mark of each turn of an evaluated rollout. Rejects when `signal` is aborted, and when the judge
 * is played by the policy and the policy fails.
 */
export async function judgeRollout(
  judge: Participant | undefined,
  rollout: Rollout,
  call: JudgeCall,
): Promise<JudgeResult> {
  if (judge === undefined || !isScored(rollout)) return { marks: [] };
  const marks: (number | undefined)[] = [];
  for (const [i, { part }] of rollout.turns.entries()) {
    if (part !== undefined) continue;
    const scene = { task: rollout.task, turns: rollout.turns.slice(0, i + 1) };
    if (call.name === "policy") {
      const said = await judge.speak(scene, call.signal);
      marks.push(said === undefined ? undefined : parseJudgeMark(said));
      continue;
    }
    const answer = await askWithRetries(judge, scene, call);
    if ("failure" in answer) return answer;
    marks.push(answer.mark);
  }
  return { marks };
}

type MarkAnswer = { readonly mark: number | undefined };

async function askWithRetries(
  judge: Participant,
  scene: ParticipantView,
  call: JudgeCall,
): Promise<MarkAnswer | { readonly failure: Failure }> {
  const { name, signal, patience = DEFAULT_PATIENCE } = call;
  let reason = "";
  let code = "";
  for (const waitMs of [0, ...patience.waitsMs]) {
    await sleep(waitMs, undefined, signal && { signal }).catch(() => {});
    signal?.throwIfAborted();
    try {
      return { mark: await askForMark(judge, scene, { signal, callMs: patience.callMs }) };
    } catch (error) {
      signal?.throwIfAborted();
      reason = errorMessageWithCause(error);
      code = error instanceof UnreadableMarkError ? "unreadable" : errorCode(error);
    }
  }
  const attempts = patience.waitsMs.length + 1;
  const who = judge.name === "judge" ? name : `${name} (${judge.name})`;
  const message = `the judge ${who} gave no mark in ${attempts} attempts: ${reason}`;
  return { failure: { boundary: "judge", code, message, retryable: true } };
}

class UnreadableMarkError extends Error {}

/** Number of characters of a judge's answer that an error shows. */
const SHOWN_CHARACTERS = 80;

async function askForMark(
  judge: Participant,
  scene: ParticipantView,
  { signal, callMs }: { readonly signal: AbortSignal | undefined; readonly callMs: number },
): Promise<number | undefined> {
  const said = await withTimeLimit(callMs, (late) =>
    judge.speak(scene, combineSignals(signal, late)),
  );
  if (said === undefined) return undefined;
  const mark = parseJudgeMark(String(said));
  if (mark !== undefined) return mark;
  const shown = JSON.stringify(String(said).slice(0, SHOWN_CHARACTERS));
  throw new UnreadableMarkError(`expected a number from 0 to 1, got ${shown}`);
}

/** Calls a function with a time limit. After the limit, a call that ignores its signal is not waited for. */
async function withTimeLimit<T>(
  limitMs: number,
  call: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const rejected = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`no answer in ${limitMs / 1000} s`);
      reject(error);
      late.abort(error);
    }, limitMs);
  });
  try {
    return await Promise.race([call(late.signal), rejected]);
  } finally {
    clearTimeout(timer);
  }
}

function errorCode(error: unknown): string {
  if (BowlineError.is(error)) return error.code;
  return error instanceof Error ? error.name : "unknown";
}

/** Returns the rollouts to which the judge gave no mark. */
export function findUnjudgedRollouts(rollouts: readonly Rollout[]): readonly Rollout[] {
  return rollouts.filter(({ failure }) => failure?.boundary === "judge");
}

/**
 * Throws a `tripwire` error when no rollout of an iteration could be judged, because then there is nothing to learn
 * from.
 */
export function refuseIfNoneJudged(rollouts: readonly Rollout[]): void {
  const unjudged = findUnjudgedRollouts(rollouts);
  if (unjudged.length === 0 || rollouts.some(isScored)) return;
  throw new BowlineError(
    "tripwire",
    `none of ${unjudged.length} rollouts could be judged: ${unjudged.at(-1)!.failure!.message}; nothing was learned from them; run the same command again when the judge answers`,
  );
}
