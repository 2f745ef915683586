/**
 * Defines the same agent for every client library: it asks six questions, looks up the keys that the model asks for,
 * and keeps the conversation in the library's own form.
 */

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import { type Content, type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { tool as langchainTool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import {
  type AgentInputItem,
  Agent as OpenAIAgent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  tool as openAITool,
  run as runOpenAIAgent,
  setTracingDisabled,
} from "@openai/agents";
import {
  tool as aiTool,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  stepCountIs,
  streamText,
} from "ai";
import OpenAI from "openai";
import { languageModel } from "../../../src/agent/index.ts";
import type { AgentSession } from "../../../src/spec/index.ts";
import {
  LOOKUP_TOOL,
  type LookupArguments,
  lookUpKey,
  QUESTIONS,
  questionText,
  SYSTEM,
} from "./conversation.ts";

setTracingDisabled(true);
// The Anthropic provider would warn 30 times a conversation that it does not know the model.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** The session of an agent, and the addresses and key with which it reaches the gateway. */
export interface AgentConnection {
  readonly session: AgentSession;
  readonly openai: string;
  readonly anthropic: string;
  readonly google: string;
  readonly key: string;
  readonly streams: boolean;
}

export interface AgentResult {
  /** The keys that the agent looked up, in order. */
  readonly keys: readonly string[];
  /** The final answer to every question. */
  readonly ends: readonly string[];
}

export type Agent = (connection: AgentConnection) => Promise<AgentResult>;

/** Creates the lookup tool and the list of keys that it was called with. */
function createLookupTool() {
  const keys: string[] = [];
  return {
    keys,
    lookUp(args: LookupArguments): string {
      if (typeof args.weight !== "number" || !Array.isArray(args.tags))
        throw new Error("torn call");
      keys.push(args.key);
      return lookUpKey(args);
    },
  };
}

const parameters = LOOKUP_TOOL.parameters as unknown as Record<string, unknown>;

function aiSdkAgent(createModel: (connection: AgentConnection) => LanguageModel): Agent {
  return async (connection) => {
    const { keys, lookUp } = createLookupTool();
    const model = createModel(connection);
    const lookup = aiTool({
      description: LOOKUP_TOOL.description,
      inputSchema: jsonSchema<LookupArguments>(parameters),
      execute: async (args: LookupArguments) => lookUp(args),
    });
    const messages: ModelMessage[] = [];
    const ends: string[] = [];
    for (let group = 0; group < QUESTIONS; group++) {
      messages.push({ role: "user", content: questionText(group) });
      const options = {
        model,
        system: SYSTEM,
        messages,
        tools: { lookup },
        stopWhen: stepCountIs(9),
      };
      const result = connection.streams ? streamText(options) : await generateText(options);
      if ("consumeStream" in result) await result.consumeStream();
      ends.push(await result.text);
      messages.push(...(await result.response).messages);
    }
    return { keys, ends };
  };
}

const openaiChatAgent: Agent = async ({ openai, key, streams }) => {
  const client = new OpenAI({ baseURL: openai, apiKey: key });
  const { keys, lookUp } = createLookupTool();
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "system", content: SYSTEM }];
  const tools = [{ type: "function" as const, function: { ...LOOKUP_TOOL, parameters } }];
  const ends: string[] = [];
  for (let group = 0; group < QUESTIONS; group++) {
    messages.push({ role: "user", content: questionText(group) });
    for (;;) {
      const request = { model: "m", messages, tools };
      const answer = streams
        ? await client.chat.completions.stream(request).finalChatCompletion()
        : await client.chat.completions.create(request);
      const { message } = answer.choices[0]!;
      messages.push(message as OpenAI.ChatCompletionMessageParam);
      const calls = message.tool_calls ?? [];
      if (calls.length === 0) {
        ends.push(message.content ?? "");
        break;
      }
      for (const call of calls) {
        if (call.type !== "function") throw new Error(call.type);
        const content = lookUp(JSON.parse(call.function.arguments) as LookupArguments);
        messages.push({ role: "tool", tool_call_id: call.id, content });
      }
    }
  }
  return { keys, ends };
};

/**
 * Creates an agent on the Responses API. With `usesPreviousResponse`, it refers to the last response by its id instead
 * of sending the response back.
 */
