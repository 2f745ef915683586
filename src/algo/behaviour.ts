/**
 * What agents do, counted over rollouts (arXiv 2502.01600, sections 5.5 and 5.6, appendix A).
 *
 * Keys are metric names without their `behaviour/` prefix. Numbered deviations from the paper's definitions:
 *  1. Calls to documentation are counted as made (calls of the `docs` app), not as mentions in the code's text.
 *  2. Endpoints for the give-up rate are those that a turn called, for the same reason.
 *  3. Cells a turn are counted only where messages fence their code; a compact message is always one cell.
 */
import type { Rollout, Turn } from "../spec/index.ts";
import { groupBy } from "./group-by.ts";
import { isPassed } from "./statistics.ts";

const FENCED = /```(?:javascript|js|typescript|ts)\b/g;

/** Named numbers over rollouts that ran (cancelled and failed ones are left out). Empty without any. */
export function behaviour(rollouts: readonly Rollout[]): Record<string, number> {
  const ran = rollouts.filter(({ outcome }) => outcome !== "cancelled" && outcome !== "failed");
  if (ran.length === 0) return {};
  const turns = ran.flatMap((rollout) => rollout.turns.filter(({ part }) => part === undefined));
  const calls = turns.flatMap((turn) => turn.calls);
  const perRollout = (count: number) => count / ran.length;
  const perTurn = (holds: (turn: Turn) => boolean) =>
    turns.filter(holds).length / Math.max(turns.length, 1);
  return {
    turns: perRollout(turns.length),
    unfinished: perRollout(ran.filter(({ evaluation }) => !evaluation?.finished).length),
    api_calls: perRollout(calls.length),
    docs_calls: perRollout(calls.filter(({ app }) => app === "docs").length),
    failed_calls: perRollout(calls.filter(({ status }) => status >= 400).length),
    errors_per_turn: perTurn(({ status }) => status !== "ok"),
    give_up_rate: giveUpRate(ran),
    code_characters: perRollout(turns.reduce((sum, turn) => sum + turn.code.length, 0)),
    assume_mentions: perRollout(mentions(turns, "assum")),
    dummy_mentions: perRollout(mentions(turns, "dummy")),
    ...cellsPerTurn(turns),
    ...distinctSequences(ran),
  };
}

/**
 * How often a failed API is given up on: (failed - recovered) / failed. In each rollout, a turn with an execution error
 * puts the endpoints that it called into a set, counting the new ones as failed; a turn without error takes its
 * endpoints out, counting those as recovered. 0 when nothing failed.
 */
export function giveUpRate(rollouts: readonly Rollout[]): number {
  let failed = 0;
  let recovered = 0;
  for (const { turns } of rollouts) {
    const open = new Set<string>();
    for (const { status, calls } of turns) {
      const before = open.size;
      for (const { app, api } of calls) {
        if (status === "ok") open.delete(`${app}.${api}`);
        else open.add(`${app}.${api}`);
      }
      if (status === "ok") recovered += before - open.size;
      else failed += open.size - before;
    }
  }
  return failed === 0 ? 0 : (failed - recovered) / failed;
}

/** Occurrences of a word's stem in agent messages, case ignored ("assumed" counts once for "assum"). */
function mentions(turns: readonly Turn[], stem: string): number {
  return turns.reduce((sum, turn) => sum + turn.message.toLowerCase().split(stem).length - 1, 0);
}

/** Share of turns with more than one fenced block; absent where no message fences its code. */
function cellsPerTurn(turns: readonly Turn[]): Record<string, number> {
  const blocks = turns.map(({ message }) => message.match(FENCED)?.length ?? 0);
  if (blocks.every((count) => count === 0)) return {};
  return { multiple_cells: blocks.filter((count) => count > 1).length / turns.length };
}

/** Different API-call sequences per passed rollout of a task; absent where no task was passed twice. */
function distinctSequences(rollouts: readonly Rollout[]): Record<string, number> {
  const passed = groupBy(rollouts.filter(isPassed), ({ task }) => task.id);
  const repeated = [...passed.values()].filter((group) => group.length > 1);
  if (repeated.length === 0) return {};
  const shares = repeated.map((group) => new Set(group.map(callSequence)).size / group.length);
  return { distinct_sequences: shares.reduce((sum, share) => sum + share, 0) / shares.length };
}

function callSequence({ turns }: Rollout): string {
  return turns.flatMap(({ calls }) => calls.map(({ app, api }) => `${app}.${api}`)).join(" ");
}
