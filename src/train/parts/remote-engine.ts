/** What the configuration of a remote engine can get wrong before its server is asked. */
import { BowlineError, errorMessageWithCause } from "../../core/index.ts";
import { type EngineInfo, NO_CLIP } from "../../spec/index.ts";
import { type Config, temperatureOf } from "../config/config.ts";

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
    const problem = `engine.url: nobody answers at ${engine.url} (${errorMessageWithCause(cause)})`;
    throw new BowlineError("engine", problem, { cause });
  }
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
      `the ${name} engine evaluates at temperature 1 only (info.capabilities.tempered is false), got algo.temperature ${temperature}`,
    );
  }
  const lowest = lowestTemperatureOf(config);
  if (capabilities.temperedSamples === false && lowest !== null && lowest !== 1) {
    throw new BowlineError(
      "engine",
      `the ${name} engine's server samples at temperatures 0 and 1 only (info.capabilities.temperedSamples is false), got algo.lowestTemperature ${lowest}; null samples all at algo.temperature`,
    );
  }
}

function lowestTemperatureOf({ algo }: Config): number | null {
  const lowest = "lowestTemperature" in algo ? algo.lowestTemperature : null;
  return typeof lowest === "number" ? lowest : null;
}
