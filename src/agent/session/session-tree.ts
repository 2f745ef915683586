/**
 * The tree of a session. Every node is one answer together with the messages since its parent's answer.
 *
 * A request contains a whole conversation, which is matched from the root. A node matches when its messages are the
 * next ones of the request and its answer follows them. The longest match is taken, and the remaining messages are new.
 * So a conversation that continues is a chain, one that resumes at an earlier point is a branch, and one that begins
 * differently (a sub-agent, a compacted history) is a separate tree.
 *
 * When several answers have the same content, ids decide which one is meant: the ids of answers, otherwise those of
 * calls. An id does not match an answer whose content differs. That is an edit, and the request continues from the
 * edited text, not from what was sampled.
 */
import type { ChatPart, SessionAnswer } from "../../spec/index.ts";
import {
  areSameArguments,
  type DigestedMessage,
  joinAssistantMessages,
  toolCallIds,
} from "./message-digest.ts";

/** An answer and the messages that led to it. */
export interface AnswerNode {
  readonly parent: AnswerNode | undefined;
  /** The digest of the conversation's role and tools. */
  readonly headDigest: string;
  readonly role: string | undefined;
  /** The messages since the parent's answer. For a first answer, these are all messages before it. */
  readonly inputs: readonly DigestedMessage[];
  /**
   * The ids between the parent's answer and this answer: a missing end token, the messages, the header, and the
   * beginning of a required call.
   */
  readonly newIds: readonly number[];
  /** The number of ids at the end of `newIds` that begin a required call. */
  readonly openingLength: number;
  /** The number of ids in the row before the answer. */
  readonly promptLength: number;
  /** Distinguishes the node from siblings with the same messages. Siblings of the same request differ in `turn`. */
  readonly variant: string;
  readonly turn: number;
  /** The digest of the path from the root to this node. Random streams and ids are derived from it. */
  readonly pathDigest: string;
  readonly cacheKey: string;
  readonly children: AnswerNode[];
  /** The answer, which is undefined while it is being sampled. */
  answered: StoredAnswer | undefined;
}

export interface StoredAnswer {
  readonly answer: Pick<SessionAnswer, "id" | "parts" | "policyVersion">;
  readonly ids: readonly number[];
  readonly logprobs: readonly number[];
  /** True when the answer ended without a stop token, which must be appended before the next message. */
  readonly lacksEnd: boolean;
  readonly digest: string;
  readonly callIds: readonly string[];
}

export interface TreeMatch {
  /** The answer that the request continues. It is undefined when the request begins a conversation. */
  readonly node: AnswerNode | undefined;
  /** The number of the request's messages up to and including that answer. */
  readonly usedMessages: number;
}

interface MatchPath extends TreeMatch {
  readonly matchedIds: number;
}

export class SessionTree {
  readonly roots: AnswerNode[] = [];
  /** Maps the ids of answers and of their calls to nodes. */
  readonly #nodesById = new Map<string, AnswerNode>();
  /** Keys of the edits that were counted: the edited answer and the digest of the new text. */
  readonly #editKeys = new Set<string>();

  siblingsUnder(parent: AnswerNode | undefined): AnswerNode[] {
    return parent?.children ?? this.roots;
  }

  findLongestMatch(headDigest: string, messages: readonly DigestedMessage[]): TreeMatch {
    const roots = this.roots.filter((node) => node.headDigest === headDigest);
    return this.#extendMatch(roots, messages, { node: undefined, usedMessages: 0, matchedIds: 0 });
  }

  /**
   * Counts answers of this session that come after the match but have changed content. A client sends its edits again
   * with every request, so each edit is counted once.
   */
  countEdits(
    { node, usedMessages }: TreeMatch,
    headDigest: string,
    messages: readonly DigestedMessage[],
  ): number {
    const countBefore = this.#editKeys.size;
    for (
      let i = usedMessages;
      i < messages.length;
      i += Math.max(1, countAssistantMessages(messages, i))
    ) {
      const span = countAssistantMessages(messages, i);
      if (span === 0) continue;
      const joined = joinAssistantMessages(messages.slice(i, i + span));
      const owner =
        this.#findNodeById(joined) ??
        this.#findReplacedAnswer(node, headDigest, messages, usedMessages, i);
      if (owner && owner.answered?.digest !== joined.digest) {
        this.#editKeys.add(`${owner.pathDigest} ${joined.digest}`);
      }
    }
    return this.#editKeys.size - countBefore;
  }

