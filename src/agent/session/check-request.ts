/**
 * Checks what a request asks for: its conversation can be answered, its tools exist, and its numbers are valid. Every
 * error is one line for the author of the agent.
 */
import { didYouMean } from "../../core/index.ts";
import type { SessionMessage, SessionRequest, ToolSpec } from "../../spec/index.ts";
import { SessionError } from "./session-error.ts";

export interface CheckedRequest {
  readonly messages: readonly SessionMessage[];
  /** The tools that the prompt lists. There are none when the request forbids calls. */
  readonly tools: readonly ToolSpec[];
  /** When this is set, the answer has to begin as a call, of the named tool or of any tool. */
  readonly requiredCall: { readonly name?: string } | undefined;
  readonly allowsOneCall: boolean;
  readonly stop: readonly string[];
}

const ROLES = ["system", "user", "assistant", "tool"];

/** Checks a request. Throws a `SessionError` (`invalid`) that names the wrong field. */
export function checkRequest(request: SessionRequest): CheckedRequest {
  const { messages, tools = [], toolChoice = "auto", parallelToolCalls = true } = request;
  requireMessages(messages);
  requireTools(tools);
  requireSamplingNumbers(request);
  return {
    messages,
    tools: toolChoice === "none" ? [] : tools,
    requiredCall: resolveToolChoice(toolChoice, tools),
    allowsOneCall: !parallelToolCalls,
    stop: (request.stop ?? []).filter((text) => text !== ""),
  };
}

const isWholeNumber = (value: number) => Number.isInteger(value) && value > 0;
const isFraction = (value: number) => value >= 0 && value <= 1;

/** The numbers of a request, with what each may be. */
const SAMPLING_NUMBERS = {
  maxTokens: [isWholeNumber, "a whole number of at least 1"],
  temperature: [(value) => Number.isFinite(value) && value >= 0, "a number of at least 0"],
  topK: [isWholeNumber, "a whole number of at least 1"],
  topP: [isFraction, "a number from 0 to 1"],
  minP: [isFraction, "a number from 0 to 1"],
} satisfies Partial<Record<keyof SessionRequest, [(value: number) => boolean, string]>>;

function requireSamplingNumbers(request: SessionRequest): void {
  for (const name of Object.keys(SAMPLING_NUMBERS) as (keyof typeof SAMPLING_NUMBERS)[]) {
    const value = request[name];
    const [isValid, expected] = SAMPLING_NUMBERS[name];
    if (value !== undefined && !isValid(value)) throw createInvalidError(name, expected, value);
  }
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
      throw new SessionError(
        "invalid",
        `messages[${i}]: a message of role ${message.role} cannot hold a part of type ${wrong.type}`,
      );
    }
  }
  if (messages.at(-1)!.role === "assistant") {
    throw new SessionError(
      "invalid",
      "messages: the last message is the assistant's, so there is nothing to answer; end with a message to the assistant",
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
  throw new SessionError("invalid", `tools: ${JSON.stringify(twice)} is listed twice`);
}

function resolveToolChoice(
  choice: NonNullable<SessionRequest["toolChoice"]>,
  tools: readonly ToolSpec[],
): CheckedRequest["requiredCall"] {
  if (choice === "auto" || choice === "none") return undefined;
  if (tools.length === 0) {
    throw new SessionError(
      "invalid",
      "toolChoice: a call is required, but the request has no tools",
    );
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
 * Appends the instruction to answer in JSON to the last user message, or as a message of its own. The model gets it
 * once per row. Messages that come back from the client do not contain it.
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