function openaiResponsesAgent(usesPreviousResponse: boolean): Agent {
  return async ({ openai, key, streams }) => {
    const client = new OpenAI({ baseURL: openai, apiKey: key });
    const { keys, lookUp } = createLookupTool();
    const tools = [{ type: "function" as const, ...LOOKUP_TOOL, parameters, strict: true }];
    const ends: string[] = [];
    let history: OpenAI.Responses.ResponseInputItem[] = [];
    let last: string | undefined;
    for (let group = 0; group < QUESTIONS; group++) {
      let next: OpenAI.Responses.ResponseInputItem[] = [
        { role: "user", content: questionText(group) },
      ];
      while (next.length > 0) {
        history = [...history, ...next];
        const request = {
          model: "m",
          instructions: SYSTEM,
          tools,
          input: usesPreviousResponse ? next : history,
          ...(usesPreviousResponse && last !== undefined && { previous_response_id: last }),
        };
        const answer = streams
          ? await client.responses.stream(request).finalResponse()
          : await client.responses.create(request);
        last = answer.id;
        history = [...history, ...(answer.output as OpenAI.Responses.ResponseInputItem[])];
        const calls = answer.output.flatMap((item) =>
          item.type === "function_call" ? [item] : [],
        );
        next = calls.map(({ call_id, arguments: json }) => ({
          type: "function_call_output",
          call_id,
          output: lookUp(JSON.parse(json) as LookupArguments),
        }));
        if (calls.length === 0) ends.push(answer.output_text);
      }
    }
    return { keys, ends };
  };
}

const anthropicAgent: Agent = async ({ anthropic, key, streams }) => {
  const client = new Anthropic({ baseURL: anthropic, apiKey: key });
  const { keys, lookUp } = createLookupTool();
  const messages: Anthropic.MessageParam[] = [];
  const tools = [
    {
      name: LOOKUP_TOOL.name,
      description: LOOKUP_TOOL.description,
      input_schema: parameters as unknown as Anthropic.Tool.InputSchema,
    },
  ];
  const ends: string[] = [];
  for (let group = 0; group < QUESTIONS; group++) {
    messages.push({ role: "user", content: questionText(group) });
    for (;;) {
      const request = { model: "m", max_tokens: 400, system: SYSTEM, messages, tools };
      const answer = streams
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
      messages.push({ role: "assistant", content: answer.content });
      const calls = answer.content.filter((block) => block.type === "tool_use");
      if (calls.length === 0) {
        ends.push(
          answer.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
        );
        break;
      }
      messages.push({
        role: "user",
        content: calls.map(({ id, input }) => ({
          type: "tool_result",
          tool_use_id: id,
          content: lookUp(input as LookupArguments),
        })),
      });
    }
  }
  return { keys, ends };
};

const GOOGLE_CONFIG = {
  systemInstruction: SYSTEM,
  tools: [
    {
      functionDeclarations: [
        {
          name: LOOKUP_TOOL.name,
          description: LOOKUP_TOOL.description,
          parametersJsonSchema: parameters,
        },
      ],
    },
  ],
};

/** With `usesChat`, the library keeps the conversation. */
function googleAgent(usesChat: boolean): Agent {
  return async ({ google, key, streams }) => {
    const httpOptions = { baseUrl: google, retryOptions: { attempts: 5 } };
    const ai = new GoogleGenAI({ apiKey: key, httpOptions });
    const { keys, lookUp } = createLookupTool();
    const common = { model: "m", config: GOOGLE_CONFIG };
    const chat = ai.chats.create(common);
    const contents: Content[] = [];
    const ask = async (parts: NonNullable<Content["parts"]>) => {
      contents.push({ role: "user", parts });
      const answers: GenerateContentResponse[] = [];
      if (streams) {
        const stream = usesChat
          ? await chat.sendMessageStream({ message: parts })
          : await ai.models.generateContentStream({ ...common, contents });
        for await (const chunk of stream) answers.push(chunk);
      } else if (usesChat) answers.push(await chat.sendMessage({ message: parts }));
      else answers.push(await ai.models.generateContent({ ...common, contents }));
      contents.push(...answers.flatMap((one) => one.candidates?.[0]?.content ?? []));
      return answers.flatMap((one) => one.candidates?.[0]?.content?.parts ?? []);
    };
    const ends: string[] = [];
    for (let group = 0; group < QUESTIONS; group++) {
      let parts = await ask([{ text: questionText(group) }]);
      for (;;) {
        const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
        if (calls.length === 0) break;
        parts = await ask(
          calls.map(({ id, name, args }) => ({
            functionResponse: {
              ...(id !== undefined && { id }),
              name: name!,
              response: { output: lookUp(args as unknown as LookupArguments) },
            },
          })),
        );
      }
      ends.push(parts.map(({ text }) => text ?? "").join(""));
    }
    return { keys, ends };
  };
}

