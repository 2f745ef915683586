/**
 * Renders a conversation with tools as the token ids on which a published model was trained, by the model's chat
 * template.
 *
 * As in `chatRenderer`, a row is made of segments that are rendered and encoded once: the opening with its tools, then,
 * for each turn, the sampled ids and what the template writes between the end of an answer and the header of the next.
 * Here that may be several messages, such as tool results and words of others. An answer is read back into text,
 * thoughts and calls.
 */
import { BowlineError } from "../../core/index.ts";
import type { ChatMessage, ChatTemplate, SessionMessage, ToolSpec } from "../../spec/index.ts";
import type { EncodedText, EncodeInBackground } from "../../text/index.ts";
import { SessionError } from "../session/session-error.ts";
import {
  type ChatTokenizer,
  createPieceEncoder,
  doesNotThrow,
  findEndOfTurn,
  joinParts,
  type PieceEncoder,
  specialPattern,
} from "../template-text.ts";
import { toTemplateMessages, toTemplateTool } from "./chat-messages.ts";
import { areLong, type EncodedTexts, encodeAhead } from "./encoded-texts.ts";
import { createHermesReader, HERMES_MARKS } from "./hermes.ts";
import { createLlamaReader, splitLlamaAnswer } from "./llama.ts";
import { maskSpecialTokens } from "./mask-special-tokens.ts";
import type { ReadAnswer, ReadOptions } from "./read-answer.ts";
import { detectToolForm, type ToolForm, type ToolFormat } from "./tool-format.ts";

/**
 * Turns conversations into token ids and reads answers. Throws a `SessionError` (`invalid`) for what the template
 * refuses.
 */
export interface ConversationRenderer {
  /** The form in which calls are written. With `none`, tools are refused. */
  readonly format: ToolFormat;
  /** Returns the prompt up to and including the header of the answer. */
  start(
    messages: readonly SessionMessage[],
    tools?: readonly ToolSpec[],
    encoded?: EncodedTexts,
  ): readonly number[];
  /**
   * Returns the ids between the token that ended an answer and the first token of the next answer, for these messages.
   */
  next(
    messages: readonly SessionMessage[],
    tools?: readonly ToolSpec[],
    encoded?: EncodedTexts,
  ): readonly number[];
  /**
   * Encodes the texts of these messages in another thread, for `start` or `next`, whose ids do not change by it.
   * Returns undefined when the texts are short, or when the renderer has no thread.
   */
  encodeAhead(
    call: "start" | "next",
    messages: readonly SessionMessage[],
    tools?: readonly ToolSpec[],
  ): Promise<EncodedTexts> | undefined;
  /** The tokens that end an answer. A sampled one belongs to the action. */
  readonly stopIds: readonly number[];
  /**
   * The tokens that end a call. An answer that may have at most one call stops there. The list is empty when the form
   * allows no second call.
   */
  readonly callEndIds: readonly number[];
  /** The tokens that are appended, masked out, when an answer ended without a stop token. */
  readonly forcedEnd: readonly number[];
  /**
   * Returns the beginning of a call of the named tool, or of any tool. Put after the header, it makes the answer a
   * call.
   */
  opening(name?: string): readonly number[];
  /** Returns the text of ids without special tokens, including the markup of calls and thoughts. */
  text(ids: readonly number[]): string;
  /**
   * Returns the text of an answer's ids in pieces. Where the request had tools, the JSON of calls is left out and
   * stands between two pieces, so that a stop text does not end an answer in the middle of a call.
   */
  textsOutsideCalls(ids: readonly number[], tools: boolean): readonly string[];
  /** Tells whether the last of the ids stands inside of a call, although it is one of `callEndIds`. */
  endsInCall(ids: readonly number[]): boolean;
  /** Reads an answer from its ids, including those of a call opening but not the stop token. */
  read(ids: readonly number[], options: ReadOptions): ReadAnswer;
  /** Returns the ids of an answer that is given as a message, with its stop token. Imitation trains on them. */
  answer(message: SessionMessage): readonly number[];
  /** Tells whether the template reads a variable of this name. */
  readsVariable(name: string): boolean;
  /**
   * Returns the renderer that also sets these variables of the template. Throws a `SessionError` (`invalid`) when the
   * template refuses their values, or when one of them contains a special token.
   */
  withVariables(variables: Readonly<Record<string, unknown>>): ConversationRenderer;
}

export interface ConversationRendererOptions {
  readonly template: ChatTemplate;
  readonly tokenizer: ChatTokenizer;
  /**
   * The stop ids that the model's makers configured. The token that ends the template's turns is added if it is
   * missing.
   */
  readonly stopIds: readonly number[];
  /** Variables of the template, such as `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Encodes long texts in another thread with the same tokenizer. */
  readonly encodeInBackground?: EncodeInBackground;
}

const QUESTION: ChatMessage = { role: "user", content: "What is it?" };
const ANSWER_TEXT = "It-is-so.";
const ANSWER: ChatMessage = { role: "assistant", content: ANSWER_TEXT };

