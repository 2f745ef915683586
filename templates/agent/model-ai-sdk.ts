/** Where the agent's model comes from: from the trainer in training, from the environment in production. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type AgentContext, languageModel, loadPolicy } from "bowline";
import type { Model } from "./agent.ts";

export const modelInTraining = ({ model }: AgentContext): Model => model;

/**
 * Opens the model that the environment names. POLICY is the folder of a trained policy, which then runs in this
 * process. Otherwise MODEL is a model of the server OPENAI_BASE_URL. `createModel` returns a model for one
 * conversation.
 */
export async function openModel(): Promise<{
  readonly createModel: () => { readonly model: Model; readonly close: () => void };
  readonly close: () => Promise<void>;
}> {
  const { POLICY, MODEL = "policy", OPENAI_BASE_URL, OPENAI_API_KEY = "" } = process.env;
  if (POLICY !== undefined) {
    const policy = await loadPolicy(POLICY);
    return {
      createModel: () => {
        const session = policy.session();
        return { model: languageModel(session, { training: false }), close: () => session.close() };
      },
      close: () => policy.close(),
    };
  }
  const baseURL = OPENAI_BASE_URL ?? "https://api.openai.com/v1";
  const provider = createOpenAICompatible({ name: "server", baseURL, apiKey: OPENAI_API_KEY });
  return {
    createModel: () => ({ model: provider(MODEL), close: () => {} }),
    close: async () => {},
  };
}
