/**
 * Trains an agent that is a loop around the plain `openai` client. It needs only an address and a key, so a program in
 * any language could do the same.
 *
 *     npx tsx examples/agents/openai-client.ts runs/openai-client
 */
import type { AgentContext } from "bowline";
import OpenAI from "openai";
import { createTools, describeRequest, openShop, type ShopTask } from "./shop.ts";
import { trainFromCommandLine } from "./train.ts";

/** Runs one episode of at most six answers. Each tool call is run and its result sent back. */
export async function run(
  task: ShopTask,
  { baseURL, apiKey, signal }: AgentContext,
): Promise<number> {
  const client = new OpenAI({ baseURL, apiKey });
  const shop = openShop(task);
  const tools = createTools(shop);
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "user", content: describeRequest(task) },
  ];
  for (let step = 0; step < 6; step++) {
    const { choices } = await client.chat.completions.create(
      {
        model: "policy",
        messages,
        tools: tools.map(({ execute: _, ...definition }) => ({
          type: "function",
          function: definition,
        })),
      },
      { signal },
    );
    const { message } = choices[0]!;
    messages.push(message);
    if (!message.tool_calls?.length) break;
    for (const call of message.tool_calls) {
      if (call.type !== "function") continue;
      const tool = tools.find(({ name }) => name === call.function.name);
      const content = tool
        ? tool.execute(JSON.parse(call.function.arguments))
        : `there is no tool ${call.function.name}`;
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
  return shop.reward();
}

await trainFromCommandLine(run, import.meta.url);
