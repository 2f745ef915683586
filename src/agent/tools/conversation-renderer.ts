/**
 * A conversation with tools as the token ids that a published model was trained to read, by its own chat template.
 *
 * As in `chatRenderer`, a row is made of segments that are rendered and encoded once: the opening with its tools, then,
 * for each turn, the sampled ids and what the template writes between the end of an answer and the header of the next. Here
 * that may be several messages, results of tools and words of others among them, and an answer is read back into text,
 * thoughts and calls.
 */
import { BowlineError } from "../../core/index.ts";
import type { ChatMessage, ChatTemplate, SessionMessage, ToolSpec } from "../../spec/index.ts";
import { SessionError } from "../session/session-error.ts";
import {
  type ChatTokenizer,
  createPieceEncoder,
  doesNotThrow,
  findEndOfTurn,
} from "../template-text.ts";
import { toTemplateMessages, toTemplateTool } from "./chat-messages.ts";
import { createHermesReader, HERMES_MARKS } from "./hermes.ts";
import { createLlamaReader } from "./llama.ts";
import { maskSpecialTokens } from "./mask-special-tokens.ts";
import type { ReadAnswer, ReadOptions } from "./read-answer.ts";
import { detectToolForm, type ToolForm, type ToolFormat } from "./tool-format.ts";

/** Conversations to token ids and answers back. Throws a `SessionError` (`invalid`) at what the template refuses. */
export interface ConversationRenderer {
  /** How calls are written; of `none` tools are refused. */
  readonly format: ToolFormat;
  /** The prompt up to and including the header after which the answer's first token comes. */
  start(messages: readonly SessionMessage[], tools?: readonly ToolSpec[]): readonly number[];
  /** What stands between the token that ended an answer and the header of the next, for these messages. */
  next(messages: readonly SessionMessage[], tools?: readonly ToolSpec[]): readonly number[];
  /** Tokens that end an answer; the sampled one belongs to the action. */
  readonly stopIds: readonly number[];
  /** Tokens that end a call: where an answer may have one call at most, it ends there. Empty: the form allows no second. */
  readonly callEndIds: readonly number[];
  /** Appended, masked out, when an answer ended without a stop token. */
  readonly forcedEnd: readonly number[];
  /** The beginning of a call, of the named tool or of any: put behind the header, it makes the answer one. */
  opening(name?: string): readonly number[];
  /** The text of ids without special tokens, markup included. */
  text(ids: readonly number[]): string;
  /** What an answer says: its ids, those of an opening included, without the stop token. */
  read(ids: readonly number[], options: ReadOptions): ReadAnswer;
  /** The ids of an answer given as a message, with its stop token: what imitation trains on. */
  answer(message: SessionMessage): readonly number[];
}

