/**
 * The agent: an ordinary program of the AI SDK, with the tools of an MCP server. It knows nothing of how its model is
 * trained.
 */
import {
  dynamicTool,
  generateText,
  type JSONSchema7,
  jsonSchema,
  type LanguageModel,
  stepCountIs,
} from "ai";
import { INSTRUCTIONS } from "./desk.ts";
import type { Tools } from "./tools.ts";

/** Any model of the AI SDK. */
export type Model = LanguageModel;

/** Answers a customer with the tools of an MCP server. */
export async function answer(
  request: string,
  client: Tools,
  model: Model,
  signal?: AbortSignal,
): Promise<string> {
  const { tools } = await client.listTools();
  const { text } = await generateText({
    model,
    system: INSTRUCTIONS,
    prompt: request,
    tools: Object.fromEntries(
      tools.map(({ name, description = "", inputSchema }) => [
        name,
        dynamicTool({
          description,
          inputSchema: jsonSchema(inputSchema as JSONSchema7),
          execute: (args) => callTool(client, name, args),
        }),
      ]),
    ),
    stopWhen: stepCountIs(6),
    ...(signal && { abortSignal: signal }),
  });
  return text;
}

/** Calls a tool of the server and returns the texts of its result. */
async function callTool(client: Tools, name: string, args: unknown): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args as Record<string, unknown> });
  return (content as { type: string; text?: string }[]).map(({ text = "" }) => text).join("\n");
}
