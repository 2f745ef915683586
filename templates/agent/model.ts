/** Where the agent's model comes from: from the trainer in training, from the environment in production. */
import type { AgentContext } from "bowline";
import type { Model } from "./agent.ts";

export const modelInTraining = ({ baseURL, apiKey }: AgentContext): Model => ({
  baseURL,
  apiKey,
  name: "policy",
});

/**
 * Returns the model that the environment names: MODEL, a model of the server OPENAI_BASE_URL with the key
 * OPENAI_API_KEY. `npm run serve` serves a trained policy at http://127.0.0.1:8127/v1.
 */
export async function openModel(): Promise<{
  readonly createModel: () => { readonly model: Model; readonly close: () => void };
  readonly close: () => Promise<void>;
}> {
  const { MODEL = "policy", OPENAI_BASE_URL, OPENAI_API_KEY = "" } = process.env;
  const baseURL = OPENAI_BASE_URL ?? "https://api.openai.com/v1";
  const model = { baseURL, apiKey: OPENAI_API_KEY, name: MODEL };
  return { createModel: () => ({ model, close: () => {} }), close: async () => {} };
}
