/** The agent: an ordinary program of the AI SDK. It knows nothing of how its model is trained. */
import { generateText, jsonSchema, type LanguageModel, stepCountIs, tool } from "ai";
import { INSTRUCTIONS } from "./desk.ts";
import type { Tools } from "./tools.ts";

/** Any model of the AI SDK. */
export type Model = LanguageModel;

/** Answers a customer. */
export async function answer(
  request: string,
  tools: Tools,
  model: Model,
  signal?: AbortSignal,
): Promise<string> {
  const { text } = await generateText({
    model,
    system: INSTRUCTIONS,
    prompt: request,
    tools: Object.fromEntries(
      tools.map(({ name, description, parameters, execute }) => [
        name,
        tool({
          description,
          inputSchema: jsonSchema<object>(parameters),
          execute: async (args) => execute(args),
        }),
      ]),
    ),
    stopWhen: stepCountIs(6),
    ...(signal && { abortSignal: signal }),
  });
  return text;
}
