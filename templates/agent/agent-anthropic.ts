/** The agent: a loop around Anthropic's client. It knows nothing of how its model is trained. */
import Anthropic from "@anthropic-ai/sdk";
import { INSTRUCTIONS } from "./desk.ts";
import type { ServedModel } from "./served-model.ts";
import type { Tools } from "./tools.ts";

/** A model behind Anthropic's messages API: Anthropic itself, or any server of this API. */
export type Model = ServedModel;

/** Answers a customer. The model has at most six answers; each tool call is run and its result sent back. */
export async function answer(
  request: string,
  tools: Tools,
  { baseURL, apiKey, name }: Model,
  signal?: AbortSignal,
): Promise<string> {
  const client = new Anthropic({ baseURL, apiKey });
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: request }];
  const definitions = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }));
  for (let step = 0; step < 6; step++) {
    const { content } = await client.messages.create(
      { model: name, max_tokens: 1024, system: INSTRUCTIONS, messages, tools: definitions },
      signal && { signal },
    );
    messages.push({ role: "assistant", content });
    const calls = content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) {
      return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    }
    const results = calls.map(({ id, name, input }) => ({
      type: "tool_result" as const,
      tool_use_id: id,
      content:
        tools.find((tool) => tool.name === name)?.execute(input) ?? `there is no tool ${name}`,
    }));
    messages.push({ role: "user", content: results });
  }
  return "I could not finish this.";
}
