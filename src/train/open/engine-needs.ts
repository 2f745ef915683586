/**
 * What a configuration asks of an engine beyond log-probs, so that an engine that cannot serve it is refused at start,
 * by the names of both, and no option is ever ignored.
 */
import { BowlineError } from "../core/index.ts";
import type { Capabilities, EngineInfo } from "../spec/index.ts";
import type { Config } from "./config.ts";
import { stageConfigs } from "./mechanisms/stages.ts";
import { engineRequest, type Parts } from "./parts.ts";
import { requireLimits } from "./remote-engine.ts";

interface Need {
  readonly capability: keyof Capabilities;
  readonly option: string;
  readonly what: string;
}

/** Of every stage, in the order of the configuration; empty for LOOP. */
export function engineNeeds(config: Config): readonly Need[] {
  return stageConfigs(config).flatMap(needsOf);
}

function needsOf(config: Config): readonly Need[] {
  const { algo } = config;
  const needs: Need[] = [...mechanismNeeds(config)];
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
  if (algo.staleness > 0) {
    const what = "to sample by earlier policies while it trains the newest";
    needs.push({ capability: "heldVersions", option: `algo.staleness ${algo.staleness}`, what });
  }
  if (algo.baseline === "value") {
    const what = "a value head with an optimizer of its own";
    needs.push({ capability: "value", option: "algo.baseline value", what });
  }
  return needs;
}

/** What looks at entropies or at a reference without being a term of the objective's own. */
function mechanismNeeds({ algo, credit, filter, rewards }: Config): Need[] {
  const entropies: [string, number | null, number | null][] = [
    ["algo.entropyBandCoefficient", algo.entropyBandCoefficient, 0],
    ["algo.keptShare", algo.keptShare, null],
    ["credit.entropyFactor", credit.entropyFactor, 0],
    ["filter.entropyTurnShare", filter.entropyTurnShare, 1],
    ["filter.entropyTokenShare", filter.entropyTokenShare, 1],
  ];
  const what = "the entropy of its next-token distributions";
  const needs = entropies.flatMap(([path, value, off]): Need[] =>
    value === off ? [] : [{ capability: "entropy", option: `${path} ${value}`, what }],
  );
  if (!rewards.terms.some(({ term }) => term === "kl")) return needs;
  const copy = "a frozen copy of its weights to measure the distance to";
  return [...needs, { capability: "snapshot", option: "rewards.terms kl", what: copy }];
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
  requireLimits(config, { name, capabilities });
  const missing = engineNeeds(config).find(({ capability }) => !capabilities[capability]);
  if (missing === undefined) return;
  throw new BowlineError(
    "engine",
    `the ${name} engine cannot serve ${missing.option}: it needs ${missing.what} (info.capabilities.${missing.capability} is false)`,
  );
}
