/** The cache of policies of a studio in which scripted cells take the place of weights. */
import { THIS_CALL } from "../../src/core/index.ts";
import { loop } from "../../src/methods/index.ts";
import { createPolicyCache } from "../../src/server/studio/policy-cache.ts";
import type { RunRecords } from "../../src/server/studio/run-records.ts";
import type { Policy, SampleRequest } from "../../src/spec/index.ts";
import { scriptedTokenPolicy } from "../../src/testing/scripted-policy.ts";
import type { ResumablePolicy } from "../../src/train/index.ts";
import { prepareToContinue } from "../../src/train/policy/continue-episode.ts";
import { createToyAgent, TOY_CONFIG } from "./toy-run.ts";

/** What the scripted policy answers when it continues, and what was asked of it. */
export interface Script {
  cells: readonly string[];
  requests: readonly SampleRequest[];
  loads: number;
}

export function createScriptedPolicies(records: RunRecords, script: Script) {
  const { scaffold, renderer } = createToyAgent();
  return createPolicyCache(records, async () => {
    script.loads += 1;
    return {
      scaffold: "compact",
      resumed: (beginning) => {
        const weights = (engine: object) => ({ engine, agent: { scaffold, renderer } }) as never;
        const subject = { config: TOY_CONFIG, method: loop, origin: THIS_CALL };
        prepareToContinue(beginning, { subject, weights: weights({}) });
        return (episode, options) => {
          const { policy, requests } = scriptedTokenPolicy(script.cells, renderer);
          script.requests = requests;
          return prepareToContinue(beginning, {
            subject,
            weights: weights(sampleWithPolicy(policy)),
          })(episode, options);
        };
      },
      close: async () => {},
    } as ResumablePolicy;
  });
}

function sampleWithPolicy(policy: Policy) {
  if (policy.kind !== "tokens") throw new Error("it has tokens");
  return {
    sample: (asked: readonly SampleRequest[], signal?: AbortSignal) =>
      Promise.all(asked.map((request) => policy.sample(request, signal))),
    release: policy.release,
  };
}
