/**
 * Lets the policy continue from the current state of an episode, several times, each time in its own fork.
 *
 * After a recorded rollout of the same run, the policy sees exactly the tokens of the record. Everything else (cells
 * typed by hand, a record of another run's policy) is written into the row by this policy's scaffold.
 */
import type { RewardOptions } from "../../algo/index.ts";
import { allowManyListeners, BowlineError, errorMessage } from "../../core/index.ts";
import type { Rollout, Turn } from "../../spec/index.ts";
import type {
  ContinuationEvent,
  ContinuationResult,
  ContinueRequest,
  ForkSet,
} from "../../spec/studio/index.ts";
import type { Act, EarlierTurn, EpisodeStart } from "../../train/index.ts";
import type { LiveEpisode } from "./episodes.ts";
import { createEventQueue } from "./event-queue.ts";
import type { BorrowedPolicy } from "./policy-cache.ts";
import { StudioError } from "./studio-error.ts";
import { buildRolloutRow, hidesChecks } from "./world-views.ts";

/** Which policy continues, how often, and until when. */
export interface ContinuationOptions {
  readonly borrowed: BorrowedPolicy;
  /** Id of the run that trained the policy. */
  readonly run: string;
  readonly request: ContinueRequest;
  /** What rollouts earn: the rule of the record's run, so that continuations and record compare. */
  readonly reward: RewardOptions;
  /** Sends the results of checks for test splits as well. */
  readonly includeHiddenChecks: boolean;
  readonly signal: AbortSignal;
  /** Called when all rollouts have ended. */
  readonly release: () => void;
  /** Called before the last event with the results, which have all checks, and how the continuations ended. */
  readonly onEnd?: (end: ContinuationEnd) => Promise<void>;
}

/** How a set of continuations ended. */
export type ContinuationEnd = Pick<ForkSet, "end" | "error" | "results">;

/**
 * Forks the episode in its current state and yields events as the rollouts proceed. Throws 409 where it cannot
 * continue.
 */
export async function continueEpisode(
  live: LiveEpisode,
  options: ContinuationOptions,
): Promise<AsyncIterable<ContinuationEvent>> {
  const { borrowed, run, request, signal, release } = options;
  const { rollouts, temperature, seed } = request;
  if (live.finished)
    throw new StudioError(409, "the task is finished, so the policy cannot continue it");
  const maxTurns = borrowed.turns[live.record?.file.startsWith("eval-") ? "eval" : "train"];
  if (live.cells.length >= maxTurns) {
    throw new StudioError(
      409,
      `the episode already has ${maxTurns} cells, the most that a rollout of run ${run} may have`,
    );
  }
  const beginning = buildBeginning(live, run);
  const resume = resumePolicyAfter(borrowed.policy, beginning);
  const forks = await Promise.all(Array.from({ length: rollouts }, () => live.episode.fork()));
  const queue = createEventQueue<ContinuationEvent>();
  const stopped = AbortSignal.any([signal, queue.abandoned]);
  allowManyListeners(stopped);
  queue.push({ type: "policy", name: borrowed.name, scaffold: borrowed.policy.scaffold });
  const showsChecks = options.includeHiddenChecks || !hidesChecks(live.task.split);
  const results: ContinuationResult[] = [];
  const reportResult = (act: Act, index: number) => {
    const result = buildResult(act, index, beginning, options.reward);
    results.push(result);
    queue.push({ type: "rollout", ...result, ...(!showsChecks && { checks: [] }) });
  };
  const runningRollouts = forks.map(async (fork, index) => {
    try {
      const act = await resume(fork, {
        id: `${live.id}/${seed}/${index}`,
        index,
        seed,
        temperature,
        maxTurns,
        signal: stopped,
        onTurn: (turn) => queue.push({ type: "turn", index, turn }),
      });
      if (act.rollout.outcome !== "cancelled") reportResult(act, index);
      return act.rollout;
    } finally {
      await fork.close().catch(() => {});
    }
  });
  void Promise.allSettled(runningRollouts).then(async () => {
    release();
    const last = await buildLastEvent(runningRollouts);
    await options.onEnd?.(describeEnd(results, last, stopped.aborted));
    queue.push(last);
    queue.end();
  });
  return queue.events;
}

function describeEnd(
  results: readonly ContinuationResult[],
  last: ContinuationEvent,
  isStopped: boolean,
): ContinuationEnd {
  const sorted = [...results].sort((a, b) => a.index - b.index);
  if (isStopped) return { results: sorted, end: "stopped" };
  if (last.type === "failed") return { results: sorted, end: "failed", error: last.error };
  return { results: sorted, end: "done" };
}

function resumePolicyAfter(policy: BorrowedPolicy["policy"], beginning: EpisodeStart) {
  try {
    return policy.resumed(beginning);
  } catch (cause) {
    if (!BowlineError.is(cause)) throw cause;
    throw new StudioError(409, cause.message);
  }
}

/** Returns `failed` with the first message if every rollout failed, otherwise `done`. */
async function buildLastEvent(all: readonly Promise<Rollout>[]): Promise<ContinuationEvent> {
  try {
    const rollouts = await Promise.all(all);
    const failures = rollouts.flatMap(({ failure }) => failure ?? []);
    if (failures.length < rollouts.length) return { type: "done" };
    return { type: "failed", error: failures[0]!.message };
  } catch (error) {
    return { type: "failed", error: errorMessage(error) };
  }
}

function buildResult(
  { rollout, checks }: Act,
  index: number,
  beginning: EpisodeStart,
  reward: RewardOptions,
): ContinuationResult {
  const turns: Turn[] = rollout.turns.slice(beginning.turns.length);
  const row = { ...buildRolloutRow({ ...rollout, turns }, reward), index };
  return { index, row, turns, checks: [...checks] };
}

/** Builds the beginning of a rollout, after which the policy of `run` continues. */
function buildBeginning(
  { record, rollout, cells, results }: LiveEpisode,
  run: string,
): EpisodeStart {
  const isOfSameRun = record?.run === run && rollout?.tokens !== undefined;
  const recorded = isOfSameRun ? takeRecordedTurns(rollout, record.turn) : undefined;
  const cellsWithoutRecord = cells.filter(({ by }) => recorded === undefined || by === "hand");
  return {
    turns: [...(recorded ?? []), ...cellsWithoutRecord.map(({ code }) => ({ code }))],
    results,
  };
}

function takeRecordedTurns({ tokens, segments = [], turns }: Rollout, upTo: number): EarlierTurn[] {
  const rows = [tokens!, ...segments];
  return turns.slice(0, upTo).map(({ span, segment = 0, code }) => {
    const row = rows[segment];
    if (!span || !row) return { code };
    const [from, to] = span;
    return {
      row: row.ids.slice(0, from),
      tokens: row.ids.slice(from, to),
      logprobs: row.logprobs.slice(from, to),
    };
  });
}
