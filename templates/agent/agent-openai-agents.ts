/** The agent: an ordinary program of the OpenAI Agents SDK. It knows nothing of how its model is trained. */
import {
  Agent,
  MaxTurnsExceededError,
  ModelBehaviorError,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from "@openai/agents";
import OpenAI from "openai";
import { INSTRUCTIONS } from "./desk.ts";
import type { ServedModel } from "./served-model.ts";
import type { Tools } from "./tools.ts";

/** A model behind OpenAI's responses API: OpenAI itself, or any server of this API. */
export type Model = ServedModel;

// Traces would be sent to OpenAI.
setTracingDisabled(true);
const runner = new Runner();

/** Answers a customer. A model that calls an unknown tool, or never ends, gets no second chance. */
export async function answer(
  request: string,
  tools: Tools,
  { baseURL, apiKey, name }: Model,
  signal?: AbortSignal,
): Promise<string> {
  const client = new OpenAI({ baseURL, apiKey });
  const agent = new Agent({
    name: "desk",
    instructions: INSTRUCTIONS,
    model: new OpenAIResponsesModel(client, name),
    tools: tools.map(({ name, description, parameters, execute }) =>
      tool({
        name,
        description,
        strict: false,
        parameters: { ...parameters, additionalProperties: true },
        execute: async (args) => execute(args),
      }),
    ),
  });
  try {
    const { finalOutput } = await runner.run(agent, request, {
      maxTurns: 6,
      ...(signal && { signal }),
    });
    return finalOutput ?? "";
  } catch (error) {
    if (!(error instanceof ModelBehaviorError || error instanceof MaxTurnsExceededError))
      throw error;
    return "I could not finish this.";
  }
}
