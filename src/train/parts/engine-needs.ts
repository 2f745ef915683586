/**
 * What a configuration asks of an engine beyond log-probs, so that an engine that cannot serve it is refused at start,
 * by the names of both, and no option is ever ignored.
 */
import { BowlineError } from "../../core/index.ts";
import type { EngineNeed } from "../../methods/index.ts";
import { type EngineInfo, NO_CLIP } from "../../spec/index.ts";
import { type Config, readTemperature } from "../config/config.ts";
import { listPhases, type Phase } from "../config/stages.ts";
import { createEngineRequest, type EngineRequest } from "./engine-request.ts";
import type { Makers } from "./makers.ts";
import { findModelSource } from "./model-source.ts";

/** Of every stage, in the order of the stages; empty for LOOP. */
export function listEngineNeeds(run: Phase): readonly EngineNeed[] {
  return listPhases(run).flatMap(({ method, config }) => method.needs(config));
}

/** The smallest model there is: enough to ask an engine what it can do. */
const TINY_SHAPE = { hiddenSize: 8, layers: 1, heads: 1, contextLength: 16 };

const BYTE_VOCABULARY_SIZE = 260;

/**
 * Opens an engine of the configured kind for as long as it takes to read what it offers: a tiny one, or a server's own.
 */
async function readEngineInfo(makers: Makers, { config, method }: Phase): Promise<EngineInfo> {
  const request =
    config.engine.name === "tinker"
      ? await createServerRequest({ config, method })
      : createEngineRequest(
          { config: { ...config, model: { ...config.model, ...TINY_SHAPE } }, method },
          BYTE_VOCABULARY_SIZE,
        );
  const engine = await makers.createEngine(config.engine.name, request);
  try {
    return engine.info;
  } finally {
    await engine.close();
  }
}

/** What a server samples has to be ids of the model's vocabulary. */
async function createServerRequest(run: Phase): Promise<EngineRequest> {
  const source = await findModelSource(run.config);
  const known = source.from === "texts" ? source.directory : run.config.tokenizer;
  return createEngineRequest(run, known.vocabularySize, source);
}

/** Refuses a configuration before anything is opened for it. A configuration without needs costs nothing. */
export async function requireCapableEngine(makers: Makers, run: Phase): Promise<void> {
  if (listEngineNeeds(run).length === 0) return;
  requireCapabilities(run, await readEngineInfo(makers, run));
}

/** Throws an `engine` error that names the engine and the first option that it cannot serve. */
export function requireCapabilities(
  run: Phase,
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

/** Options that an engine cannot serve whatever the method is. Throws an `engine` error that names the option. */
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
      `the ${name} engine's server samples at temperatures 0 and 1 only (info.capabilities.temperedSamples is false), got algo.lowestTemperature ${lowest}; null samples all at algo.temperature`,
    );
  }
}

function readLowestTemperature({ algo }: Config): number | null {
  const lowest = "lowestTemperature" in algo ? algo.lowestTemperature : null;
  return typeof lowest === "number" ? lowest : null;
}
