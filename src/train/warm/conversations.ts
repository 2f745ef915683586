/**
 * Recorded conversations as rows to imitate. Each is held again, in a session of its own, by a policy that says what was
 * said: so a row is what a rollout would have left that went the same way, token boundaries included, and its mask is 1 on
 * the answers alone.
 */
import { chatMessageOf, type ImitationRow, openInterim, toolsOf } from "../../agent/index.ts";
import { BowlineError } from "../../core/index.ts";
import type { Policy, RecordedConversation, SessionMessage } from "../../spec/index.ts";
import { CHAT_TOKENS, chatTemplateOfOurs, type ModelText } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import type { Imitated } from "./demonstrations.ts";

/** The texts between special tokens, as a model made here will read and write them: what its tokenizer is trained on. */
export function* conversationTexts(
  conversations: readonly RecordedConversation[],
): Generator<string> {
  const template = chatTemplateOfOurs();
  for (const { messages, tools } of conversations) {
    const listed = toolsOf(tools);
    const text = template.render(messages.flatMap(chatMessageOf), listed ? { tools: listed } : {});
    for (const piece of text.split(SPECIAL)) if (piece !== "") yield piece;
  }
}

const SPECIAL = new RegExp(CHAT_TOKENS.map((token) => token.replaceAll("|", "\\|")).join("|"));

/** Rows to imitate, without those that no rollout within the limits could repeat. */
export async function conversationRows(
  conversations: readonly RecordedConversation[],
  text: ModelText,
  config: Config,
): Promise<Imitated> {
  const rows: ImitationRow[] = [];
  for (const [i, conversation] of conversations.entries()) {
    const row = await replayed(conversation, text, config, i);
    if (row !== undefined) rows.push(row);
  }
  if (rows.length * 2 < conversations.length) {
    const { maxTurns, maxTurnTokens, maxTokens } = config.scaffold;
    throw new BowlineError(
      "config",
      `only ${rows.length} of ${conversations.length} conversations fit the limits ${JSON.stringify({ maxTurns, maxTurnTokens, maxTokens })}; raise scaffold.maxTokens, maxTurns or maxTurnTokens`,
    );
  }
  return { rows, leftOut: conversations.length - rows.length };
}

async function replayed(
  { messages, tools }: RecordedConversation,
  text: ModelText,
  { scaffold }: Config,
  number: number,
): Promise<ImitationRow | undefined> {
  const template = text.chatTemplate();
  const { tokenizer, generation } = text;
  const { maxTurns, maxTurnTokens, maxTokens } = scaffold;
  const before = template.render([{ role: "user", content: "Q" }], { addGenerationPrompt: true });
  const turnIds = (message: SessionMessage) => {
    const whole = template.render([{ role: "user", content: "Q" }, ...chatMessageOf(message)]);
    return tokenizer.encodeRendered(whole.slice(before.length));
  };
  let next: readonly number[] = [];
  const policy: Extract<Policy, { kind: "tokens" }> = {
    kind: "tokens",
    sample: async () => ({
      tokens: next,
      logprobs: next.map(() => 0),
      stop: "stop",
      policyVersion: 0,
    }),
    release: () => {},
  };
  const session = openInterim({
    policy,
    template,
    tokenizer,
    stopIds: generation.stopIds,
    limits: { maxTurns, maxTurnTokens, maxTokens },
    maxTurns,
    id: `conversation ${number}`,
    stream: 0,
    temperature: 1,
  });
  for (const [i, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    next = turnIds(message);
    if (next.length > maxTurnTokens) return undefined;
    try {
      await session.respond({ messages: messages.slice(0, i), ...(tools && { tools }) });
    } catch {
      return undefined;
    }
  }
  const { ids, mask } = session.record().tokens;
  return { ids, mask, fits: ids.length <= maxTokens };
}
