/** A hosted model made ready for `scoreSplit`: its policy, what is kept of it, and when to stop asking. */

import type { RolloutJournal } from "../../../methods/index.ts";
import type { Dials, Policy, Scaffold, Split } from "../../../spec/index.ts";
import { openEvaluationRecord } from "./evaluation-record.ts";
import { createHostedModel, formatHostedName, type HostedOptions } from "./hosted-options.ts";
import { createHostedPolicy, type HostedTotals } from "./hosted-policy.ts";
import type { LanguageModelLike } from "./language-model.ts";

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

export interface OpenedHostedModel {
  readonly policy: Policy;
  readonly episodes: number;
  readonly signal: AbortSignal;
  readonly journal?: RolloutJournal;
  readonly resumed: boolean;
  totals(): HostedTotals;
  /** Writes the score, where the evaluation has a folder. */
  finish(score: object): void;
}

/** Throws a `config` error for options that are wrong, or a folder of something else. */
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

/** What makes two evaluations the same one. An address may change: a model is what its server names. */
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
