/**
 * The same agent in every client: it asks six questions, looks up what it is told to, and keeps the whole conversation in
 * the client's own form. Each returns what it looked up and what it was told in the end.
 */

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
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
  LOOKUP,
  type LookupArguments,
  looked,
  QUESTIONS,
  questionOf,
  SYSTEM,
} from "./conversation.ts";

setTracingDisabled(true);
// The Anthropic provider warns about a model that it does not know, 30 times a conversation.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

export interface Place {
  readonly session: AgentSession;
  readonly openai: string;
  readonly anthropic: string;
  readonly key: string;
  readonly streams: boolean;
}

export interface Outcome {
  /** Of the tool's calls, in order. */
  readonly keys: readonly string[];
  /** The last word on every question. */
  readonly ends: readonly string[];
}

export type Agent = (place: Place) => Promise<Outcome>;

/** A notebook of calls. */
function desk() {
  const keys: string[] = [];
  return {
    keys,
    look(args: LookupArguments): string {
      if (typeof args.weight !== "number" || !Array.isArray(args.tags))
        throw new Error("torn call");
      keys.push(args.key);
      return looked(args);
    },
  };
}

const parameters = LOOKUP.parameters as unknown as Record<string, unknown>;

function aiSdk(modelOf: (place: Place) => LanguageModel): Agent {
  return async (place) => {
    const { keys, look } = desk();
    const model = modelOf(place);
    const lookup = aiTool({
      description: LOOKUP.description,
      inputSchema: jsonSchema<LookupArguments>(parameters),
      execute: async (args: LookupArguments) => look(args),
    });
    const messages: ModelMessage[] = [];
    const ends: string[] = [];
    for (let group = 0; group < QUESTIONS; group++) {
      messages.push({ role: "user", content: questionOf(group) });
      const options = {
        model,
        system: SYSTEM,
        messages,
        tools: { lookup },
        stopWhen: stepCountIs(9),
      };
      const result = place.streams ? streamText(options) : await generateText(options);
      if ("consumeStream" in result) await result.consumeStream();
      ends.push(await result.text);
      messages.push(...(await result.response).messages);
    }
    return { keys, ends };
  };
}

const openaiChat: Agent = async ({ openai, key, streams }) => {
  const client = new OpenAI({ baseURL: openai, apiKey: key });
  const { keys, look } = desk();
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "system", content: SYSTEM }];
  const tools = [{ type: "function" as const, function: { ...LOOKUP, parameters } }];
  const ends: string[] = [];
  for (let group = 0; group < QUESTIONS; group++) {
    messages.push({ role: "user", content: questionOf(group) });
    for (;;) {
      const asked = { model: "m", messages, tools };
      const answer = streams
        ? await client.chat.completions.stream(asked).finalChatCompletion()
        : await client.chat.completions.create(asked);
      const { message } = answer.choices[0]!;
      messages.push(message as OpenAI.ChatCompletionMessageParam);
      const calls = message.tool_calls ?? [];
      if (calls.length === 0) {
        ends.push(message.content ?? "");
        break;
      }
      for (const call of calls) {
        if (call.type !== "function") throw new Error(call.type);
        const content = look(JSON.parse(call.function.arguments) as LookupArguments);
        messages.push({ role: "tool", tool_call_id: call.id, content });
      }
    }
  }
  return { keys, ends };
};

/** `previous`: names the last response instead of sending it back. */
function openaiResponses(previous: boolean): Agent {
  return async ({ openai, key, streams }) => {
    const client = new OpenAI({ baseURL: openai, apiKey: key });
    const { keys, look } = desk();
    const tools = [{ type: "function" as const, ...LOOKUP, parameters, strict: true }];
    const ends: string[] = [];
    let history: OpenAI.Responses.ResponseInputItem[] = [];
    let last: string | undefined;
    for (let group = 0; group < QUESTIONS; group++) {
      let next: OpenAI.Responses.ResponseInputItem[] = [
        { role: "user", content: questionOf(group) },
      ];
      while (next.length > 0) {
        history = [...history, ...next];
        const asked = {
          model: "m",
          instructions: SYSTEM,
          tools,
          input: previous ? next : history,
          ...(previous && last !== undefined && { previous_response_id: last }),
        };
        const answer = streams
          ? await client.responses.stream(asked).finalResponse()
          : await client.responses.create(asked);
        last = answer.id;
        history = [...history, ...(answer.output as OpenAI.Responses.ResponseInputItem[])];
        const calls = answer.output.flatMap((item) =>
          item.type === "function_call" ? [item] : [],
        );
        next = calls.map(({ call_id, arguments: json }) => ({
          type: "function_call_output",
          call_id,
          output: look(JSON.parse(json) as LookupArguments),
        }));
        if (calls.length === 0) ends.push(answer.output_text);
      }
    }
    return { keys, ends };
  };
}

