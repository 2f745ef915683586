/**
 * Counterfactuals: the policy goes on from where an episode stands, several times, each in a fork of its own.
 *
 * Behind a recorded rollout of the same run the policy sees the very tokens of the record. Everything else (cells by hand,
 * a record of another run's policy) is put into the row as this policy's scaffold would write it.
 */
import { BowlineError, heardByMany, messageOf } from "../../core/index.ts";
import type { Rollout, Turn } from "../../spec/index.ts";
import type { ContinuationEvent, ContinueRequest } from "../../spec/studio/index.ts";
import type { Act, Beginning, EarlierTurn } from "../../train/index.ts";
import type { LiveEpisode } from "./episodes.ts";
import { eventQueue } from "./event-queue.ts";
import type { TakenPolicy } from "./policies.ts";
import { StudioError } from "./studio-error.ts";
import { isHidden, rolloutRow } from "./world-views.ts";

/** Who goes on, how often, and who listens. */
export interface Continuing {
  readonly taken: TakenPolicy;
  /** The run of the policy. */
  readonly run: string;
  readonly request: ContinueRequest;
  /** Also what the checks of test splits say. */
  readonly asked: boolean;
  readonly signal: AbortSignal;
  /** When all rollouts have ended. */
  readonly release: () => void;
}

/** Forks the episode as it is now; the events come as the rollouts do. Throws 409 where nothing can come. */
export async function continuation(
  live: LiveEpisode,
  { taken, run, request, asked, signal, release }: Continuing,
): Promise<AsyncIterable<ContinuationEvent>> {
  const { rollouts, temperature, seed } = request;
  if (live.finished)
    throw new StudioError(409, "the task is finished; there is nothing to go on with");
  const maxTurns = taken.turns[live.record?.file.startsWith("eval-") ? "eval" : "train"];
  if (live.cells.length >= maxTurns) {
    throw new StudioError(
      409,
      `a rollout of run ${run} has at most ${maxTurns} cells, and all are used`,
    );
  }
  const beginning = beginningOf(live, run);
  const resume = resumeBehind(taken.policy, beginning);
  const forks = await Promise.all(Array.from({ length: rollouts }, () => live.episode.fork()));
  const queue = eventQueue<ContinuationEvent>();
  const stopped = AbortSignal.any([signal, queue.left]);
  heardByMany(stopped);
  queue.push({ type: "policy", name: taken.name, scaffold: taken.policy.scaffold });
  const shown = (act: Act, index: number) =>
    rolloutEvent(act, index, beginning, asked || !isHidden(live.task.split));
  const all = forks.map(async (fork, index) => {
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
      if (act.rollout.outcome !== "cancelled") queue.push(shown(act, index));
      return act.rollout;
    } finally {
      await fork.close().catch(() => {});
    }
  });
  void Promise.allSettled(all).then(async () => {
    release();
    queue.push(await lastEvent(all));
    queue.end();
  });
  return queue.events;
}

function resumeBehind(policy: TakenPolicy["policy"], beginning: Beginning) {
  try {
    return policy.resumed(beginning);
  } catch (cause) {
    if (!BowlineError.is(cause)) throw cause;
    throw new StudioError(409, cause.message);
  }
}

/** What a run keeps failing at is told once, in words. */
async function lastEvent(all: readonly Promise<Rollout>[]): Promise<ContinuationEvent> {
  try {
    const rollouts = await Promise.all(all);
    const failures = rollouts.flatMap(({ failure }) => failure ?? []);
    if (failures.length < rollouts.length) return { type: "done" };
    return { type: "failed", error: failures[0]!.message };
  } catch (error) {
    return { type: "failed", error: messageOf(error) };
  }
}

function rolloutEvent(
  { rollout, reward, checks }: Act,
  index: number,
  beginning: Beginning,
  showsChecks: boolean,
): ContinuationEvent {
  const turns: Turn[] = rollout.turns.slice(beginning.turns.length);
  const row = { ...rolloutRow({ ...rollout, turns }, reward), index };
  return { type: "rollout", index, row, turns, checks: showsChecks ? [...checks] : [] };
}

/** The policy of run `run` is to go on behind this. */
function beginningOf({ record, rollout, cells, results }: LiveEpisode, run: string): Beginning {
  const isOwn = record?.run === run && rollout?.tokens !== undefined;
  const recorded = isOwn ? recordedTurns(rollout, record.turn) : undefined;
  const written = cells.filter(({ by }) => recorded === undefined || by === "hand");
  return { turns: [...(recorded ?? []), ...written.map(({ code }) => ({ code }))], results };
}

function recordedTurns({ tokens, segments = [], turns }: Rollout, upTo: number): EarlierTurn[] {
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
