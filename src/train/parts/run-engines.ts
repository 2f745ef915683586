/** Creates the engines of a run. They count tokens, and train the rows of a rollout that has several as one row. */

import { THIS_CALL } from "../../core/index.ts";
import { createSegmentedEngine } from "../../methods/index.ts";
import type { Engine } from "../../spec/index.ts";
import type { ConfigAndMethod } from "../config/stages.ts";
import { isPriced } from "../config/token-prices.ts";
import {
  addUsage,
  createMeteredEngine,
  NO_USAGE,
  openSpending,
  type Spending,
  type TokenUsage,
} from "../run/budget/index.ts";
import type { RunStore } from "../run/run-store.ts";
import { createEngineRequest } from "./engine-request.ts";
import type { Makers } from "./makers.ts";
import type { ModelSource } from "./model-source.ts";

/** The engines of a run, with counts of the tokens that they work on. */
export interface RunEngines {
  /** Creates the engine that is trained. Only one may exist, because it may keep files in the run directory. */
  createMain(): Promise<Engine>;
  /** Creates another engine of the same kind, such as one for the reference policy. */
  createAnother(): Promise<Engine>;
  /** The tokens and money that the run has spent; undefined if tokens have no price. */
  readonly spending: Spending | undefined;
  /** Returns the number of tokens that were evaluated and the number that were trained on since the previous call. */
  takeLearned(): Partial<TokenUsage>;
}

export function createRunEngines(
  makers: Makers,
  run: ConfigAndMethod,
  {
    store,
    source,
    vocabularySize,
  }: { readonly store: RunStore; readonly source: ModelSource; readonly vocabularySize: number },
): RunEngines {
  const { config } = run;
  const { budget } = config;
  const spending =
    budget !== null && isPriced(budget)
      ? openSpending(store.path("spending.jsonl"), budget)
      : undefined;
  let learned = NO_USAGE;
  const meter = {
    onUsage: (usage: Partial<TokenUsage>) => spending?.add(usage),
    onLearned: (usage: Partial<TokenUsage>) => {
      learned = addUsage(learned, usage);
    },
  };
  const request = createEngineRequest(run, vocabularySize, source);
  const createCountingEngine = async (directory?: string) =>
    createSegmentedEngine(
      createMeteredEngine(
        await makers.createEngine(config.engine.name, { ...request, directory }, THIS_CALL),
        meter,
      ),
    );
  return {
    createMain: () => createCountingEngine(store.path("engine")),
    createAnother: () => createCountingEngine(),
    spending,
    takeLearned() {
      const { prefill, trained } = learned;
      learned = NO_USAGE;
      return { prefill, trained };
    },
  };
}