const anthropicMessages: Agent = async ({ anthropic, key, streams }) => {
  const client = new Anthropic({ baseURL: anthropic, apiKey: key });
  const { keys, look } = desk();
  const messages: Anthropic.MessageParam[] = [];
  const tools = [
    {
      name: LOOKUP.name,
      description: LOOKUP.description,
      input_schema: parameters as unknown as Anthropic.Tool.InputSchema,
    },
  ];
  const ends: string[] = [];
  for (let group = 0; group < QUESTIONS; group++) {
    messages.push({ role: "user", content: questionOf(group) });
    for (;;) {
      const asked = { model: "m", max_tokens: 400, system: SYSTEM, messages, tools };
      const answer = streams
        ? await client.messages.stream(asked).finalMessage()
        : await client.messages.create(asked);
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
          content: look(input as LookupArguments),
        })),
      });
    }
  }
  return { keys, ends };
};

function openaiAgents(kind: "responses" | "chat"): Agent {
  return async ({ openai, key, streams }) => {
    const client = new OpenAI({ baseURL: openai, apiKey: key });
    const model =
      kind === "chat"
        ? new OpenAIChatCompletionsModel(client, "m")
        : new OpenAIResponsesModel(client, "m");
    const { keys, look } = desk();
    const lookup = openAITool({
      name: LOOKUP.name,
      description: LOOKUP.description,
      parameters: LOOKUP.parameters as never,
      strict: true,
      execute: (args: unknown) => look(args as LookupArguments),
    });
    const agent = new OpenAIAgent({ name: "a", instructions: SYSTEM, model, tools: [lookup] });
    let history: AgentInputItem[] = [];
    const ends: string[] = [];
    for (let group = 0; group < QUESTIONS; group++) {
      history = [...history, { role: "user", content: questionOf(group) }];
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

function langGraph(useResponsesApi: boolean): Agent {
  return async ({ openai, key, streams }) => {
    const llm = new ChatOpenAI({
      model: "m",
      apiKey: key,
      configuration: { baseURL: openai },
      useResponsesApi,
    });
    const { keys, look } = desk();
    const lookup = langchainTool(async (args: unknown) => look(args as LookupArguments), {
      name: LOOKUP.name,
      description: LOOKUP.description,
      schema: parameters as never,
    });
    const agent = createReactAgent({ llm, tools: [lookup], prompt: SYSTEM });
    let messages: BaseMessage[] = [];
    const ends: string[] = [];
    for (let group = 0; group < QUESTIONS; group++) {
      const input = { messages: [...messages, new HumanMessage(questionOf(group))] };
      const options = { recursionLimit: 60 };
      if (streams) {
        // With `streaming: true` the client would count tokens itself, and fetch a tokenizer for it from the web.
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

/** Whose repetitions say that they are ones. */
const MARKS = { marksRetries: true } as const;

export interface NamedAgent {
  readonly name: string;
  readonly agent: Agent;
  /** It has no network to be lost on. */
  readonly inProcess?: true;
  readonly marksRetries?: true;
}

const openaiOf = ({ openai, key }: Place) => createOpenAI({ baseURL: openai, apiKey: key });

export const AGENTS: readonly NamedAgent[] = [
  {
    name: "ai, in process",
    agent: aiSdk(({ session }) => languageModel(session)),
    inProcess: true,
  },
  { name: "ai, responses", agent: aiSdk((place) => openaiOf(place)("m")) },
  { name: "ai, chat", agent: aiSdk((place) => openaiOf(place).chat("m")) },
  {
    name: "ai, openai-compatible",
    agent: aiSdk(({ openai, key }) =>
      createOpenAICompatible({ name: "ours", baseURL: openai, apiKey: key })("m"),
    ),
  },
  {
    name: "ai, anthropic",
    agent: aiSdk(({ anthropic, key }) =>
      createAnthropic({ baseURL: `${anthropic}/v1`, apiKey: key })("m"),
    ),
  },
  { name: "openai, chat", agent: openaiChat, ...MARKS },
  { name: "openai, responses", agent: openaiResponses(false), ...MARKS },
  { name: "openai, previous response", agent: openaiResponses(true), ...MARKS },
  { name: "@anthropic-ai/sdk", agent: anthropicMessages, ...MARKS },
  { name: "@openai/agents, responses", agent: openaiAgents("responses"), ...MARKS },
  { name: "@openai/agents, chat", agent: openaiAgents("chat"), ...MARKS },
  { name: "LangGraph, chat", agent: langGraph(false) },
  { name: "LangGraph, responses", agent: langGraph(true) },
];
