/**
 * What a request asks for, checked: a conversation that can be answered, tools that there are, numbers that are ones. Every
 * refusal is one line for whoever wrote the agent.
 */
import { didYouMean } from "../../core/index.ts";
import type { SessionMessage, SessionRequest, ToolSpec } from "../../spec/index.ts";
import { SessionError } from "./session-error.ts";

export interface CheckedRequest {
  readonly messages: readonly SessionMessage[];
  /** Those that the prompt lists: none where none may be called. */
  readonly tools: readonly ToolSpec[];
  /** The answer has to begin as a call: of any tool, or of the named one. */
  readonly requiredCall: { readonly name?: string } | undefined;
  readonly allowsOneCall: boolean;
  readonly stop: readonly string[];
}

const ROLES = ["system", "user", "assistant", "tool"];

/** Throws a `SessionError` (`invalid`) that names the field. */
export function checkRequest(request: SessionRequest): CheckedRequest {
  const { messages, tools = [], toolChoice = "auto", parallelToolCalls = true } = request;
  requireMessages(messages);
  requireTools(tools);
  const { maxTokens, temperature } = request;
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens > 0)) {
    throw createInvalidError("maxTokens", "a whole number of at least 1", maxTokens);
  }
  if (temperature !== undefined && !(Number.isFinite(temperature) && temperature >= 0)) {
    throw createInvalidError("temperature", "a number of at least 0", temperature);
  }
  return {
    messages,
    tools: toolChoice === "none" ? [] : tools,
    requiredCall: resolveToolChoice(toolChoice, tools),
    allowsOneCall: !parallelToolCalls,
    stop: (request.stop ?? []).filter((text) => text !== ""),
  };
}

function createInvalidError(field: string, expected: string, got: unknown): SessionError {
  return new SessionError("invalid", `${field}: expected ${expected}, got ${JSON.stringify(got)}`);
}

function requireMessages(messages: readonly SessionMessage[]): void {
  if (messages.length === 0) {
    throw createInvalidError("messages", "at least one message", messages);
  }
  for (const [i, message] of messages.entries()) {
    if (!ROLES.includes(message.role)) {
      throw createInvalidError(`messages[${i}].role`, `one of ${ROLES.join(", ")}`, message.role);
    }
    const wrong = message.parts.find(({ type }) => !isPartAllowed(message.role, type));
    if (wrong) {
      throw new SessionError("invalid", `messages[${i}]: a ${message.role} says no ${wrong.type}`);
    }
  }
  if (messages.at(-1)!.role === "assistant") {
    throw new SessionError(
      "invalid",
      "messages: the last one is the assistant's, so there is nothing to answer; end with what is said to it",
    );
  }
}

function isPartAllowed(role: SessionMessage["role"], type: string): boolean {
  if (role === "tool") return type === "tool-result";
  if (role === "assistant") return type !== "tool-result";
  return type === "text";
}

function requireTools(tools: readonly ToolSpec[]): void {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return;
  throw new SessionError("invalid", `tools: ${JSON.stringify(twice)} is there twice`);
}

function resolveToolChoice(
  choice: NonNullable<SessionRequest["toolChoice"]>,
  tools: readonly ToolSpec[],
): CheckedRequest["requiredCall"] {
  if (choice === "auto" || choice === "none") return undefined;
  if (tools.length === 0) {
    throw new SessionError("invalid", "toolChoice: a tool has to be called, but there is none");
  }
  if (choice === "required") return {};
  const names = tools.map(({ name }) => name);
  if (names.includes(choice.name)) return { name: choice.name };
  throw new SessionError(
    "invalid",
    `toolChoice: there is no tool ${JSON.stringify(choice.name)}${didYouMean(choice.name, names)}`,
  );
}

/**
 * A wish for JSON is said to the model, at the end of what is said to it. It is told once in a row; the messages that come
 * back are those without it.
 */
export function appendJsonInstruction(
  messages: readonly SessionMessage[],
  { schema }: NonNullable<SessionRequest["json"]>,
): SessionMessage[] {
  const words = schema
    ? `Answer in JSON that matches this schema, and with nothing else: ${JSON.stringify(schema)}`
    : "Answer in JSON, and with nothing else.";
  const last = messages.at(-1);
  if (last?.role !== "user") {
    return [...messages, { role: "user", parts: [{ type: "text", text: words }] }];
  }
  const parts = [...last.parts, { type: "text" as const, text: words }];
  return [...messages.slice(0, -1), { ...last, parts }];
}
