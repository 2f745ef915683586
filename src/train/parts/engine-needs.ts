/**
 * Finds what a configuration needs from an engine besides log-probabilities. An engine that lacks it is rejected at the
 * start, by an error that names the engine and the option. So no option is silently ignored.
 */
import { BowlineError, THIS_CALL } from "../../core/index.ts";
import type { EngineNeed } from "../../methods/index.ts";
import { type EngineInfo, NO_CLIP } from "../../spec/index.ts";
import { type Config, readTemperature } from "../config/config.ts";
import { type ConfigAndMethod, listConfigsAndMethods } from "../config/stages.ts";
import { createEngineRequest, type EngineRequest } from "./engine-request.ts";
import type { Makers } from "./makers.ts";
import { findModelSource } from "./model-source.ts";

/** Returns what all stages of a run need from the engine, in the order of the stages; empty for LOOP. */
export function listEngineNeeds(run: ConfigAndMethod): readonly EngineNeed[] {
  return listConfigsAndMethods(run).flatMap(({ method, config }) => method.needs(config));
}

/** The shape of a tiny model, with which an engine can show what it supports. */
const TINY_SHAPE = { hiddenSize: 8, layers: 1, heads: 1, contextLength: 16 };

const BYTE_VOCABULARY_SIZE = 260;

/** Opens an engine with a tiny model, or with the server's model, reads what the engine supports, and closes it. */
async function readEngineInfo(
  makers: Makers,
  { config, method }: ConfigAndMethod,
): Promise<EngineInfo> {
  const request =
    config.engine.name === "tinker"
      ? await createServerRequest({ config, method })
      : createEngineRequest(
          { config: { ...config, model: { ...config.model, ...TINY_SHAPE } }, method },
          BYTE_VOCABULARY_SIZE,
        );
  const engine = await makers.createEngine(config.engine.name, request, THIS_CALL);
  try {
    return engine.info;
  } finally {
    await engine.close();
  }
}

/**
 * Returns the request for an engine on a server. It has the vocabulary of the server's model, because the server
 * samples its ids.
 */
async function createServerRequest(run: ConfigAndMethod): Promise<EngineRequest> {
  const source = await findModelSource(run.config);
  const known = source.from === "texts" ? source.directory : run.config.tokenizer;
  return createEngineRequest(run, known.vocabularySize, source);
}

/**
 * Throws an `engine` error when the engine does not support what the configuration needs. An engine is opened only if
 * necessary.
 */
export async function requireCapableEngine(makers: Makers, run: ConfigAndMethod): Promise<void> {
  if (listEngineNeeds(run).length === 0) return;
  requireCapabilities(run, await readEngineInfo(makers, run));
}

/** Throws an `engine` error that names the engine and the first option that it does not support. */
export function requireCapabilities(
  run: ConfigAndMethod,
  { name, capabilities }: Pick<EngineInfo, "name" | "capabilities">,
): void {
  requireSupportedOptions(run.config, { name, capabilities });
  const missing = listEngineNeeds(run).find(({ capability }) => !capabilities[capability]);
  if (missing === undefined) return;
  throw new BowlineError(
    "engine",
    `the ${name} engine cannot serve ${missing.option}: it needs ${missing.what} (info.capabilities.${missing.capability} is false)`,
  );
}

/**
 * Throws an `engine` error when the engine does not support the configured gradient clip or temperature. Every method
 * needs these.
 */
export function requireSupportedOptions(
  config: Config,
  { name, capabilities }: Pick<EngineInfo, "name" | "capabilities">,
): void {
  const { optimizer } = config;
  const temperature = readTemperature(config);
  if (!capabilities.gradientClip && optimizer.maxGradientNorm < NO_CLIP) {
    throw new BowlineError(
      "engine",
      `the ${name} engine's server does not clip gradients (info.capabilities.gradientClip is false), so optimizer.maxGradientNorm ${optimizer.maxGradientNorm} would change nothing; set it to ${NO_CLIP} and lower optimizer.learningRate`,
    );
  }
  if (capabilities.tempered === false && temperature !== 1) {
    throw new BowlineError(
      "engine",
      `the ${name} engine evaluates at temperature 1 only (info.capabilities.tempered is false), got algo.temperature ${temperature}`,
    );
  }
  const lowest = readLowestTemperature(config);
  if (capabilities.temperedSamples === false && lowest !== null && lowest !== 1) {
    throw new BowlineError(
      "engine",
      `the ${name} engine's server samples at temperatures 0 and 1 only (info.capabilities.temperedSamples is false), got algo.lowestTemperature ${lowest}; with null, all are sampled at algo.temperature`,
    );
  }
}

function readLowestTemperature({ algo }: Config): number | null {
  const lowest = "lowestTemperature" in algo ? algo.lowestTemperature : null;
  return typeof lowest === "number" ? lowest : null;
}