/**
 * Creates the renderer. Throws a `checkpoint` error when the template does not end turns with a special token, or
 * changes the text of an answer.
 */
export function conversationRenderer(options: ConversationRendererOptions): ConversationRenderer {
  const pieces = createPieceEncoder(options.tokenizer);
  const encodeRendered = pieces.encode;
  const decodeText = createTextDecoder(options.tokenizer);
  const render = createRender(options);
  const renderAfterAnswer = (messages: readonly ChatMessage[], tools?: readonly unknown[]) =>
    textAfterAnswer(render([QUESTION, ANSWER, ...messages], tools, true));
  const end = findEndOfTurn(renderAfterAnswer([QUESTION]), options.tokenizer.specials);
  const form = detectToolForm((messages, tools) => render(messages, tools, true));
  const header = renderAnswerHeader(render);
  const markId = (mark: string) => {
    const ids = encodeRendered(mark);
    return ids.length === 1 ? ids[0] : undefined;
  };
  const writeStart: WriteConversation = (messages, tools) => render(messages, tools, true);
  const writeNext: WriteConversation = (messages) =>
    renderAfterAnswer(messages).slice(end.text.length);
  const encoder = createMessageEncoder(options, pieces, form);

  return {
    format: form.format,
    start: (messages, tools = [], encoded) => encoder.encode(messages, tools, writeStart, encoded),
    // The tools are in the opening, so they are left out here, even where a template lists them after the opening.
    next: (messages, _tools, encoded) => encoder.encode(messages, [], writeNext, encoded),
    encodeAhead: (call, messages, tools = []) =>
      call === "start"
        ? encoder.encodeAhead(messages, tools, writeStart)
        : encoder.encodeAhead(messages, [], writeNext),
    stopIds: [...new Set([end.id, ...options.stopIds])],
    callEndIds: form.format === "hermes" ? toList(markId(HERMES_MARKS.close)) : [],
    forcedEnd: [end.id],
    opening: (name) =>
      encodeRendered(form.beforeName + (name === undefined ? "" : name + form.beforeArguments)),
    text: decodeText,
    ...createAnswerReader(form, header, { idOf: markId, text: decodeText }),
    answer: (message) => [
      ...encoder.encode([message], [], (safeMessages) => {
        const whole = render([QUESTION, ...safeMessages], undefined, false);
        const from = findHeaderEnd(header, whole);
        return whole.slice(from, whole.lastIndexOf(end.text));
      }),
      end.id,
    ],
    readsVariable: (name) => options.template.readsVariable(name),
    withVariables: rememberRenderers(options),
  };
}

/** Returns a function that decodes ids. It keeps the marks of tool calls and leaves out all other special tokens. */
function createTextDecoder({
  specials,
  decode,
}: ChatTokenizer): (ids: readonly number[]) => string {
  const marks: readonly string[] = Object.values(HERMES_MARKS);
  const special = new Set(
    [...specials].flatMap(([name, id]) => (marks.includes(name) ? [] : [id])),
  );
  return (ids) => decode(ids.filter((id) => !special.has(id)));
}

/** Creates the functions that read answers, in the form of the template's tool calls. */
function createAnswerReader(
  { format }: ToolForm,
  header: string,
  { idOf, text }: Pick<Parameters<typeof createHermesReader>[0], "idOf" | "text">,
): Pick<ConversationRenderer, "textsOutsideCalls" | "endsInCall" | "read"> {
  const thinks = /<think>\s*$/.test(header);
  const hermes = createHermesReader({ idOf, text, thinks, calls: format === "hermes" });
  const isLlama = format === "llama";
  return {
    textsOutsideCalls: (ids, tools) => {
      if (!tools) return [text(ids)];
      return isLlama ? splitLlamaAnswer(text(ids)) : hermes.textsOutsideCalls(ids);
    },
    endsInCall: (ids) => !isLlama && hermes.endsInCall(ids),
    read: isLlama ? createLlamaReader({ text }) : hermes.read,
  };
}

type WriteConversation = (messages: readonly ChatMessage[], tools?: readonly unknown[]) => string;

