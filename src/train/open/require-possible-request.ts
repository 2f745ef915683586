/**
 * Checks the request of a run. When it is impossible and values cure it, the run is planned with these values, so that
 * one error also has what the engine and its server refuse.
 */
import { type Cure, joinLaterRefusals } from "../../core/index.ts";
import type { Config } from "../config/config.ts";
import { type ConfigTree, setAtPath } from "../config/config-tree.ts";
import type { Makers } from "../parts/makers.ts";
import { checkRequest, type TrainOptions, type TrainRequest } from "./check-request.ts";
import { planRun } from "./plan-run.ts";

/** Returns the checked request, or throws an error with everything that is known to be impossible. */
export async function requirePossibleRequest(
  makers: Makers,
  config: Config,
  options: TrainOptions,
): Promise<TrainRequest> {
  const planCured = async (cure: Cure) =>
    planRun(makers, await checkRequest(withCuredFields(config, cure), options));
  try {
    return await checkRequest(config, options);
  } catch (error) {
    throw await joinLaterRefusals(error, planCured);
  }
}

/** Returns the configuration with the values of a cure, not yet checked. */
function withCuredFields(config: Config, cure: Cure): Config {
  const cured: ConfigTree = { ...config };
  for (const [path, value] of Object.entries(cure)) {
    setAtPath(cured, path.split("."), value === "null" ? null : (value ?? undefined));
  }
  return cured as unknown as Config;
}
