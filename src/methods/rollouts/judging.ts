/**
 * A judge's marks for a rollout: one for each turn of the world.
 *
 * A judge of one's own is often a model behind a network, which fails now and then: a call that throws, takes too long
 * or says no mark is made again, with longer waits. After the last attempt the rollout is data like any other failure,
 * at the boundary `judge`: it has no return, so it is left out of its group, and its siblings' baseline is taken over
 * what remains. A mark of zero in its place would teach that the turn was bad, when nothing is known of it.
 *
 * A judge that the policy plays is sampled greedily and would say the same again: what is no mark there is none.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseJudgeMark } from "../../agent/index.ts";
import { isScored } from "../../algo/index.ts";
import { BowlineError, combineSignals, errorMessageWithCause } from "../../core/index.ts";
import type { Failure, Participant, ParticipantView, Rollout } from "../../spec/index.ts";

/** How long a judge is waited for. */
export interface JudgePatience {
  /** Before each further attempt. */
  readonly waitsMs: readonly number[];
  /** Of one call. */
  readonly callMs: number;
}

const DEFAULT_PATIENCE: JudgePatience = { waitsMs: [500, 1500, 4500], callMs: 120_000 };

export interface JudgeCall {
  /** As the configuration names it: `policy`, or a module's path. */
  readonly name: string;
  readonly signal?: AbortSignal | undefined;
  readonly patience?: JudgePatience;
}

/** In the order of turns; undefined where a judge said nothing. */
type Marks = readonly (number | undefined)[];
export type JudgeResult = { readonly marks: Marks } | { readonly failure: Failure };

/**
 * Asks for each turn of a rollout that has an outcome. Rejects when `signal` aborts, and where the policy itself fails.
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
  let why = "";
  let code = "";
  for (const waitMs of [0, ...patience.waitsMs]) {
    await sleep(waitMs, undefined, signal && { signal }).catch(() => {});
    signal?.throwIfAborted();
    try {
      return { mark: await askForMark(judge, scene, { signal, callMs: patience.callMs }) };
    } catch (error) {
      signal?.throwIfAborted();
      why = errorMessageWithCause(error);
      code = error instanceof UnreadableMarkError ? "unreadable" : errorCode(error);
    }
  }
  const attempts = patience.waitsMs.length + 1;
  const who = judge.name === "judge" ? name : `${name} (${judge.name})`;
  const message = `the judge ${who} gave no mark in ${attempts} attempts: ${why}`;
  return { failure: { boundary: "judge", code, message, retryable: true } };
}

class UnreadableMarkError extends Error {}

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
  throw new UnreadableMarkError(`expected a number from 0 to 1, it said ${shown}`);
}

/** A call that does not listen to its signal is not waited for either. */
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

/** Rollouts whose judge gave no mark. */
export function findUnjudgedRollouts(rollouts: readonly Rollout[]): readonly Rollout[] {
  return rollouts.filter(({ failure }) => failure?.boundary === "judge");
}

/** Where no rollout of an iteration was judged, there is nothing to learn from: throws a `tripwire` error. */
export function refuseIfNoneJudged(rollouts: readonly Rollout[]): void {
  const unjudged = findUnjudgedRollouts(rollouts);
  if (unjudged.length === 0 || rollouts.some(isScored)) return;
  throw new BowlineError(
    "tripwire",
    `none of ${unjudged.length} rollouts could be judged: ${unjudged.at(-1)!.failure!.message}; nothing was learned from them, and once the judge answers the same command goes on`,
  );
}
