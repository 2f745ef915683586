/**
 * Measures how far the policy has moved from the one with which the iterations began: KL(start || now) in nats per
 * token, on fixed rollouts of the first iteration.
 *
 * The start policy sampled these rollouts, so their recorded log-probs are those of the start, and one evaluation under
 * the present weights gives the estimate. No copy of the start is needed. The rollouts are chosen from the first
 * iteration alone, so a resumed run, which reads them from its file, measures what an uninterrupted one does.
 */
import { estimateKl } from "../../algo/index.ts";
import { BowlineError } from "../../core/index.ts";
import { type Engine, formatIterationNumber, type Rollout } from "../../spec/index.ts";
import { readRollouts } from "../run/run-store.ts";
import type { TrainingRun } from "../run/training-run.ts";

const MAX_ROWS = 32;
/**
 * The share of the first iteration's tokens that is evaluated. Sampling a token costs more than reading one, so 2% of
 * an iteration's tokens take less than 1% of its time even if the iteration learns from no rollout.
 */
const TOKEN_SHARE = 1 / 50;

/** The beginning of a rollout's row, with the log-probs that the start policy had at the positions in `at`. */
export interface StartRow {
  readonly tokens: readonly number[];
  readonly at: readonly number[];
  readonly logprobs: readonly number[];
}

/** The rows that are evaluated, and the temperature at which they were sampled. */
export interface StartRows {
  readonly temperature: number;
  readonly rows: readonly StartRow[];
}

/** Chooses rows that are spread over the rollouts. The last row may be cut, so that the tokens fit into the share. */
export function chooseStartRows(rollouts: readonly Rollout[]): StartRows {
  const withTokens = rollouts.filter(({ tokens }) => tokens !== undefined);
  const total = withTokens.reduce((sum, { tokens }) => sum + tokens!.ids.length, 0);
  const sampled = withTokens.filter(
    ({ policyVersion, temperature }) => policyVersion >= 0 && temperature > 0,
  );
  const [first] = sampled;
  if (first === undefined) return { temperature: 1, rows: [] };
  const { policyVersion, temperature } = first;
  const usable = sampled.filter(
    (one) => one.policyVersion === policyVersion && one.temperature === temperature,
  );
  let remaining = Math.floor(total * TOKEN_SHARE);
  const meanLength = total / withTokens.length;
  const wanted = Math.min(MAX_ROWS, usable.length, Math.ceil(remaining / meanLength));
  const rows: StartRow[] = [];
  for (let i = 0; i < wanted; i++) {
    const row = cutRow(usable[Math.floor((i * usable.length) / wanted)]!, remaining);
    if (row.at.length === 0) continue;
    rows.push(row);
    remaining -= row.tokens.length;
  }
  return { temperature, rows };
}

/** Returns the beginning of a rollout's first row, up to its last action token within the limit. */
function cutRow({ tokens }: Rollout, maxTokens: number): StartRow {
  const { ids, mask, logprobs } = tokens!;
  const at: number[] = [];
  for (let i = 1; i < Math.min(ids.length, maxTokens); i++) if (mask[i] === 1) at.push(i);
  return {
    tokens: ids.slice(0, (at.at(-1) ?? -1) + 1),
    at,
    logprobs: at.map((i) => logprobs[i]!),
  };
}

/** Returns the estimate under the engine's present weights; undefined without rows, or if it is not finite. */
export async function measureStartKl(
  engine: Pick<Engine, "evaluate">,
  { temperature, rows }: StartRows,
): Promise<number | undefined> {
  if (rows.length === 0) return undefined;
  const outputs = await engine.evaluate(rows, { temperature });
  let [sum, count] = [0, 0];
  for (const [i, { logprobs }] of rows.entries()) {
    for (const [t, start] of logprobs.entries()) {
      sum += estimateKl("k3", start - outputs[i]!.logprobs[t]!);
      count += 1;
    }
  }
  return Number.isFinite(sum) ? sum / count : undefined;
}

/** Measures at the end of an iteration, given the iteration's number and rollouts. */
export type StartKlMeter = (
  iteration: number,
  rollouts: readonly Rollout[],
) => Promise<number | undefined>;

export function createStartKlMeter({ engine, store }: TrainingRun): StartKlMeter {
  let start: StartRows | undefined;
  return async (iteration, rollouts) => {
    start ??= chooseStartRows(iteration === 1 ? rollouts : readFirstRollouts(store.directory));
    const isTempered = engine.info.capabilities.tempered ?? true;
    if (start.temperature !== 1 && !isTempered) return undefined;
    return measureStartKl(engine, start);
  };
}

/** Returns no rollouts if the file is missing or damaged: a run can be resumed without its oldest rollouts. */
function readFirstRollouts(directory: string): readonly Rollout[] {
  try {
    return readRollouts(directory, `train-${formatIterationNumber(1)}`);
  } catch (error) {
    if (BowlineError.is(error)) return [];
    throw error;
  }
}
