/**
 * Trains an agent of the OpenAI Agents SDK. The agent talks to the policy over HTTP, by OpenAI's responses API.
 *
 *     npx tsx examples/agents/openai-agents.ts runs/openai-agents
 */
import {
  Agent,
  MaxTurnsExceededError,
  ModelBehaviorError,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from "@openai/agents";
import type { AgentContext } from "bowline";
import OpenAI from "openai";
import { createTools, describeRequest, openShop, type ShopTask } from "./shop.ts";
import { trainFromCommandLine } from "./train.ts";

setTracingDisabled(true);
const runner = new Runner();

/** Runs one episode. A call of an unknown tool or too many turns are the model's mistakes, so their reward is 0. */
export async function run(
  task: ShopTask,
  { baseURL, apiKey, signal }: AgentContext,
): Promise<number> {
  const shop = openShop(task);
  const client = new OpenAI({ baseURL, apiKey });
  const agent = new Agent({
    name: "desk",
    model: new OpenAIResponsesModel(client, "policy"),
    tools: createTools(shop).map(({ name, description, parameters, execute }) =>
      tool({
        name,
        description,
        strict: false,
        parameters: {
          ...parameters,
          required: [...parameters.required],
          additionalProperties: true,
        },
        execute: async (args) => execute(args as object),
      }),
    ),
  });
  try {
    await runner.run(agent, describeRequest(task), { maxTurns: 6, signal });
  } catch (error) {
    if (error instanceof ModelBehaviorError || error instanceof MaxTurnsExceededError) return 0;
    throw error;
  }
  return shop.reward();
}

await trainFromCommandLine(run, import.meta.url);
