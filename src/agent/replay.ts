/**
 * Replays the beginning of a rollout. Its samples come from a record instead of the policy. Its code cells are answered
 * from the record in a fork, whose state already includes them; in a fresh episode they are run again and compared. The
 * rollout loop sees no difference, so rows, masks and limits are those of any rollout, and shared tokens have the same
 * ids.
 */
import { BowlineError } from "../core/index.ts";
import type { Episode, Policy, Rollout, Sample, StepResult } from "../spec/index.ts";

type TokenPolicy = Extract<Policy, { kind: "tokens" }>;

/** The samples of a rollout and the results of its code cells, in order. */
export interface RolloutTrace {
  readonly samples: readonly Sample[];
  readonly results: readonly StepResult[];
}

export interface Replay {
  readonly policy: TokenPolicy;
  /** The caller who provided the episode closes it. */
  readonly episode: Episode;
  /** The samples of the replayed beginning and all later ones; the list grows. */
  readonly samples: readonly Sample[];
  readonly results: readonly StepResult[];
}

/** Called before a new code cell runs, in the state that the cell will change. */
export type BeforeCell = (at: {
  readonly episode: Episode;
  /** The number of code cells that ran before this one. */
  readonly cells: number;
  readonly samples: readonly Sample[];
}) => Promise<void>;

/**
 * Creates a policy and an episode that repeat `known` first and then continue. `beforeCell` is called for new cells
 * only.
 */
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

/** Throws a `world` error unless this cell gives exactly the same result in a fork as in the original episode. */
export async function requireSameResultInFork(
  fork: Episode,
  code: string,
  expected: StepResult,
): Promise<void> {
  // The wall-clock limit depends on the machine's speed, so it proves nothing.
  if (expected.limit === "wall-clock") return;
  const probe = await fork.fork();
  try {
    requireEqualResults(await probe.step(code), expected, `a fork of ${fork.task.id}`);
  } finally {
    await probe.close();
  }
}

/** Throws a `world` error when two results differ in what the agent sees or in what programs read. */
export function requireEqualResults(actual: StepResult, expected: StepResult, what: string): void {
  if (toCanonicalJson(actual) === toCanonicalJson(expected)) return;
  throw new BowlineError(
    "world",
    `${what} gives another result: expected the text ${JSON.stringify(expected.text.slice(0, 80))}, got ${JSON.stringify(actual.text.slice(0, 80))}; rollouts that share a beginning cannot be compared in this world`,
  );
}

function toCanonicalJson({
  status,
  stdout,
  error,
  limit,
  calls,
  finished,
  nextSession,
  text,
}: StepResult): string {
  return JSON.stringify({ status, stdout, error, limit, calls, finished, nextSession, text });
}

/**
 * Returns the rollout with the tokens of its first `turns` turns masked out, so that they are context and not actions.
 * All rollouts that share these tokens see them, and none is trained on them.
 */
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
