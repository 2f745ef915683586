/**
 * What a configuration asks of an engine beyond log-probs, so that an engine that cannot serve it is refused at start,
 * by the names of both, and no option is ever ignored.
 */
import { BowlineError } from "../../core/index.ts";
import type { Need } from "../../methods/index.ts";
import type { EngineInfo } from "../../spec/index.ts";
import { type Phase, phasesOf } from "../config/stages.ts";
import { engineRequest, type Makers } from "./makers.ts";
import { requireLimits } from "./remote-engine.ts";

/** Of every stage, in the order of the stages; empty for LOOP. */
export function engineNeeds(run: Phase): readonly Need[] {
  return phasesOf(run).flatMap(({ method, config }) => method.needs(config));
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
async function engineInfo(makers: Makers, { config, method }: Phase): Promise<EngineInfo> {
  const tiny = { ...config, model: { ...config.model, ...PROBE } };
  const request = engineRequest({ config: tiny, method }, 260);
  const engine = await makers.createEngine(config.engine.name, request);
  try {
    return engine.info;
  } finally {
    await engine.close();
  }
}

/** Refuses a configuration before anything is opened for it. A configuration without needs costs nothing. */
export async function requireEngine(makers: Makers, run: Phase): Promise<void> {
  if (engineNeeds(run).length === 0) return;
  requireServed(run, await engineInfo(makers, run));
}

/** Throws an `engine` error that names the engine and the first option that it cannot serve. */
export function requireServed(
  run: Phase,
  { name, capabilities }: Pick<EngineInfo, "name" | "capabilities">,
): void {
  requireLimits(run.config, { name, capabilities });
  const missing = engineNeeds(run).find(({ capability }) => !capabilities[capability]);
  if (missing === undefined) return;
  throw new BowlineError(
    "engine",
    `the ${name} engine cannot serve ${missing.option}: it needs ${missing.what} (info.capabilities.${missing.capability} is false)`,
  );
}
