/** The environment variables by which clients of all dialects find their model. */
import type { AgentContext } from "../agent/index.ts";

/** The name by which programs ask for the model. The gateway takes any; some clients read the part before the slash. */
export const MODEL_NAME = "openai/bowline";

/** The names of all variables that Bowline sets. */
export const SET_VARIABLES = [
  "OPENAI_BASE_URL",
  "OPENAI_API_BASE",
  "OPENAI_API_KEY",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "GOOGLE_GEMINI_BASE_URL",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "GOOGLE_GENAI_USE_VERTEXAI",
  "GOOGLE_GENAI_USE_ENTERPRISE",
  "MODEL",
  "NO_PROXY",
  "no_proxy",
  "BOWLINE_EPISODE",
  "BOWLINE_REWARD_URL",
  "BOWLINE_TASK",
  "BOWLINE_REWARD",
] as const;

type SetVariable = (typeof SET_VARIABLES)[number];

/**
 * Returns the variables for one episode. They replace keys of real providers, so a program that runs here cannot ask
 * another model by mistake. The gateway is on this machine, so no proxy is used for it.
 */
export function createModelVariables(
  context: AgentContext,
): Readonly<Record<Exclude<SetVariable, "BOWLINE_TASK" | "BOWLINE_REWARD">, string>> {
  const { baseURL, anthropicBaseURL, googleBaseURL, apiKey, session } = context;
  const withoutProxy = [process.env["NO_PROXY"] ?? process.env["no_proxy"], "127.0.0.1,localhost"]
    .filter(Boolean)
    .join(",");
  return {
    OPENAI_BASE_URL: baseURL,
    OPENAI_API_BASE: baseURL,
    OPENAI_API_KEY: apiKey,
    ANTHROPIC_BASE_URL: anthropicBaseURL,
    ANTHROPIC_API_KEY: apiKey,
    ANTHROPIC_AUTH_TOKEN: apiKey,
    GOOGLE_GEMINI_BASE_URL: googleBaseURL,
    GEMINI_API_KEY: apiKey,
    // Google's clients prefer this key, and another server if one of the following variables is true.
    GOOGLE_API_KEY: apiKey,
    GOOGLE_GENAI_USE_VERTEXAI: "false",
    GOOGLE_GENAI_USE_ENTERPRISE: "false",
    MODEL: MODEL_NAME,
    NO_PROXY: withoutProxy,
    no_proxy: withoutProxy,
    BOWLINE_EPISODE: session.id,
    BOWLINE_REWARD_URL: baseURL.replace(/\/openai\/v1$/, "/reward"),
  };
}
