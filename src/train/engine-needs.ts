/**
 * What a configuration asks of an engine beyond log-probs, so that an engine that cannot serve it is refused at start,
 * by the names of both, and no option is ever ignored.
 */
import { BowlineError } from "../core/index.ts";
import type { Capabilities, EngineInfo } from "../spec/index.ts";
import type { Config } from "./config.ts";
import { engineRequest, type Parts } from "./parts.ts";

interface Need {
  readonly capability: keyof Capabilities;
  readonly option: string;
  readonly what: string;
}

/** In the order of the configuration; empty for LOOP. */
export function engineNeeds({ algo }: Config): readonly Need[] {
  const needs: Need[] = [];
  if (algo.klCoefficient > 0) {
    const what = "a frozen copy of its weights to hold the policy to";
    needs.push({
      capability: "snapshot",
      option: `algo.klCoefficient ${algo.klCoefficient}`,
      what,
    });
  }
  if (algo.entropyCoefficient > 0) {
    const what = "the entropy of its next-token distributions and its gradient";
    const option = `algo.entropyCoefficient ${algo.entropyCoefficient}`;
    needs.push({ capability: "entropy", option, what });
  }
  if (algo.baseline === "value") {
    const what = "a value head with an optimizer of its own";
    needs.push({ capability: "value", option: "algo.baseline value", what });
  }
  return needs;
}

/** The smallest model there is: enough to ask an engine what it can do. */
const PROBE = {
  hiddenSize: 8,
  layers: 1,
  heads: 1,
  kvHeads: 1,
  headSize: 8,
  intermediateSize: 8,
  contextLength: 16,
};

/** Opens a tiny engine of the configured kind for as long as it takes to read what it offers. */
async function engineInfo(parts: Parts, config: Config): Promise<EngineInfo> {
  const request = engineRequest({ ...config, model: { ...config.model, ...PROBE } }, 260);
  const engine = await parts.createEngine(config.engine.name, request);
  try {
    return engine.info;
  } finally {
    await engine.close();
  }
}

/** Refuses a configuration before anything is opened for it. A configuration without needs costs nothing. */
export async function requireEngine(parts: Parts, config: Config): Promise<void> {
  if (engineNeeds(config).length === 0) return;
  requireServed(config, await engineInfo(parts, config));
}

/** Throws an `engine` error that names the engine and the first option that it cannot serve. */
export function requireServed(
  config: Config,
  { name, capabilities }: Pick<EngineInfo, "name" | "capabilities">,
): void {
  const missing = engineNeeds(config).find(({ capability }) => !capabilities[capability]);
  if (missing === undefined) return;
  throw new BowlineError(
    "engine",
    `the ${name} engine cannot serve ${missing.option}: it needs ${missing.what} (info.capabilities.${missing.capability} is false)`,
  );
}
