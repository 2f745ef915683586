/**
 * An agent of the AI SDK, trained as it is: `generateText` is handed a model object, and nothing leaves the process.
 *
 *     npx tsx examples/agents/ai-sdk.ts runs/ai-sdk
 */
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import type { AgentContext } from "bowline";
import { openShop, describeRequest, type ShopTask, createTools } from "./shop.ts";
import { trainFromCommandLine } from "./train.ts";

/** One episode: the agent works in a shop of its own, and the shop says what that was worth. */
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
