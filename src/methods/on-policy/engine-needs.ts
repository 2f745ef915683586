/** Says what on-policy mechanisms need from an engine besides log-probs. LOOP needs nothing else. */
import type { EngineNeed } from "../method.ts";
import { stalenessNeeds } from "../rollouts/groups.ts";
import type { OnPolicyConfig } from "./config.ts";

/** Returns what the enabled mechanisms need of the engine. */
export function onPolicyNeeds(config: OnPolicyConfig): EngineNeed[] {
  const { algo, rewards } = config;
  const needs = listEntropyNeeds(config);
  if (rewards.terms.some(({ term }) => term === "kl")) {
    const what = "a frozen copy of its weights to measure the distance to";
    needs.push({ capability: "snapshot", option: "rewards.terms kl", what });
  }
  if (algo.kl !== null) {
    const what = "a frozen copy of its weights to keep the policy near to";
    const option = `algo.kl.coefficient ${algo.kl.coefficient}`;
    needs.push({ capability: "snapshot", option, what });
  }
  if (algo.entropyCoefficient > 0) {
    const what = "the entropy of its next-token distributions and its gradient";
    const option = `algo.entropyCoefficient ${algo.entropyCoefficient}`;
    needs.push({ capability: "entropy", option, what });
  }
  return [...needs, ...stalenessNeeds(config)];
}

/** Lists the enabled mechanisms that use entropies but not their gradient. */
function listEntropyNeeds({ algo, credit, filter }: OnPolicyConfig): EngineNeed[] {
  const what = "the entropy of its next-token distributions";
  const keptShare = algo.ratio === "token" ? algo.keptShare : null;
  const values: [string, number | null | undefined, number | null | undefined][] = [
    ["algo.entropyBand.coefficient", algo.entropyBand?.coefficient, undefined],
    ["algo.keptShare", keptShare, null],
    ["credit.entropyFactor", credit.entropyFactor, 0],
    ["filter.entropyTurnShare", filter.entropyTurnShare, 1],
    ["filter.entropyTokenShare", filter.entropyTokenShare, 1],
  ];
  return values.flatMap(([path, value, none]): EngineNeed[] =>
    value === none ? [] : [{ capability: "entropy", option: `${path} ${value}`, what }],
  );
}
