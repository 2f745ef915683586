/** What the configuration of a remote engine can get wrong before its server is asked. */
import { BowlineError, reasonOf } from "../../core/index.ts";
import { type EngineInfo, NO_CLIP } from "../../spec/index.ts";
import { type Config, temperatureOf } from "../config/config.ts";

/** A sentence, without the URL's words: a password may be among them. Undefined when all is well. */
export function remoteConflict({ engine }: Config): string | undefined {
  if (!("url" in engine) || engine.url === null) return undefined;
  const url = URL.canParse(engine.url) ? new URL(engine.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return "engine.url: expected an absolute http or https URL, such as http://127.0.0.1:8000";
  }
  if (url.username === "" && url.password === "" && url.search === "") return undefined;
  return "engine.url: expected no password and no query in it; the key goes into TINKER_API_KEY";
}

/** Recipes cannot know where the server is, so that it is named is asked when a run starts. Throws a `config` error. */
export function requireServer({ engine, recipe }: Config): void {
  if (!("url" in engine) || engine.url !== null) return;
  throw new BowlineError(
    "config",
    `engine.url: the tinker engine needs a server, and recipe ${recipe} names none; give its address, such as --engine.url http://127.0.0.1:8000`,
  );
}

const ANSWER_MS = 5000;

/**
 * Whether anybody is at a remote engine's address; any HTTP answer will do. Only where the run is about to be refused for
 * another reason, which would hide a wrong address: opening the engine asks more, and waits for a server that restarts.
 */
export async function requireAnswer({ engine }: Config): Promise<void> {
  if (!("url" in engine) || engine.url === null) return;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    await fetch(`${engine.url.replace(/\/+$/, "")}/api/v1/healthz`, { signal });
  } catch (cause) {
    const problem = `engine.url: nobody answers at ${engine.url} (${reasonOf(cause)})`;
    throw new BowlineError("engine", problem, { cause });
  }
}

/** Shape and threads of the model are the server's. */
export function unservedField({ engine }: Config, paths: readonly string[]): string | undefined {
  if (engine.name !== "tinker") return undefined;
  const asked = paths.find((path) => /^model\./.test(path));
  if (asked === undefined || asked === "model.contextLength") return undefined;
  return `${asked} cannot be set with engine.name tinker: it is the server's`;
}

/** Options that an engine cannot serve whatever the method is. Throws an `engine` error that names the option. */
export function requireLimits(
  config: Config,
  { name, capabilities }: Pick<EngineInfo, "name" | "capabilities">,
): void {
  const { optimizer } = config;
  const temperature = temperatureOf(config);
  if (!capabilities.gradientClip && optimizer.maxGradientNorm < NO_CLIP) {
    throw new BowlineError(
      "engine",
      `the ${name} engine's server does not clip gradients (info.capabilities.gradientClip is false), so optimizer.maxGradientNorm ${optimizer.maxGradientNorm} would change nothing; set it to ${NO_CLIP} and lower optimizer.learningRate`,
    );
  }
  if (capabilities.tempered === false && temperature !== 1) {
    throw new BowlineError(
      "engine",
      `the ${name} engine evaluates at temperature 1 only (info.capabilities.tempered is false), came algo.temperature ${temperature}`,
    );
  }
  const lowest = lowestTemperatureOf(config);
  if (capabilities.temperedSamples === false && lowest !== null && lowest !== 1) {
    throw new BowlineError(
      "engine",
      `the ${name} engine's server samples at temperatures 0 and 1 only (info.capabilities.temperedSamples is false), came algo.lowestTemperature ${lowest}; null samples all at algo.temperature`,
    );
  }
}

function lowestTemperatureOf({ algo }: Config): number | null {
  const lowest = "lowestTemperature" in algo ? algo.lowestTemperature : null;
  return typeof lowest === "number" ? lowest : null;
}