  /**
   * Gives the calls of this session, which a client parsed and printed again, the arguments that were sampled: their
   * numbers, escapes and order of keys. Calls that the client changed stay as they are. Digests do not change by it, so
   * only messages that are rendered need it.
   */
  restoreArguments(messages: readonly DigestedMessage[]): DigestedMessage[] {
    return messages.map(({ message, digest }) => ({
      digest,
      message: { ...message, parts: message.parts.map((part) => this.#restorePart(part)) },
    }));
  }

  #restorePart(part: ChatPart): ChatPart {
    if (part.type !== "tool-call") return part;
    const sampled = this.#nodesById
      .get(part.id)
      ?.answered?.answer.parts.find((other) => other.type === "tool-call" && other.id === part.id);
    const isSame =
      sampled?.type === "tool-call" && areSameArguments(sampled.arguments, part.arguments);
    return isSame ? { ...part, arguments: sampled.arguments } : part;
  }

  addNode(node: AnswerNode): void {
    this.siblingsUnder(node.parent).push(node);
  }

  storeAnswer(node: AnswerNode, answered: StoredAnswer): void {
    node.answered = answered;
    this.#nodesById.set(answered.answer.id, node);
    for (const id of answered.callIds) this.#nodesById.set(id, node);
  }

  /** Removes a node from the tree. */
  removeNode(node: AnswerNode): void {
    const siblings = this.siblingsUnder(node.parent);
    siblings.splice(siblings.indexOf(node), 1);
  }

  #extendMatch(
    nodes: readonly AnswerNode[],
    messages: readonly DigestedMessage[],
    path: MatchPath,
  ): MatchPath {
    let best = path;
    for (const node of nodes) {
      const at = path.usedMessages + node.inputs.length;
      if (!node.answered || !hasInputsAt(node, messages, path.usedMessages)) continue;
      for (
        let span = countAssistantMessages(messages, at);
        span >= minAnswerMessages(node, at, messages);
        span--
      ) {
        const joined = joinAssistantMessages(messages.slice(at, at + span));
        if (node.answered.digest !== joined.digest) continue;
        const passed = {
          node,
          usedMessages: at + span,
          matchedIds: path.matchedIds + countSharedIds(node, joined),
        };
        const found = this.#extendMatch(node.children, messages, passed);
        if (
          found.usedMessages > best.usedMessages ||
          (found.usedMessages === best.usedMessages && found.matchedIds >= best.matchedIds)
        ) {
          best = found;
        }
      }
    }
    return best;
  }

  /** Finds the answer that was given at the position of an assistant's message that does not come from this session. */
  #findReplacedAnswer(
    node: AnswerNode | undefined,
    headDigest: string,
    messages: readonly DigestedMessage[],
    from: number,
    to: number,
  ): AnswerNode | undefined {
    return this.siblingsUnder(node).find(
      (child) =>
        child.answered &&
        child.headDigest === headDigest &&
        child.inputs.length === to - from &&
        hasInputsAt(child, messages, from),
    );
  }

  #findNodeById(message: DigestedMessage): AnswerNode | undefined {
    const id = messageIds(message).find((known) => this.#nodesById.has(known));
    return id === undefined ? undefined : this.#nodesById.get(id);
  }
}

function messageIds({ message }: DigestedMessage): string[] {
  return [...(message.ids ?? []), ...toolCallIds(message)];
}

/** Counts the ids of a message that belong to this answer. Ids that a client made up are not counted. */
function countSharedIds({ answered }: AnswerNode, message: DigestedMessage): number {
  const answerIds = [answered!.answer.id, ...answered!.callIds];
  return messageIds(message).filter((id) => answerIds.includes(id)).length;
}

/**
 * Returns the smallest number of messages that an answer may take. It is 0 for an answer without words, which some
 * clients leave out.
 */
function minAnswerMessages(
  { answered }: AnswerNode,
  at: number,
  messages: readonly DigestedMessage[],
): 0 | 1 {
  const hasWords = answered!.answer.parts.some(({ type }) => type !== "reasoning");
  return !hasWords && at < messages.length ? 0 : 1;
}

/** Returns the number of consecutive assistant messages that begin at this position. */
function countAssistantMessages(messages: readonly DigestedMessage[], from: number): number {
  let to = from;
  while (messages[to]?.message.role === "assistant") to++;
  return to - from;
}

function hasInputsAt(
  { inputs }: AnswerNode,
  messages: readonly DigestedMessage[],
  from: number,
): boolean {
  return inputs.every(({ digest }, i) => messages[from + i]?.digest === digest);
}

/** Returns the nodes from the root to this one. */
export function pathFromRoot(node: AnswerNode | undefined): AnswerNode[] {
  const path: AnswerNode[] = [];
  for (let at = node; at; at = at.parent) path.push(at);
  return path.reverse();
}

/** Returns the ids of the row up to and including this node's answer. */
export function rowUpTo(node: AnswerNode | undefined): number[] {
  return pathFromRoot(node).flatMap(({ newIds, answered }) => [
    ...newIds,
    ...(answered?.ids ?? []),
  ]);
}

/** Returns the prompt of a node's answer. */
export function promptBefore({ parent, newIds }: Pick<AnswerNode, "parent" | "newIds">): number[] {
  return [...rowUpTo(parent), ...newIds];
}

/** Returns the length of the row up to and including this node's answer. */
export function rowLengthUpTo(node: AnswerNode | undefined): number {
  return node ? node.promptLength + (node.answered?.ids.length ?? 0) : 0;
}
