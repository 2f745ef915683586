/**
 * Resolves the configuration of a run that is about to start. A configuration that contradicts itself is also checked
 * with the contradictions cured, so that one error names everything that the run would be refused for, such as the
 * limits of a server.
 */
import { type Cure, joinLaterRefusals } from "../../core/index.ts";
import type { Config } from "../config/config.ts";
import { type Makers, realMakers } from "../parts/makers.ts";
import { type ConfigForModel, resolveConfigForModel } from "../parts/resolve-config-for-model.ts";
import { type ResolveInput, withCure } from "../settings/resolve.ts";
import type { TrainOptions } from "./check-request.ts";
import { planRun } from "./plan-run.ts";
import { requirePossibleRequest } from "./require-possible-request.ts";

/**
 * Works like `resolveConfigForModel`. `optionsFor` returns the options with which the run of a configuration would be
 * trained.
 */
export function resolveConfigForRun(
  input: ResolveInput,
  optionsFor: (config: Config) => TrainOptions,
): Promise<ConfigForModel> {
  return resolveConfigForRunWith(realMakers, input, optionsFor);
}

/** Works like `resolveConfigForRun`, but the caller supplies the functions that make worlds and engines. */
export async function resolveConfigForRunWith(
  makers: Makers,
  input: ResolveInput,
  optionsFor: (config: Config) => TrainOptions,
): Promise<ConfigForModel> {
  const resolve = (one: ResolveInput) =>
    resolveConfigForModel(one, (config) => optionsFor(config).out);
  const checkCured = async (cure: Cure) => {
    const { config } = await resolve(withCure(input, cure));
    await planRun(makers, await requirePossibleRequest(makers, config, optionsFor(config)));
  };
  try {
    return await resolve(input);
  } catch (error) {
    throw await joinLaterRefusals(error, checkCured);
  }
}
