/** Opens an engine with a policy's weights, and creates its agent. */
import { join } from "node:path";
import type { Engine } from "../../spec/index.ts";
import { type Agent, createAgent } from "../parts/agent.ts";
import { createEngineRequest, type EngineRequest } from "../parts/engine-request.ts";
import type { Makers } from "../parts/makers.ts";
import {
  createTokenizer,
  publishedModelText,
  readModelTextOfPolicy,
} from "../parts/model-source.ts";
import type { OwnAgent } from "../parts/own-agent.ts";
import { readCheckpointText } from "../run/checkpoint.ts";
import type { EvaluatedPolicy, FoundPolicy } from "./find-policy.ts";

export interface OpenedWeights {
  readonly engine: Engine;
  readonly agent: Agent;
}

/** Opens the engine and creates the agent, which may be a user's own. The caller closes the engine. */
export async function openWeights(
  subject: FoundPolicy,
  makers: Makers,
  ownAgent?: OwnAgent,
): Promise<OpenedWeights> {
  const { config, checkpoint, source, weights } = subject;
  const json =
    source.from === "directory"
      ? source.directory.tokenizerJson
      : readCheckpointText(join(checkpoint ?? "", "tokenizer.json"));
  const tokenizer = createTokenizer(source, json, config);
  const chats = config.scaffold.name === "agent";
  const text = chats ? readModelTextOfPolicy(source, json, config) : publishedModelText(source);
  const agent = createAgent(config, tokenizer, text, subject.scaffold, ownAgent);
  const request = createEngineRequest(subject, tokenizer.vocabularySize, source);
  const engine = await makers.createEngine(config.engine.name, request, subject.origin);
  try {
    if (weights !== undefined && !hasLoadedWeights(subject, request))
      await loadAndPublish(engine, weights);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { engine, agent };
}

/** Returns true if an engine made by the request has the policy's weights, so that nothing is left to be loaded. */
export function hasLoadedWeights(
  { weights, checkpoint }: Pick<EvaluatedPolicy, "weights" | "checkpoint">,
  request: EngineRequest,
): boolean {
  // An adapter may lie in the folder of its base, from which an engine reads the base alone.
  return weights === undefined || (checkpoint !== undefined && weights === request.weights);
}

/** Loads weights and publishes them. A checkpoint may hold weights that were not published yet. */
async function loadAndPublish(engine: Engine, weights: string): Promise<void> {
  await engine.load(weights);
  await engine.publish();
}

/**
 * Returns the default temperature: 0, which is greedy, or for a published model the value in its
 * `generation_config.json`.
 */
export function defaultTemperature({ source, checkpoint }: EvaluatedPolicy): number {
  if (checkpoint !== undefined || source?.from !== "directory") return 0;
  return source.directory.generation.temperature ?? 0;
}