/** Creates the functions that turn messages and tools into ids, here or in another thread. */
function createMessageEncoder(
  { tokenizer, encodeInBackground }: ConversationRendererOptions,
  pieces: PieceEncoder,
  form: ToolForm,
) {
  /** Renders messages and tools so that no text in them becomes a special token. */
  const renderParts = (
    messages: readonly SessionMessage[],
    tools: readonly ToolSpec[],
    write: WriteConversation,
  ) => {
    requireToolForm(form, messages, tools);
    const values = [messages.flatMap(toTemplateMessages), tools.map(toTemplateTool)] as const;
    const mask = maskSpecialTokens(values, tokenizer);
    const [safeMessages, safeTools] = (mask?.values ?? values) as typeof values;
    const whole = rethrowTemplateRefusal(() =>
      write(safeMessages, safeTools.length > 0 ? safeTools : undefined),
    );
    return (mask ?? pieces).split(whole);
  };
  const encodePart = ({ text, isPlain }: EncodedText) =>
    isPlain ? tokenizer.encode(text) : pieces.encodePiece(text);
  return {
    encode: (
      messages: readonly SessionMessage[],
      tools: readonly ToolSpec[],
      write: WriteConversation,
      encoded?: EncodedTexts,
    ) =>
      joinParts(
        renderParts(messages, tools, write),
        (part) => encoded?.find(part) ?? encodePart(part),
      ),
    encodeAhead(
      messages: readonly SessionMessage[],
      tools: readonly ToolSpec[],
      write: WriteConversation,
    ) {
      if (encodeInBackground === undefined || !areLong(messages, tools)) return undefined;
      return encodeAhead(renderParts(messages, tools, write), encodeInBackground);
    },
  };
}

/** The number of sets of variables for which a renderer keeps another one. Their creation takes some milliseconds. */
const MAX_VARIANTS = 16;

/** Creates `withVariables` of a renderer with these options. It remembers the renderers that it made. */
function rememberRenderers(
  options: ConversationRendererOptions,
): ConversationRenderer["withVariables"] {
  const made = new Map<string, ConversationRenderer>();
  return (variables) => {
    const key = JSON.stringify(variables);
    const known = made.get(key);
    if (known) return known;
    if (specialPattern(options.tokenizer.specials)?.test(key)) {
      throw new SessionError(
        "invalid",
        `templateVariables: a special token cannot be part of a value, got ${key}`,
      );
    }
    const all = { ...options.variables, ...variables };
    const renderer = rethrowTemplateRefusal(() =>
      conversationRenderer({ ...options, variables: all }),
    );
    if (made.size >= MAX_VARIANTS) made.delete(made.keys().next().value!);
    made.set(key, renderer);
    return renderer;
  };
}

type Render = (
  messages: readonly ChatMessage[],
  tools: readonly unknown[] | undefined,
  header: boolean,
) => string;

/**
 * Creates the function that renders messages. Templates accept a system message in different places. Where a template
 * does not accept one, its text goes to the user.
 */
function createRender({ template, variables }: ConversationRendererOptions): Render {
  const render: Render = (messages, tools, addGenerationPrompt) =>
    template.render(messages, {
      ...(variables && { variables }),
      ...(tools && { tools }),
      addGenerationPrompt,
    });
  const system: ChatMessage = { role: "system", content: "You." };
  const acceptsFirst = doesNotThrow(() => render([system, QUESTION], undefined, true));
  const acceptsLater = doesNotThrow(() =>
    render([QUESTION, ANSWER, system, QUESTION], undefined, true),
  );
  if (acceptsFirst && acceptsLater) return render;
  return (messages, tools, header) =>
    render(turnSystemIntoUser(messages, acceptsFirst ? 1 : 0, acceptsLater), tools, header);
}

/**
 * Turns the system messages at index `from` and later into user messages. When `acceptsLater` is true, the template
 * accepts system messages after the first message, and they stay.
 */
function turnSystemIntoUser(
  messages: readonly ChatMessage[],
  from: number,
  acceptsLater: boolean,
): readonly ChatMessage[] {
  const out: ChatMessage[] = [];
  let folds = false;
  for (const [i, message] of messages.entries()) {
    const moved = message.role === "system" && i >= from && !(acceptsLater && i > 0);
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
  const at = text.indexOf(ANSWER_TEXT);
  if (at >= 0) return text.slice(at + ANSWER_TEXT.length);
  throw new BowlineError(
    "checkpoint",
    "chat template: it changes the text of an assistant's message, so the turns cannot be separated",
  );
}

/** Returns one question as the template renders it, with the header of its answer. */
function renderAnswerHeader(render: Render): string {
  return render([QUESTION], undefined, true);
}

/** Returns the position where an answer begins. The header of an answer without a thought does not open a thought. */
function findHeaderEnd(header: string, whole: string): number {
  const bare = header.replace(/<think>\s*$/, "");
  const found = [header, bare].find((written) => whole.startsWith(written));
  if (found !== undefined) return found.length;
  throw new BowlineError(
    "checkpoint",
    "chat template: it begins an answer without a header, so the turns cannot be separated",
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
    "tools: expected none, because this model's chat template has no known form for tools; use a model of the Hermes, Qwen or Llama 3 kind, or one that trainAgent() trained (models of the scaffolds compact and compact-tools take only text)",
  );
}

/**
 * Turns a template's refusal into a `SessionError`. Some templates refuse some conversations, such as Llama 3's with
 * two calls in one message.
 */
function rethrowTemplateRefusal<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!BowlineError.is(cause) || cause.code !== "checkpoint") throw cause;
    throw new SessionError("invalid", `messages: ${cause.message}`);
  }
}