export interface ConversationRendererOptions {
  readonly template: ChatTemplate;
  readonly tokenizer: ChatTokenizer;
  /** Ids at which the model's makers stop it. The one that ends its turns is added where it is missing. */
  readonly stopIds: readonly number[];
  /** Of the template, such as `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

const QUESTION: ChatMessage = { role: "user", content: "What is it?" };
const SAID = "It-is-so.";
const ANSWER: ChatMessage = { role: "assistant", content: SAID };

/** Throws a `checkpoint` error when the template's turns do not end with a special token, or cannot be told apart. */
export function conversationRenderer(options: ConversationRendererOptions): ConversationRenderer {
  const tokenizer = { ...options.tokenizer, encodeRendered: createPieceEncoder(options.tokenizer) };
  const { encodeRendered, specials, decode } = tokenizer;
  const render = createRender(options);
  const renderAfterAnswer = (messages: readonly ChatMessage[], tools?: readonly unknown[]) =>
    textAfterAnswer(render([QUESTION, ANSWER, ...messages], tools, true));
  const end = findEndOfTurn(renderAfterAnswer([QUESTION]), specials);
  const form = detectToolForm((messages, tools) => render(messages, tools, true));
  const marks: readonly string[] = Object.values(HERMES_MARKS);
  const special = new Set(
    [...specials].flatMap(([name, id]) => (marks.includes(name) ? [] : [id])),
  );
  const text = (ids: readonly number[]) => decode(ids.filter((id) => !special.has(id)));
  const header = renderAnswerHeader(render);
  const idOf = (mark: string) => {
    const ids = encodeRendered(mark);
    return ids.length === 1 ? ids[0] : undefined;
  };
  const thinks = /<think>\s*$/.test(header);
  const read =
    form.format === "llama"
      ? createLlamaReader({ text })
      : createHermesReader({ idOf, text, thinks, calls: form.format === "hermes" });

  /** Renders what others wrote so that none of it becomes a special token. */
  const encodeMessages = (
    messages: readonly SessionMessage[],
    tools: readonly ToolSpec[],
    write: (messages: readonly ChatMessage[], tools?: readonly unknown[]) => string,
  ) => {
    requireToolForm(form, messages, tools);
    const values = [messages.flatMap(toTemplateMessages), tools.map(toTemplateTool)] as const;
    const mask = maskSpecialTokens(values, tokenizer);
    const [said, offered] = (mask?.values ?? values) as typeof values;
    const whole = rethrowTemplateRefusal(() =>
      write(said, offered.length > 0 ? offered : undefined),
    );
    return mask ? mask.encode(whole) : encodeRendered(whole);
  };

  return {
    format: form.format,
    start: (messages, tools = []) =>
      encodeMessages(messages, tools, (said, offered) => render(said, offered, true)),
    // Where a template puts tools behind the opening, they are in the opening; so they are left out here.
    next: (messages) =>
      encodeMessages(messages, [], (said) => renderAfterAnswer(said).slice(end.text.length)),
    stopIds: [...new Set([end.id, ...options.stopIds])],
    callEndIds: form.format === "hermes" ? toList(idOf(HERMES_MARKS.close)) : [],
    forcedEnd: [end.id],
    opening: (name) =>
      encodeRendered(form.beforeName + (name === undefined ? "" : name + form.beforeArguments)),
    text,
    read,
    answer: (message) => [
      ...encodeMessages([message], [], (said) => {
        const whole = render([QUESTION, ...said], undefined, false);
        const from = findHeaderEnd(header, whole);
        return whole.slice(from, whole.lastIndexOf(end.text));
      }),
      end.id,
    ],
  };
}

type Render = (
  messages: readonly ChatMessage[],
  tools: readonly unknown[] | undefined,
  header: boolean,
) => string;

/** Templates differ in where they take a system message; where they do not, its words are the user's. */
function createRender({ template, variables }: ConversationRendererOptions): Render {
  const render: Render = (messages, tools, addGenerationPrompt) =>
    template.render(messages, {
      ...(variables && { variables }),
      ...(tools && { tools }),
      addGenerationPrompt,
    });
  const system: ChatMessage = { role: "system", content: "You." };
  const first = doesNotThrow(() => render([system, QUESTION], undefined, true));
  const later = doesNotThrow(() => render([QUESTION, ANSWER, system, QUESTION], undefined, true));
  if (first && later) return render;
  return (messages, tools, header) =>
    render(turnSystemIntoUser(messages, first ? 1 : 0, later), tools, header);
}

/** Words of the system become the user's from message `from` on; where `later`, only at the very beginning. */
function turnSystemIntoUser(
  messages: readonly ChatMessage[],
  from: number,
  later: boolean,
): readonly ChatMessage[] {
  const out: ChatMessage[] = [];
  let folds = false;
  for (const [i, message] of messages.entries()) {
    const moved = message.role === "system" && i >= from && !(later && i > 0);
    const role = moved ? "user" : message.role;
    const before = folds && role === "user" ? `${String(out.pop()!.content)}\n\n` : "";
    out.push(
      before ? { ...message, role, content: before + message.content } : { ...message, role },
    );
    folds = moved;
  }
  return out;
}

function textAfterAnswer(text: string): string {
  const at = text.indexOf(SAID);
  if (at >= 0) return text.slice(at + SAID.length);
  throw new BowlineError(
    "checkpoint",
    "the chat template changes what an assistant says, so its turns cannot be told apart",
  );
}

/** The opening of a conversation of one question, with the header of its answer. */
function renderAnswerHeader(render: Render): string {
  return render([QUESTION], undefined, true);
}

/** Where an answer begins. One that has no thought has no header that opens one. */
function findHeaderEnd(header: string, whole: string): number {
  const bare = header.replace(/<think>\s*$/, "");
  const found = [header, bare].find((written) => whole.startsWith(written));
  if (found !== undefined) return found.length;
  throw new BowlineError(
    "checkpoint",
    "the chat template begins an answer with no header, so its turns cannot be told apart",
  );
}

function toList<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

function requireToolForm(
  { format }: ToolForm,
  messages: readonly SessionMessage[],
  tools: readonly ToolSpec[],
): void {
  if (format !== "none") return;
  const used = messages.some(({ parts }) => parts.some(({ type }) => type.startsWith("tool-")));
  if (tools.length === 0 && !used) return;
  throw new SessionError(
    "invalid",
    "tools: this model's chat template has no form for tools that is known here (Hermes and Qwen, or Llama 3), so send none; of models made here, those that trainAgent() trains have one, and those of scaffolds (compact, compact-tools) take text alone",
  );
}

/** A template refuses some conversations, such as two calls in one message of Llama 3. */
function rethrowTemplateRefusal<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!BowlineError.is(cause) || cause.code !== "checkpoint") throw cause;
    throw new SessionError("invalid", `messages: ${cause.message}`);
  }
}
