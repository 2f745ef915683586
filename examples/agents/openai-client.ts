/**
 * An agent that is a loop around the plain `openai` client: it knows an address and a key, as any program in any language
 * could.
 *
 *     npx tsx examples/agents/openai-client.ts runs/openai-client
 */
import type { AgentContext } from "bowline";
import OpenAI from "openai";
import { openShop, describeRequest, type ShopTask, createTools } from "./shop.ts";
import { trainFromCommandLine } from "./train.ts";

/** One episode: six answers at most, each call is run and its result sent back. */
export async function run(
  task: ShopTask,
  { baseURL, apiKey, signal }: AgentContext,
): Promise<number> {
  const client = new OpenAI({ baseURL, apiKey });
  const shop = openShop(task);
  const tools = createTools(shop);
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: describeRequest(task) }];
  for (let step = 0; step < 6; step++) {
    const { choices } = await client.chat.completions.create(
      {
        model: "policy",
        messages,
        tools: tools.map(({ execute: _, ...offered }) => ({ type: "function", function: offered })),
      },
      { signal },
    );
    const { message } = choices[0]!;
    messages.push(message);
    if (!message.tool_calls?.length) break;
    for (const call of message.tool_calls) {
      if (call.type !== "function") continue;
      const found = tools.find(({ name }) => name === call.function.name);
      const content = found
        ? found.execute(JSON.parse(call.function.arguments))
        : `there is no tool ${call.function.name}`;
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
  return shop.reward();
}

await trainFromCommandLine(run, import.meta.url);
