/**
 * Writes rollouts as OpenEnv's training trace, version 1: every stretch of tokens that the policy sampled is one turn,
 * with the exact tokens before it. The format has no place for a reward, so each turn has it in `metadata`.
 */
import { type RewardOptions, rewardOf } from "../../algo/index.ts";
import type { PlayedRole, Rollout, RolloutTokens, Turn } from "../../spec/index.ts";

/** One call of the policy. `loss_mask` covers the prompt and the completion; the other arrays cover one of them. */
export interface TrainingTurn {
  /** Unique in its trace: `<rollout>#<turn>`. */
  readonly node_id: string;
  readonly prompt_token_ids: readonly number[];
  readonly completion_token_ids: readonly number[];
  /** The sampler's log-probs in nats. A token whose mask is 0 has the log-prob 0, because it is not recorded. */
  readonly per_token_logps: readonly number[];
  readonly loss_mask: readonly (0 | 1)[];
  readonly request: Readonly<Record<string, never>>;
  readonly response: { readonly role: "assistant"; readonly content: string };
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** OpenEnv's `TrainingTrace`. It has no further fields: its reader refuses fields that it does not know. */
export interface TrainingTrace {
  readonly schema_version: 1;
  readonly turns: readonly TrainingTurn[];
}

/**
 * Returns the traces of an evaluated rollout: one for the agent, and one for each other role that was trained. The list
 * is empty if the rollout has no tokens or was not evaluated, because it has no reward then.
 */
export function createTrainingTraces(rollout: Rollout, reward?: RewardOptions): TrainingTrace[] {
  if (rollout.evaluation === undefined) return [];
  const { tokens, segments = [], turns, role } = rollout;
  const own: TracedRows = { rows: tokens ? [tokens, ...segments] : [], turns, role };
  const others = (rollout.cast ?? []).map((played) => ({ ...rowsOfRole(played), played }));
  return [{ ...own, played: rollout }, ...others].flatMap(({ played, ...traced }) => {
    const { opposed } = played;
    const earned = rewardOf(
      { ...rollout, ...(opposed ? { opposed } : { opposed: undefined }) },
      reward,
    );
    const trace = createTrace(rollout, traced, earned);
    return trace.turns.length > 0 ? [trace] : [];
  });
}

interface TracedRows {
  readonly rows: readonly RolloutTokens[];
  readonly turns: readonly Turn[];
  readonly role: string | undefined;
}

const rowsOfRole = ({ tokens, turns, role }: PlayedRole): TracedRows => ({
  rows: [tokens],
  turns,
  role,
});

function createTrace(rollout: Rollout, { rows, turns, role }: TracedRows, reward: number) {
  const { id, task, policyVersion, temperature, outcome } = rollout;
  const name = role === undefined ? id : `${id}/${role}`;
  const shared = {
    rollout: id,
    ...(role !== undefined && { role }),
    task: task.id,
    split: task.split,
  };
  const rest = { policy_version: policyVersion, temperature, outcome, reward };
  return {
    schema_version: 1 as const,
    turns: turns.flatMap(({ span, segment = 0, message }, turn) => {
      const row = rows[segment];
      if (span === undefined || row === undefined || span[0] === span[1]) return [];
      return [
        {
          node_id: `${name}#${turn}`,
          ...cutRow(row, span),
          request: {},
          response: { role: "assistant" as const, content: message },
          metadata: { ...shared, turn, ...rest },
        },
      ];
    }),
  };
}

/** Cuts a row into what the policy read before it sampled `span`, and what it sampled. */
function cutRow({ ids, mask, logprobs }: RolloutTokens, [start, end]: readonly [number, number]) {
  return {
    prompt_token_ids: ids.slice(0, start),
    completion_token_ids: ids.slice(start, end),
    // A rounded log-prob can lie above 0 by a rounding error, and the format refuses that.
    per_token_logps: logprobs.slice(start, end).map((logprob) => Math.min(0, logprob)),
    loss_mask: [...new Array<0>(start).fill(0), ...mask.slice(start, end)],
  };
}
