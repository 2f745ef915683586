/**
 * Encodes recorded conversations as rows of tokens to imitate, segment by segment as a session does. A policy that
 * gives the same answers produces the same token ids and the same mask. The mask is 1 on answers and their stop tokens.
 */
import {
  type ConversationRenderer,
  type ImitationRow,
  toTemplateMessages,
  toTemplateTool,
} from "../../agent/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { RecordedConversation, SessionMessage } from "../../spec/index.ts";
import { CHAT_TOKENS, compileNewModelChatTemplate } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import type { ImitationRows } from "./demonstrations.ts";

/** Yields the texts between the special tokens of conversations. A new model's tokenizer is trained on these texts. */
export function* conversationTexts(
  conversations: readonly RecordedConversation[],
): Generator<string> {
  const { render } = compileNewModelChatTemplate();
  for (const { messages, tools } of conversations) {
    const text = render(messages.flatMap(toTemplateMessages), {
      ...(tools && { tools: tools.map(toTemplateTool) }),
    });
    for (const piece of text.split(SPECIAL_TOKEN_PATTERN)) if (piece !== "") yield piece;
  }
}

const SPECIAL_TOKEN_PATTERN = new RegExp(
  CHAT_TOKENS.map((token) => token.replaceAll("|", "\\|")).join("|"),
);

/**
 * Encodes the conversations, except those that are too long for the limits of an episode. Throws a `config` error when
 * fewer than half remain, or when a conversation has no answer.
 */
export function encodeConversations(
  conversations: readonly RecordedConversation[],
  renderer: ConversationRenderer,
  { scaffold }: Pick<Config, "scaffold">,
): ImitationRows {
  const rows = conversations.map((conversation) =>
    encodeConversation(conversation, renderer, scaffold),
  );
  const fitting = rows.filter(({ fits }) => fits);
  if (fitting.length * 2 < rows.length) throw tooLongError(rows, fitting.length, scaffold);
  return { rows: fitting, leftOut: rows.length - fitting.length };
}

function encodeConversation(
  { messages, tools }: RecordedConversation,
  renderer: ConversationRenderer,
  { maxTurns, maxTurnTokens, maxTokens }: Config["scaffold"],
): ImitationRow {
  const ids: number[] = [];
  const mask: (0 | 1)[] = [];
  const append = (tokens: readonly number[], maskValue: 0 | 1) => {
    for (const token of tokens) {
      ids.push(token);
      mask.push(maskValue);
    }
  };
  let fits = true;
  let answers = 0;
  let messagesBefore: SessionMessage[] = [];
  for (const message of messages) {
    if (message.role !== "assistant") {
      messagesBefore.push(message);
      continue;
    }
    const before =
      answers === 0 ? renderer.start(messagesBefore, tools) : renderer.next(messagesBefore, tools);
    const answer = renderer.answer(message);
    append(before, 0);
    append(answer, 1);
    fits &&= answer.length <= maxTurnTokens;
    answers += 1;
    messagesBefore = [];
  }
  if (answers === 0) {
    throw new BowlineError("config", "warmStart: a conversation has no answer to imitate");
  }
  return { ids, mask, fits: fits && answers <= maxTurns && ids.length <= maxTokens };
}

function tooLongError(
  rows: readonly ImitationRow[],
  fitting: number,
  { maxTurns, maxTurnTokens, maxTokens }: Config["scaffold"],
): BowlineError {
  const longest = Math.max(...rows.map(({ ids }) => ids.length));
  return new BowlineError(
    "config",
    `only ${fitting} of ${rows.length} conversations fit the limits ${JSON.stringify({ maxTurns, maxTurnTokens, maxTokens })}; ` +
      `the longest has ${longest} tokens: raise scaffold.maxTokens, maxTurns or maxTurnTokens`,
  );
}
