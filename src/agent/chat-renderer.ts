/**
 * Renders a conversation as the token ids on which a published model was trained, by the model's own chat template.
 *
 * A template writes whole conversations, but a rollout must never encode sampled text again. So a row is made of
 * segments, each rendered and encoded once. The first segment is the opening up to the header of the first answer. Then
 * follow, for each turn, the sampled ids and what the template writes between the end of an answer and the header of
 * the next. A turn ends with a special token, and no other token spans it. So the ids of the segments are those of the
 * conversation rendered in one go, provided that the template leaves earlier turns as they were. Some templates do not:
 * Qwen3's removes the thoughts of earlier turns, and Llama 2's puts spaces around answers (`rewritesHistory` says so).
 * The row keeps what was sampled, because importance ratios must refer to the tokens that the policy saw and wrote.
 *
 * Text that others wrote may look like a special token. It is encoded separately, as plain text, so that no observation
 * can end a turn.
 */
import { BowlineError } from "../core/index.ts";
import type { ChatMessage, ChatTemplate, Message, Renderer } from "../spec/index.ts";
import {
  type ChatTokenizer,
  createPieceEncoder,
  doesNotThrow,
  type EndOfTurn,
  findEndOfTurn,
  specialPattern,
} from "./template-text.ts";

export interface ChatRendererOptions {
  readonly template: ChatTemplate;
  readonly tokenizer: ChatTokenizer;
  /**
   * The stop ids that the model's makers configured. The token that ends the template's turns is added if it is
   * missing.
   */
  readonly stopIds: readonly number[];
  /** Variables of the template, such as `enable_thinking`. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface ChatRenderer extends Renderer {
  /** This is true when the template would render earlier turns differently from how they were sampled. */
  readonly rewritesHistory: boolean;
}

const QUESTION = "What is it?";
const ANSWER = "It-is-so.";

/**
 * Creates the renderer. Throws a `checkpoint` error when the template does not end turns with a special token, or
 * changes the text of an answer.
 */
export function chatRenderer(options: ChatRendererOptions): ChatRenderer {
  const { stopIds } = options;
  const tokenizer = {
    ...options.tokenizer,
    encodeRendered: createPieceEncoder(options.tokenizer).encode,
  };
  const { encode, encodeRendered, specials } = tokenizer;
  const render = createRender(options);
  const special = new Set(specials.values());
  const end = findEndOfTurn(renderAfterAnswer(render, QUESTION), specials);
  const plain = createPlainTextEncoder(tokenizer);

  const encodeObservation = (observation: string) => {
    const rest = renderAfterAnswer(render, observation).slice(end.text.length);
    return plain(rest, [observation]);
  };
  return {
    start: (messages) =>
      plain(
        render(messages, true),
        messages.map(({ content }) => content),
      ),
    next: ({ content }) => encodeObservation(content),
    stopIds: [...new Set([end.id, ...stopIds])],
    forcedEnd: [end.id],
    // A special token that was sampled within a turn is an action, but it is not text.
    text: (tokens) => tokenizer.decode(tokens.filter((id) => !special.has(id))),
    turn: (text) => [...encode(text), end.id],
    rewritesHistory: doesTemplateRewriteHistory(render, (text) => encodeRendered(text), end),
  };
}

type Render = (messages: readonly Message[], header: boolean) => string;

/**
 * Creates the function that renders messages. Environment messages take the role of the user. If the template has no
 * system role, the system message is put before the first question.
 */
function createRender({ template, variables }: ChatRendererOptions): Render {
  const options = variables ? { variables } : {};
  const render = (messages: readonly Message[], addGenerationPrompt: boolean) =>
    template.render(messages.map(toChatMessage), { ...options, addGenerationPrompt });
  const takesSystem = doesNotThrow(() =>
    render([createMessage("system", "You."), createMessage("user", QUESTION)], true),
  );
  return (messages, header) =>
    render(takesSystem ? messages : mergeSystemMessage(messages), header);
}

const createMessage = (role: Message["role"], content: string): Message => ({ role, content });

function toChatMessage({ role, content }: Message): ChatMessage {
  return { role: role === "environment" ? "user" : role, content };
}

function mergeSystemMessage(messages: readonly Message[]): readonly Message[] {
  const [first, second, ...rest] = messages;
  if (first?.role !== "system" || second === undefined) return messages;
  return [{ ...second, content: `${first.content}\n\n${second.content}` }, ...rest];
}

/**
 * Returns what the template writes after an answer when this observation follows: the end of the turn, the observation,
 * and the header of the next answer.
 */
function renderAfterAnswer(render: Render, observation: string): string {
  const messages = [
    createMessage("user", QUESTION),
    createMessage("assistant", ANSWER),
    createMessage("user", observation),
  ];
  const text = render(messages, true);
  const at = text.indexOf(ANSWER);
  if (at >= 0) return text.slice(at + ANSWER.length);
  throw new BowlineError(
    "checkpoint",
    "chat template: it changes the text of an assistant's message, so the turns cannot be separated",
  );
}

/**
 * Returns a function that encodes a rendered text. If one of `contents` contains what looks like a special token, all
 * contents are cut out of the text and encoded as plain text.
 */
function createPlainTextEncoder({ encode, encodeRendered, specials }: ChatTokenizer) {
  const looksSpecial = specialPattern(specials);
  return (text: string, contents: readonly string[]): number[] => {
    if (!contents.some((content) => looksSpecial?.test(content))) return [...encodeRendered(text)];
    const ids: number[] = [];
    let from = 0;
    for (const content of contents) {
      const [start, length] = findContent(text, content, from);
      ids.push(...encodeRendered(text.slice(from, start)));
      ids.push(...encode(text.slice(start, start + length)));
      from = start + length;
    }
    return [...ids, ...encodeRendered(text.slice(from))];
  };
}

/** Finds a message's content in a rendered text. Templates write contents unchanged or trimmed. */
function findContent(text: string, content: string, from: number): [start: number, length: number] {
  for (const form of [content, content.trim()]) {
    const start = text.indexOf(form, from);
    if (start >= 0) return [start, form.length];
  }
  throw new BowlineError(
    "checkpoint",
    "chat template: it changes the text of a message, so text that looks like a special token cannot be encoded as plain text",
  );
}

/**
 * Compares a conversation of three turns that is rendered segment by segment with the same conversation rendered in one
 * go.
 */
function doesTemplateRewriteHistory(
  render: Render,
  encode: (text: string) => readonly number[],
  end: EndOfTurn,
): boolean {
  const opening = [createMessage("system", "You."), createMessage("user", QUESTION)];
  const rest = renderAfterAnswer(render, QUESTION).slice(end.text.length);
  const turn = `${ANSWER}${end.text.trimStart()}${rest}`;
  const whole = [1, 2].flatMap(() => [
    createMessage("assistant", ANSWER),
    createMessage("user", QUESTION),
  ]);
  const row = encode(`${render(opening, true)}${turn}${turn}`);
  return row.join() !== encode(render([...opening, ...whole], true)).join();
}
