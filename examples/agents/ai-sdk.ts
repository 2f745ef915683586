/**
 * Trains an agent of the AI SDK without changing it. `generateText` gets a model object, so no request leaves the
 * process.
 *
 *     npx tsx examples/agents/ai-sdk.ts runs/ai-sdk
 */
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import type { AgentContext } from "bowline";
import { createTools, describeRequest, openShop, type ShopTask } from "./shop.ts";
import { trainFromCommandLine } from "./train.ts";

/** Runs one episode in a new shop, and returns the reward. */
export async function run(task: ShopTask, { model, signal }: AgentContext): Promise<number> {
  const shop = openShop(task);
  const tools = createTools(shop).map(({ name, description, parameters, execute }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema<object>(parameters),
      execute: async (args: object) => execute(args),
    }),
  ]);
  await generateText({
    model,
    prompt: describeRequest(task),
    tools: Object.fromEntries(tools),
    stopWhen: stepCountIs(6),
    abortSignal: signal,
    maxRetries: 0,
  });
  return shop.reward();
}

await trainFromCommandLine(run, import.meta.url);
