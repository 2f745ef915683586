/**
 * Encodes recorded conversations as rows of tokens to imitate, segment by segment as a session does. A policy that
 * gives the same answers produces the same token ids and the same mask. The mask is 1 on answers and their stop tokens.
 * It is 0 on answers that are context and not imitated.
 */
import {
  type ConversationRenderer,
  isWithinLimits,
  toTemplateMessages,
  toTemplateTool,
} from "../../agent/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { RecordedConversation, RecordedMessage, RolloutLimits } from "../../spec/index.ts";
import { CHAT_TOKENS, compileNewModelChatTemplate, THINK_TOKENS } from "../../text/index.ts";
import type { ImitationRows, MeasuredRow } from "./demonstrations.ts";

/** Yields the texts between the special tokens of conversations. A new model's tokenizer is trained on these texts. */
export function* conversationTexts(
  conversations: readonly RecordedConversation[],
): Generator<string> {
  const { render } = compileNewModelChatTemplate();
  const specials = [...CHAT_TOKENS, ...thoughtTokens(conversations)];
  const pattern = new RegExp(specials.map((token) => token.replaceAll("|", "\\|")).join("|"));
  for (const { messages, tools } of conversations) {
    const text = render(messages.flatMap(toTemplateMessages), {
      ...(tools && { tools: tools.map(toTemplateTool) }),
    });
    for (const piece of text.split(pattern)) if (piece !== "") yield piece;
  }
}

/** Returns the special tokens that a new model needs for the thoughts of these conversations, if there are any. */
export function thoughtTokens(conversations: readonly RecordedConversation[]): readonly string[] {
  return conversations.some(hasThoughts) ? THINK_TOKENS : [];
}

function hasThoughts({ messages }: RecordedConversation): boolean {
  return messages.some(({ parts }) => parts.some(({ type }) => type === "reasoning"));
}

/**
 * Encodes all conversations as rows, however long they are. The weight of a row is the reward of its conversation, so
 * conversations with the reward 0 are left out. Throws a `config` error when all are left out, when a conversation has
 * no answer to imitate, or when the chat template drops its thoughts.
 */
export function encodeConversations(
  conversations: readonly RecordedConversation[],
  renderer: ConversationRenderer,
): MeasuredRow[] {
  const good = conversations.filter(({ reward }) => reward !== 0);
  if (conversations.length > 0 && good.length === 0) {
    throw new BowlineError(
      "config",
      "warmStart: all recorded conversations have the reward 0 (or the thumb down), so there is nothing to imitate",
    );
  }
  return good.map((conversation) => encodeConversation(conversation, renderer));
}

/** Returns the rows that are within the limits of an episode. */
export function selectFittingConversations(
  rows: readonly MeasuredRow[],
  limits: RolloutLimits,
): ImitationRows {
  const fitting = rows.filter(({ length }) => isWithinLimits(length, limits));
  return {
    rows: fitting.map(({ length: _, ...row }) => ({ ...row, fits: true })),
    leftOut: rows.length - fitting.length,
  };
}

/** The variable by which chat templates of Qwen3 and of other models turn thoughts on and off. */
const THINKING = "enable_thinking";

/** Returns a renderer that lets the model think if the conversation has thoughts. */
function chooseRenderer(
  conversation: RecordedConversation,
  renderer: ConversationRenderer,
): ConversationRenderer {
  const mustThink = hasThoughts(conversation) && renderer.readsVariable(THINKING);
  return mustThink ? renderer.withVariables({ [THINKING]: true }) : renderer;
}

/**
 * Returns a note when conversations with thoughts teach a model that is told not to think in episodes. The model then
 * learns these thoughts for the prompts of its mode for thinking.
 */
export function describeThoughts(
  conversations: readonly RecordedConversation[],
  renderer: ConversationRenderer,
): string | undefined {
  const count = conversations.filter(hasThoughts).length;
  if (count === 0 || !renderer.readsVariable(THINKING)) return undefined;
  return `${count} of ${conversations.length} recorded conversations have thoughts, which are imitated in the model's mode for thinking; an episode uses this mode only where the agent's requests have chat_template_kwargs {"enable_thinking": true}`;
}

/**
 * Encodes one conversation. The weight of the row is the conversation's reward, or 1 without an outcome. Throws a
 * `config` error when there is no answer to imitate, or when the chat template drops thoughts.
 */
export function encodeConversation(
  conversation: RecordedConversation,
  given: ConversationRenderer,
): MeasuredRow {
  const { messages, tools, reward } = conversation;
  const renderer = chooseRenderer(conversation, given);
  const ids: number[] = [];
  const mask: (0 | 1)[] = [];
  const append = (tokens: readonly number[], maskValue: 0 | 1) => {
    for (const token of tokens) {
      ids.push(token);
      mask.push(maskValue);
    }
  };
  let longestTurn = 0;
  let turns = 0;
  let messagesBefore: RecordedMessage[] = [];
  for (const message of messages) {
    if (message.role !== "assistant") {
      messagesBefore.push(message);
      continue;
    }
    const before =
      turns === 0 ? renderer.start(messagesBefore, tools) : renderer.next(messagesBefore, tools);
    const answer = renderer.answer(message);
    requireThoughts(message, renderer.text(answer));
    append(before, 0);
    append(answer, message.isImitated === false ? 0 : 1);
    longestTurn = Math.max(longestTurn, answer.length);
    turns += 1;
    messagesBefore = [];
  }
  if (!mask.includes(1)) {
    throw new BowlineError("config", "warmStart: a conversation has no answer to imitate");
  }
  const length = { turns, longestTurn, tokens: ids.length, isCareful: true };
  return { ids, mask, length, ...(reward !== undefined && { weight: reward }) };
}

/** Returns a note about the conversations that a warm start leaves out because of their outcomes. */
export function describeOutcomes(
  conversations: readonly RecordedConversation[],
): string | undefined {
  const bad = conversations.filter(({ reward }) => reward === 0).length;
  if (bad === 0) return undefined;
  return `${bad} of ${conversations.length} recorded conversations have the reward 0 and are not imitated`;
}

/** Throws a `config` error when the chat template did not write an answer's thoughts. */
function requireThoughts({ parts }: RecordedMessage, written: string): void {
  for (const part of parts) {
    if (part.type !== "reasoning" || written.includes(part.text.trim())) continue;
    throw new BowlineError(
      "config",
      "warmStart: a conversation has thoughts (reasoning_content), but the model's chat template does not write them, so they would be lost; leave them out, or put them into the content",
    );
  }
}
