/**
 * Decides which settings of a request a session obeys. A session that trains samples as its method says, because rows
 * that were sampled in another way would be learned from as if they were the policy's own. Filters need a policy that
 * has them, and variables a chat template that reads them.
 */
import type { SampleFilter, SessionRequest, TokenPolicy } from "../../spec/index.ts";
import type { ConversationRenderer } from "../tools/index.ts";

/** The sampling settings that an agent requested. */
export type RequestedSampling = Pick<
  SessionRequest,
  "temperature" | "topP" | "topK" | "minP" | "seed"
>;

/** What decides which settings a session obeys. */
export interface SettingsContext {
  readonly trains: boolean;
  /** The temperature of a session that trains. */
  readonly temperature: number;
  readonly policy: TokenPolicy;
  readonly renderer: ConversationRenderer;
}

/** Returns the sampling settings of a request, for the record. */
export function requestedSampling(request: SessionRequest): RequestedSampling {
  const { temperature, topP, topK, minP, seed } = request;
  const settings = { temperature, topP, topK, minP, seed };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Returns the filter to sample with, or undefined when the session does not obey one. */
export function samplingFilter(
  { topP, topK, minP }: SessionRequest,
  { trains, policy }: SettingsContext,
): SampleFilter | undefined {
  if (trains || !policy.filtersSamples) return undefined;
  const filter = {
    ...(topK !== undefined && { topK }),
    ...(topP !== undefined && { topP }),
    ...(minP !== undefined && { minP }),
  };
  return Object.keys(filter).length > 0 ? filter : undefined;
}

/** Returns the template variables of a request that the template reads, or undefined when there are none. */
export function obeyedVariables(
  { templateVariables = {} }: Pick<SessionRequest, "templateVariables">,
  renderer: ConversationRenderer,
): Readonly<Record<string, unknown>> | undefined {
  const obeyed = Object.entries(templateVariables).filter(([name]) => renderer.readsVariable(name));
  return obeyed.length > 0 ? Object.fromEntries(obeyed) : undefined;
}

/** Returns the settings that have no effect, or not all of it, as paths in `SessionRequest`. */
export function listIgnoredSettings(request: SessionRequest, context: SettingsContext): string[] {
  const { trains, temperature, policy, renderer } = context;
  const { topK, topP = 1, minP = 0, templateVariables = {} } = request;
  const filters = !trains && policy.filtersSamples;
  const changesNothing = request.temperature === 0 && !trains;
  const ignored = {
    temperature: trains && (request.temperature ?? temperature) !== temperature,
    topP: !filters && topP < 1 && !changesNothing,
    topK: !filters && topK !== undefined && !changesNothing,
    minP: !filters && minP > 0 && !changesNothing,
    seed: trains && request.seed !== undefined,
    json: request.json !== undefined,
  };
  const variables = Object.keys(templateVariables).filter((name) => !renderer.readsVariable(name));
  return [
    ...Object.keys(ignored).filter((name) => ignored[name as keyof typeof ignored]),
    ...variables.map((name) => `templateVariables.${name}`),
  ];
}
