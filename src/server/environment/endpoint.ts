/**
 * Runs somebody else's environment that is a server. Each episode is one POST: its body has the task, and base URLs and
 * a key of its own for the model; the answer has the reward. The server plays the episode before it answers.
 *
 * An answer with another status than 2xx, a broken connection and an answer that is no reward are failures, never a
 * reward of 0. An empty answer leaves the reward to what was posted to the episode's own URL. Redirects are not
 * followed, and nothing is repeated.
 */
import { BowlineError, formatValue, requireKnownFields } from "../../core/index.ts";
import type { AgentContext, AgentReward, RunAgent } from "../agent/index.ts";
import { type EnvironmentOptions, requireEnvironmentOptions } from "./command-options.ts";
import { createModelVariables, MODEL_NAME } from "./model-variables.ts";
import { postJson } from "./post-json.ts";
import { readRewardAnswer } from "./read-reward.ts";
import { runWithDeadline } from "./run-with-deadline.ts";
import { trackCalls } from "./track-calls.ts";

/** An environment that is a server. */
export interface EndpointOptions extends EnvironmentOptions {
  /** The address that gets a POST for each episode. */
  readonly url: string;
}

const OPTION_NAMES = [
  "url",
  "timeoutSeconds",
  "rewardField",
] as const satisfies readonly (keyof EndpointOptions)[];

/** Makes an agent that posts each task to a server. Throws a `config` error that names a wrong option. */
export function endpoint<T = unknown>(options: EndpointOptions): RunAgent<T> {
  requireKnownFields("the options of endpoint()", options, OPTION_NAMES);
  requireEnvironmentOptions(options);
  const url = parseUrl("url", options.url);
  const { rewardField = "reward", timeoutSeconds } = options;
  const calls = trackCalls(
    async (task: T, context: AgentContext): Promise<AgentReward> =>
      readRewardAnswer(
        await runWithDeadline(context.signal, timeoutSeconds, (signal) =>
          postJson(url, createBody(task, context), signal),
        ),
        rewardField,
      ),
  );
  return Object.assign(calls.run, { settled: calls.settled });
}

/** Parses the address of a server. Throws a `config` error that names the option. */
export function parseUrl(option: string, text: unknown): URL {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new BowlineError(
    "config",
    `${option}: expected an address such as http://127.0.0.1:8000/run, got ${formatValue(text)}`,
  );
}

function createBody(task: unknown, context: AgentContext): string {
  const variables = createModelVariables(context);
  return JSON.stringify({
    task,
    episode: variables.BOWLINE_EPISODE,
    model: MODEL_NAME,
    apiKey: variables.OPENAI_API_KEY,
    openaiBaseURL: variables.OPENAI_BASE_URL,
    anthropicBaseURL: variables.ANTHROPIC_BASE_URL,
    googleBaseURL: variables.GOOGLE_GEMINI_BASE_URL,
    rewardURL: variables.BOWLINE_REWARD_URL,
  });
}
