/** Where the agent's model comes from: from the trainer in training, from the environment in production. */
import type { AgentContext } from "bowline";
import type { Model } from "./agent.ts";

export const modelInTraining = ({ anthropicBaseURL, apiKey }: AgentContext): Model => ({
  baseURL: anthropicBaseURL,
  apiKey,
  name: "policy",
});

/**
 * Returns the model that the environment names: MODEL, a model of the server ANTHROPIC_BASE_URL with the key
 * ANTHROPIC_API_KEY. `npm run serve` serves a trained policy at http://127.0.0.1:8127.
 */
export async function openModel(): Promise<{
  readonly createModel: () => { readonly model: Model; readonly close: () => void };
  readonly close: () => Promise<void>;
}> {
  const { MODEL = "policy", ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY = "" } = process.env;
  const baseURL = ANTHROPIC_BASE_URL ?? "https://api.anthropic.com";
  const model = { baseURL, apiKey: ANTHROPIC_API_KEY, name: MODEL };
  return { createModel: () => ({ model, close: () => {} }), close: async () => {} };
}
