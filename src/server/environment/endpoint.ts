/**
 * Runs somebody else's environment that is a server. Each episode is one POST: its body has the task, and base URLs and
 * a key of its own for the model; the answer has the reward. The server plays the episode before it answers.
 *
 * An answer with another status than 2xx, a broken connection and an answer that is no reward are failures, never a
 * reward of 0. An empty answer leaves the reward to what was posted to the episode's own URL. Redirects are not
 * followed, and nothing is repeated.
 */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import {
  BowlineError,
  errorMessage,
  formatValue,
  requireKnownFields,
  toVisibleText,
  truncateText,
} from "../../core/index.ts";
import type { AgentContext, AgentReward, RunAgent } from "../agent/index.ts";
import { type EnvironmentOptions, requireEnvironmentOptions } from "./command-options.ts";
import { createModelVariables, MODEL_NAME } from "./model-variables.ts";
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

/** The largest answer. */
const MAX_BYTES = 2 ** 20;

/** Makes an agent that posts each task to a server. Throws a `config` error that names a wrong option. */
export function endpoint<T = unknown>(options: EndpointOptions): RunAgent<T> {
  requireKnownFields("the options of endpoint()", options, OPTION_NAMES);
  requireEnvironmentOptions(options);
  const url = parseUrl(options.url);
  const { rewardField = "reward", timeoutSeconds } = options;
  const calls = trackCalls(
    async (task: T, context: AgentContext): Promise<AgentReward> =>
      readRewardAnswer(
        await runWithDeadline(context.signal, timeoutSeconds, (signal) =>
          post(url, createBody(task, context), signal),
        ),
        rewardField,
      ),
  );
  return Object.assign(calls.run, { settled: calls.settled });
}

function parseUrl(text: unknown): URL {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new BowlineError(
    "config",
    `url: expected an address such as http://127.0.0.1:8000/run, got ${formatValue(text)}`,
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

/** Posts JSON and returns the body of the answer. Unlike `fetch`, it waits for the answer as long as it takes. */
function post(url: URL, body: string, signal: AbortSignal): Promise<string> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(failed(`${url.href}: ${errorMessage(cause)}`));
    const headers = { "content-type": "application/json", accept: "application/json" };
    // A connection of its own, because a kept one may be closed by the server while it is used again.
    const request = send(url, { method: "POST", headers, signal, agent: false }, (answer) => {
      readAnswer(answer, url).then(resolve, reject);
    });
    request.on("error", fail);
    request.end(body);
  });
}

async function readAnswer(answer: IncomingMessage, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BYTES) {
      answer.destroy();
      throw failed(`${url.href} answered more than ${MAX_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const { statusCode = 0 } = answer;
  if (statusCode >= 200 && statusCode < 300) return text;
  const said = truncateText(toVisibleText(text), 300);
  throw failed(`${url.href} answered ${statusCode}: ${said}`);
}

/** Makes an error whose name becomes the failure code of the rollout. */
function failed(message: string): Error {
  return Object.assign(new Error(message), { name: "server" });
}
