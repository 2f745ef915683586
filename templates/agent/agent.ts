/** The agent: a loop around the `openai` client. It knows nothing of how its model is trained. */
import OpenAI from "openai";
import { INSTRUCTIONS } from "./desk.ts";
import type { ServedModel } from "./served-model.ts";
import type { Tools } from "./tools.ts";

/** A model behind OpenAI's chat completions: OpenAI itself, or any server of this API. */
export type Model = ServedModel;

/** Answers a customer. The model has at most six answers; each tool call is run and its result sent back. */
export async function answer(
  request: string,
  tools: Tools,
  { baseURL, apiKey, name }: Model,
  signal?: AbortSignal,
): Promise<string> {
  const client = new OpenAI({ baseURL, apiKey });
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "system", content: INSTRUCTIONS },
    { role: "user", content: request },
  ];
  const definitions = tools.map(({ execute: _, ...definition }) => ({
    type: "function" as const,
    function: definition,
  }));
  for (let step = 0; step < 6; step++) {
    const { choices } = await client.chat.completions.create(
      { model: name, messages, tools: definitions },
      signal && { signal },
    );
    const { message } = choices[0]!;
    messages.push(message);
    if (!message.tool_calls?.length) return message.content ?? "";
    for (const call of message.tool_calls) {
      if (call.type !== "function") continue;
      messages.push({
        role: "tool",
        tool_call_id: call.id,
        content: runCall(tools, call.function),
      });
    }
  }
  return "I could not finish this.";
}

function runCall(tools: Tools, call: { name: string; arguments: string }): string {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return `there is no tool ${call.name}`;
  try {
    return tool.execute(JSON.parse(call.arguments));
  } catch {
    return "the arguments are not valid JSON";
  }
}
