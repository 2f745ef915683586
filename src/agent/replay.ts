/**
 * Repeating the beginning of a rollout: its samples come from a record instead of the policy, and its cells are answered
 * from the record (in a fork, whose state already holds them) or run again and compared (in a fresh episode). The loop
 * cannot tell, so rows, masks and limits are those of any rollout, and the shared tokens are the same ids.
 */
import { BowlineError } from "../core/index.ts";
import type { Episode, Policy, Rollout, Sample, StepResult } from "../spec/index.ts";

type TokenPolicy = Extract<Policy, { kind: "tokens" }>;

/** What a rollout sampled and what its cells did, in order. */
export interface RolloutTrace {
  readonly samples: readonly Sample[];
  readonly results: readonly StepResult[];
}

export interface Replay {
  readonly policy: TokenPolicy;
  /** Closing it is left to whoever gave the episode. */
  readonly episode: Episode;
  /** The known beginning and all that came after it, as it grows. */
  readonly samples: readonly Sample[];
  readonly results: readonly StepResult[];
}

/** Called before a new cell runs, in the state that it will change. */
export type BeforeCell = (at: {
  readonly episode: Episode;
  /** World turns, and samples of any kind, before this one. */
  readonly cells: number;
  readonly samples: readonly Sample[];
}) => Promise<void>;

/** A policy and a forked episode that repeat `known` first. `beforeCell` sees only what is new. */
export function replayThenContinue(
  { policy, episode }: { readonly policy: TokenPolicy; readonly episode: Episode },
  known: RolloutTrace = { samples: [], results: [] },
  beforeCell?: BeforeCell,
): Replay {
  const samples = [...known.samples];
  const results = [...known.results];
  let sampleCount = 0;
  let stepCount = 0;
  return {
    samples,
    results,
    policy: {
      kind: "tokens",
      sample: async (request, signal) => {
        const sample = samples[sampleCount] ?? (await policy.sample(request, signal));
        samples[sampleCount++] = sample;
        return sample;
      },
      release: (key) => policy.release(key),
    },
    episode: {
      task: episode.task,
      step: async (code, signal) => {
        const index = stepCount++;
        const old = results[index];
        if (old !== undefined) return old;
        await beforeCell?.({ episode, cells: index, samples });
        const result = await episode.step(code, signal);
        results[index] = result;
        return result;
      },
      evaluate: () => episode.evaluate(),
      fork: () => episode.fork(),
      close: async () => {},
    },
  };
}

/** Throws a `world` error unless a fork does with this cell what its origin did, to the letter. */
export async function requireForkEqual(
  fork: Episode,
  code: string,
  expected: StepResult,
): Promise<void> {
  // The watchdog's limit depends on the machine's speed: it proves nothing either way.
  if (expected.limit === "wall-clock") return;
  const probe = await fork.fork();
  try {
    requireEqualResults(await probe.step(code), expected, `a fork of ${fork.task.id}`);
  } finally {
    await probe.close();
  }
}

/** Compares what the agent sees and what machines read. */
export function requireEqualResults(came: StepResult, expected: StepResult, what: string): void {
  if (toCanonicalJson(came) === toCanonicalJson(expected)) return;
  throw new BowlineError(
    "world",
    `${what} is not bit-equal: a cell printed ${JSON.stringify(came.text.slice(0, 80))}, where it had printed ${JSON.stringify(expected.text.slice(0, 80))}; rollouts that share a beginning cannot be compared in this world`,
  );
}

function toCanonicalJson({
  status,
  stdout,
  error,
  limit,
  calls,
  finished,
  text,
}: StepResult): string {
  return JSON.stringify({ status, stdout, error, limit, calls, finished, text });
}

/** The rollout with the tokens of its first `turns` turns as context: known to all who share them, actions of none. */
export function maskFirstTurns(rollout: Rollout, turns: number): Rollout {
  const rows = [rollout.tokens, ...(rollout.segments ?? [])].map(
    (row) => row && { ids: row.ids, mask: [...row.mask], logprobs: [...row.logprobs] },
  );
  for (const { span, segment = 0 } of rollout.turns.slice(0, turns)) {
    if (!span) continue;
    rows[segment]?.mask.fill(0, ...span);
    rows[segment]?.logprobs.fill(0, ...span);
  }
  const [tokens, ...segments] = rows.filter((row) => row !== undefined);
  return Object.freeze({
    ...rollout,
    version: 2,
    ...(tokens && { tokens }),
    ...(segments.length > 0 && { segments }),
  });
}
