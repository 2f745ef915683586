/**
 * Prepares what `scoreSplit` needs of a hosted model: its policy, the folder of finished rollouts, and a signal that
 * stops the evaluation.
 */

import type { RolloutJournal } from "../../../methods/index.ts";
import type { Dials, Policy, Scaffold, Split } from "../../../spec/index.ts";
import { openEvaluationRecord } from "./evaluation-record.ts";
import { createHostedModel, formatHostedName, type HostedOptions } from "./hosted-options.ts";
import { createHostedPolicy, type HostedTotals } from "./hosted-policy.ts";
import type { LanguageModelLike } from "./language-model.ts";

/** What an evaluation of a hosted model needs to know. */
export interface HostedEvaluation {
  readonly policy: string | LanguageModelLike;
  readonly options: HostedOptions;
  readonly scaffold: Scaffold;
  readonly maxTurns: number;
  readonly temperature: number;
  readonly world: { readonly name: string; readonly seed: number; readonly dials: Dials };
  readonly split: Split;
  readonly scenarios: number | undefined;
  readonly seed: number;
}

/** A hosted model that is ready to be evaluated. */
export interface OpenedHostedModel {
  readonly policy: Policy;
  readonly episodes: number;
  readonly signal: AbortSignal;
  readonly journal?: RolloutJournal;
  readonly resumed: boolean;
  totals(): HostedTotals;
  /** Writes the score to the folder, if the evaluation has one. */
  finish(score: object): void;
}

/**
 * Prepares the model. Throws a `config` error if an option is wrong, or if the output folder holds another evaluation.
 */
export function openHostedModel(work: HostedEvaluation): OpenedHostedModel {
  const { options, scaffold, temperature } = work;
  const { attempts = 6, requestsPerMinute, prices, ceiling, out } = options;
  const model = createHostedModel(work.policy, options);
  const record =
    out === undefined ? undefined : openEvaluationRecord(out, evaluationIdentity(work));
  const hosted = createHostedPolicy({
    model,
    patience: { attempts, requestsPerMinute },
    maxTokens: scaffold.limits.maxTurnTokens,
    temperature,
    prices,
    ceiling,
    ...(record && { before: record.before, onUse: record.add }),
  });
  return {
    policy: hosted.policy,
    episodes: options.concurrency ?? 8,
    signal: hosted.signal,
    ...(record && { journal: record.journal }),
    resumed: record?.resumed ?? false,
    totals: hosted.totals,
    finish: (score) => record?.finish({ ...score, hosted: hosted.totals() }),
  };
}

/** Returns the values that must stay the same when an evaluation is continued. The address of the server may change. */
function evaluationIdentity({
  policy,
  options,
  scaffold,
  world,
  ...rest
}: HostedEvaluation): object {
  return {
    version: 1,
    policy: formatHostedName(policy),
    world: world.name,
    worldSeed: world.seed,
    dials: world.dials,
    scaffold: scaffold.name,
    limits: scaffold.limits,
    ...rest,
  };
}