function openaiAgentsAgent(kind: "responses" | "chat"): Agent {
  return async ({ openai, key, streams }) => {
    const client = new OpenAI({ baseURL: openai, apiKey: key });
    const model =
      kind === "chat"
        ? new OpenAIChatCompletionsModel(client, "m")
        : new OpenAIResponsesModel(client, "m");
    const { keys, lookUp } = createLookupTool();
    const lookup = openAITool({
      name: LOOKUP_TOOL.name,
      description: LOOKUP_TOOL.description,
      parameters: LOOKUP_TOOL.parameters as never,
      strict: true,
      execute: (args: unknown) => lookUp(args as LookupArguments),
    });
    const agent = new OpenAIAgent({ name: "a", instructions: SYSTEM, model, tools: [lookup] });
    let history: AgentInputItem[] = [];
    const ends: string[] = [];
    for (let group = 0; group < QUESTIONS; group++) {
      history = [...history, { role: "user", content: questionText(group) }];
      if (streams) {
        const result = await runOpenAIAgent(agent, history, { stream: true });
        await result.completed;
        history = result.history;
        ends.push(result.finalOutput ?? "");
      } else {
        const result = await runOpenAIAgent(agent, history);
        history = result.history;
        ends.push(result.finalOutput ?? "");
      }
    }
    return { keys, ends };
  };
}

function langGraphAgent(useResponsesApi: boolean): Agent {
  return async ({ openai, key, streams }) => {
    const llm = new ChatOpenAI({
      model: "m",
      apiKey: key,
      configuration: { baseURL: openai },
      useResponsesApi,
    });
    const { keys, lookUp } = createLookupTool();
    const lookup = langchainTool(async (args: unknown) => lookUp(args as LookupArguments), {
      name: LOOKUP_TOOL.name,
      description: LOOKUP_TOOL.description,
      schema: parameters as never,
    });
    const agent = createReactAgent({ llm, tools: [lookup], prompt: SYSTEM });
    let messages: BaseMessage[] = [];
    const ends: string[] = [];
    for (let group = 0; group < QUESTIONS; group++) {
      const input = { messages: [...messages, new HumanMessage(questionText(group))] };
      const options = { recursionLimit: 60 };
      if (streams) {
        // With `streaming: true` the client would download a tokenizer to count tokens.
        const streamMode: ["values", "messages"] = ["values", "messages"];
        for await (const [mode, state] of await agent.stream(input, { ...options, streamMode })) {
          if (mode === "values") ({ messages } = state);
        }
      } else ({ messages } = await agent.invoke(input, options));
      ends.push(messages.at(-1)!.text);
    }
    return { keys, ends };
  };
}

/** Options for clients that mark a repeated request as a retry. */
const MARKS_RETRIES = { marksRetries: true } as const;

export interface NamedAgent {
  readonly name: string;
  readonly agent: Agent;
  /** True for an agent that runs in the process of the test and uses no network. */
  readonly inProcess?: true;
  readonly marksRetries?: true;
  /** True for a client that repeats no call whose connection was lost. */
  readonly retriesStatusOnly?: true;
}

const createOpenaiProvider = ({ openai, key }: AgentConnection) =>
  createOpenAI({ baseURL: openai, apiKey: key });

export const AGENTS: readonly NamedAgent[] = [
  {
    name: "ai, in process",
    agent: aiSdkAgent(({ session }) => languageModel(session)),
    inProcess: true,
  },
  {
    name: "ai, responses",
    agent: aiSdkAgent((connection) => createOpenaiProvider(connection)("m")),
  },
  {
    name: "ai, chat",
    agent: aiSdkAgent((connection) => createOpenaiProvider(connection).chat("m")),
  },
  {
    name: "ai, openai-compatible",
    agent: aiSdkAgent(({ openai, key }) =>
      createOpenAICompatible({ name: "ours", baseURL: openai, apiKey: key })("m"),
    ),
  },
  {
    name: "ai, anthropic",
    agent: aiSdkAgent(({ anthropic, key }) =>
      createAnthropic({ baseURL: `${anthropic}/v1`, apiKey: key })("m"),
    ),
  },
  { name: "openai, chat", agent: openaiChatAgent, ...MARKS_RETRIES },
  { name: "openai, responses", agent: openaiResponsesAgent(false), ...MARKS_RETRIES },
  { name: "openai, previous response", agent: openaiResponsesAgent(true), ...MARKS_RETRIES },
  { name: "@anthropic-ai/sdk", agent: anthropicAgent, ...MARKS_RETRIES },
  { name: "@google/genai", agent: googleAgent(false), retriesStatusOnly: true },
  { name: "@google/genai, chat", agent: googleAgent(true), retriesStatusOnly: true },
  { name: "@openai/agents, responses", agent: openaiAgentsAgent("responses"), ...MARKS_RETRIES },
  { name: "@openai/agents, chat", agent: openaiAgentsAgent("chat"), ...MARKS_RETRIES },
  { name: "LangGraph, chat", agent: langGraphAgent(false) },
  { name: "LangGraph, responses", agent: langGraphAgent(true) },
];
