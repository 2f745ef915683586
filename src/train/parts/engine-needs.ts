/**
 * Finds what a configuration needs from an engine besides log-probabilities. An engine that lacks it is rejected at the
 * start, by an error that names the engine and the option. So no option is silently ignored.
 */
import { createRefusalError, errorMessage, type Refusal, THIS_CALL } from "../../core/index.ts";
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

/** The longest context that a configuration can ask for, in tokens. */
const LONGEST_CONTEXT = 131_072;

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
  // The whole context is asked for, so that the engine says how much of it the server has.
  const model = { ...run.config.model, contextLength: LONGEST_CONTEXT };
  const asked = { ...run, config: { ...run.config, model } };
  return createEngineRequest(asked, known.vocabularySize, source);
}

/**
 * Asks an engine what it supports before anything expensive happens, and throws one error that lists everything that it
 * refuses. An engine in this process is opened only if the configuration needs something special; a server is always
 * asked. Returns the context of a server's model in tokens; undefined for other engines. `isBegun` is true for a run
 * that is continued, whose server was asked when the run began.
 */
export async function requireCapableEngine(
  makers: Makers,
  run: ConfigAndMethod,
  isBegun: boolean,
): Promise<number | undefined> {
  const isRemote = run.config.engine.name === "tinker";
  if (listEngineNeeds(run).length === 0 && (!isRemote || isBegun)) return undefined;
  const { info, refusals } = await askEngine(makers, run);
  const shortContext = isRemote ? findContextRefusals(run.config, info) : [];
  throwRefusals([...refusals, ...shortContext, ...listRefusals(run, info)]);
  return isRemote ? info.contextLength : undefined;
}

/** Ranks that are tried when a server refuses the configured one, so that its other refusals can be found as well. */
const OTHER_RANKS = [16, 8, 32, 4, 1];

/** Reads what an engine supports. A server that refuses the rank of the adapter is asked with another one. */
async function askEngine(
  makers: Makers,
  run: ConfigAndMethod,
): Promise<{ readonly info: EngineInfo; readonly refusals: readonly Refusal[] }> {
  try {
    return { info: await readEngineInfo(makers, run), refusals: [] };
  } catch (error) {
    const { engine } = run.config;
    const rank = "lora" in engine ? (engine.lora?.rank ?? 0) : 0;
    if (engine.name !== "tinker" || !/rank/i.test(errorMessage(error))) throw error;
    for (const other of OTHER_RANKS.filter((one) => one !== rank)) {
      const config = { ...run.config, engine: { ...engine, lora: { rank: other } } };
      const info = await readEngineInfo(makers, { ...run, config }).catch(() => undefined);
      if (info === undefined) continue;
      const sentence = `engine.lora.rank ${rank}: ${errorMessage(error)}`;
      return { info, refusals: [{ sentence, cure: { "engine.lora.rank": other } }] };
    }
    throw error;
  }
}

/** Returns refusals for limits that the user set and that are longer than the context of the server's model. */
function findContextRefusals(
  { scaffold, fitting }: Config,
  { name, contextLength }: EngineInfo,
): Refusal[] {
  if (scaffold.maxTokens <= contextLength) return [];
  const whose = fitting.keep.includes("scaffold.maxTokens") ? " as you set it" : "";
  const sentence = `scaffold.maxTokens is ${scaffold.maxTokens}${whose}, and the model of the ${name} engine's server has a context of ${contextLength} tokens`;
  return [{ sentence, cure: { "scaffold.maxTokens": contextLength } }];
}

/** Throws an `engine` error that lists everything that the engine does not support. */
export function requireCapabilities(
  run: ConfigAndMethod,
  info: Pick<EngineInfo, "name" | "capabilities">,
): void {
  throwRefusals(listRefusals(run, info));
}

/** Throws one error for all refusals, if there are any. */
function throwRefusals(refusals: readonly Refusal[]): void {
  if (refusals.length > 0) throw createRefusalError("engine", refusals);
}

function listRefusals(
  run: ConfigAndMethod,
  { name, capabilities }: Pick<EngineInfo, "name" | "capabilities">,
): Refusal[] {
  const missing = listEngineNeeds(run).filter(({ capability }) => !capabilities[capability]);
  const sentences = missing.map(
    ({ option, what, capability }) =>
      `the ${name} engine cannot serve ${option}: it needs ${what} (info.capabilities.${capability} is false)`,
  );
  const needs = [...new Set(sentences)].map((sentence) => ({ sentence }));
  return [...listUnsupportedOptions(run.config, { name, capabilities }), ...needs];
}

/** Lists the options that every method has and the engine does not support: gradient clip and temperatures. */
function listUnsupportedOptions(
  config: Config,
  { name, capabilities }: Pick<EngineInfo, "name" | "capabilities">,
): Refusal[] {
  const { optimizer } = config;
  const temperature = readTemperature(config);
  const refusals: Refusal[] = [];
  if (!capabilities.gradientClip && optimizer.maxGradientNorm < NO_CLIP) {
    refusals.push({
      sentence: `the ${name} engine's server does not clip gradients (info.capabilities.gradientClip is false), so optimizer.maxGradientNorm ${optimizer.maxGradientNorm} would change nothing; set it to ${NO_CLIP} and lower optimizer.learningRate`,
      cure: { "optimizer.maxGradientNorm": NO_CLIP },
    });
  }
  if (capabilities.tempered === false && temperature !== 1) {
    refusals.push({
      sentence: `the ${name} engine evaluates at temperature 1 only (info.capabilities.tempered is false), got algo.temperature ${temperature}`,
      cure: { "algo.temperature": 1 },
    });
  }
  const lowest = readLowestTemperature(config);
  if (capabilities.temperedSamples === false && lowest !== null && lowest !== 1) {
    refusals.push({
      sentence: `the ${name} engine's server samples at temperatures 0 and 1 only (info.capabilities.temperedSamples is false), got algo.lowestTemperature ${lowest}; with null, all are sampled at algo.temperature`,
      cure: { "algo.lowestTemperature": "null" },
    });
  }
  return refusals;
}

function readLowestTemperature({ algo }: Config): number | null {
  const lowest = "lowestTemperature" in algo ? algo.lowestTemperature : null;
  return typeof lowest === "number" ? lowest : null;
}
