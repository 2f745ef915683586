/** An engine with a policy's weights, and the agent that speaks with them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { Engine } from "../../spec/index.ts";
import { type Agent, agentOf } from "../parts/agent.ts";
import { engineRequest } from "../parts/engine-request.ts";
import type { Makers } from "../parts/makers.ts";
import { anyTextOf, type ModelSource, textOf, tokenizerOf } from "../parts/model-source.ts";
import type { Subject } from "./subject.ts";

export interface Weights {
  readonly engine: Engine;
  readonly agent: Agent;
}

/** The engine is the caller's to close. */
export async function openWeights(
  subject: Subject & { readonly source: ModelSource },
  makers: Makers,
): Promise<Weights> {
  const { config, checkpoint, source } = subject;
  const json =
    source.from === "directory"
      ? source.directory.tokenizerJson
      : readText(join(checkpoint ?? "", "tokenizer.json"));
  const tokenizer = tokenizerOf(source, json, config);
  const chats = config.scaffold.name === "agent";
  const text = chats ? anyTextOf(source, json, config) : textOf(source);
  const agent = agentOf(config, tokenizer, text, subject.scaffold);
  const request = engineRequest(subject, tokenizer.vocabularySize, source);
  const engine = await makers.createEngine(config.engine.name, request);
  try {
    const weights = checkpoint && join(checkpoint, "engine");
    if (weights !== undefined && weights !== request.weights) await loadPublished(engine, weights);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { engine, agent };
}

/** A checkpoint in the middle of a warm start, or of an iteration, was taken before its policy was published. */
async function loadPublished(engine: Engine, weights: string): Promise<void> {
  await engine.load(weights);
  await engine.publish();
}

/** Greedy, or for a published model what its makers ask for. */
export function standardTemperature({ source, checkpoint }: Subject): number {
  if (checkpoint !== undefined || source?.from !== "directory") return 0;
  return source.directory.generation.temperature ?? 0;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new BowlineError("checkpoint", `cannot read ${path}: ${errorMessage(cause)}`, { cause });
  }
}
