/**
 * An agent of the OpenAI Agents SDK, which speaks the responses protocol to an address of its own.
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
import { openShop, describeRequest, type ShopTask, createTools } from "./shop.ts";
import { trainFromCommandLine } from "./train.ts";

setTracingDisabled(true);
const runner = new Runner();

/** One episode. A tool that is not there, or one turn too many, is the model's doing: worth nothing, but no failure. */
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
