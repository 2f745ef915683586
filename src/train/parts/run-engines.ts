/** Engines of a run as its loop sees them: metered, and with the rows of a rollout told apart. */

import { createSegmentedEngine } from "../../methods/index.ts";
import type { Engine } from "../../spec/index.ts";
import type { Phase } from "../config/stages.ts";
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

export interface RunEngines {
  /** The one that is trained. It may keep a folder of its own in the run, so there is one of it. */
  createMain(): Promise<Engine>;
  /** Another of the same kind, such as a reference. */
  createAnother(): Promise<Engine>;
  /** Where tokens have a price. */
  readonly spending: Spending | undefined;
  /** Tokens that were evaluated and trained on since it was last asked. */
  takeLearned(): Partial<TokenUsage>;
}

export function createRunEngines(
  makers: Makers,
  run: Phase,
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
  const create = async (directory?: string) =>
    createSegmentedEngine(
      createMeteredEngine(
        await makers.createEngine(config.engine.name, { ...request, directory }),
        meter,
      ),
    );
  return {
    createMain: () => create(store.path("engine")),
    createAnother: () => create(),
    spending,
    takeLearned() {
      const { prefill, trained } = learned;
      learned = NO_USAGE;
      return { prefill, trained };
    },
  };
}
