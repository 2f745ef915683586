/**
 * The tree of a session: every node is one answer, and the messages that were said before it since its parent's answer.
 *
 * A request holds a whole conversation. It is matched from the root: a node is passed when its messages are the next ones
 * of the request and the message behind them is its answer; the longest way wins. What is left is new. So a conversation
 * that goes on is a chain, one that is taken up at an earlier point is a branch, and one that begins otherwise (a
 * sub-agent, a compacted history) is a tree of its own beside the first.
 *
 * Of answers that say the same, ids tell which one is meant: those of answers, else those of calls. An id does not make an
 * answer of what says something else. That is an edit, and the request goes on from what it says, not from what was
 * sampled.
 */
import type { SessionAnswer } from "../../spec/index.ts";
import { type DigestedMessage, joinAssistantMessages, toolCallIds } from "./message-digest.ts";

/** An answer and what led to it. */
export interface AnswerNode {
  readonly parent: AnswerNode | undefined;
  /** Digest of whose conversation it is and of its tools. */
  readonly head: string;
  readonly role: string | undefined;
  /** The messages since the parent's answer; of a first answer all before it. */
  readonly inputs: readonly DigestedMessage[];
  /** The ids between the parent's answer and this one's: an end that was missing, the messages, the header, an opening. */
  readonly newIds: readonly number[];
  /** How many of them were put into the answer's mouth. */
  readonly openingLength: number;
  /** Ids of the row before the answer. */
  readonly start: number;
  /** What distinguishes it from its siblings; a sibling that is asked the same has another `turn`. */
  readonly variant: string;
  readonly turn: number;
  /** Digest of the way from the root to here; random streams and ids follow from it. */
  readonly name: string;
  readonly cacheKey: string;
  readonly children: AnswerNode[];
  /** Undefined while it is sampled. */
  answered: StoredAnswer | undefined;
}

export interface StoredAnswer {
  readonly answer: Pick<SessionAnswer, "id" | "parts" | "policyVersion">;
  readonly ids: readonly number[];
  readonly logprobs: readonly number[];
  /** It ended without a stop token, which has to be appended before the next message. */
  readonly open: boolean;
  readonly digest: string;
  readonly callIds: readonly string[];
}

export interface TreeMatch {
  /** The answer that the request goes on from; undefined: it begins a conversation. */
  readonly node: AnswerNode | undefined;
  /** Messages of the request up to and including that answer. */
  readonly used: number;
}

interface MatchPath extends TreeMatch {
  readonly ids: number;
}

export class SessionTree {
  readonly roots: AnswerNode[] = [];
  /** Answers by their ids and those of their calls. */
  readonly #owners = new Map<string, AnswerNode>();
  /** What was made of which answer. */
  readonly #edits = new Set<string>();

  siblingsUnder(parent: AnswerNode | undefined): AnswerNode[] {
    return parent?.children ?? this.roots;
  }

  findLongestMatch(head: string, said: readonly DigestedMessage[]): TreeMatch {
    const roots = this.roots.filter((node) => node.head === head);
    return this.#longest(roots, said, { node: undefined, used: 0, ids: 0 });
  }

  /**
   * Answers of this session that are in `said` behind the match, but say something else there than they did. A client sends
   * its edits again with every request: each is counted once.
   */
  countEdits({ node, used }: TreeMatch, head: string, said: readonly DigestedMessage[]): number {
    const countBefore = this.#edits.size;
    for (let i = used; i < said.length; i += Math.max(1, countAssistantMessages(said, i))) {
      const span = countAssistantMessages(said, i);
      if (span === 0) continue;
      const joined = joinAssistantMessages(said.slice(i, i + span));
      const owner = this.#ownerOf(joined) ?? this.#instead(node, head, said, used, i);
      if (owner && owner.answered?.digest !== joined.digest) {
        this.#edits.add(`${owner.name} ${joined.digest}`);
      }
    }
    return this.#edits.size - countBefore;
  }

  addNode(node: AnswerNode): void {
    this.siblingsUnder(node.parent).push(node);
  }

  storeAnswer(node: AnswerNode, answered: StoredAnswer): void {
    node.answered = answered;
    this.#owners.set(answered.answer.id, node);
    for (const id of answered.callIds) this.#owners.set(id, node);
  }

  /** Nothing of it is kept. */
  removeNode(node: AnswerNode): void {
    const siblings = this.siblingsUnder(node.parent);
    siblings.splice(siblings.indexOf(node), 1);
  }

  #longest(
    nodes: readonly AnswerNode[],
    said: readonly DigestedMessage[],
    way: MatchPath,
  ): MatchPath {
    let best = way;
    for (const node of nodes) {
      const at = way.used + node.inputs.length;
      if (!node.answered || !hasInputsAt(node, said, way.used)) continue;
      for (
        let span = countAssistantMessages(said, at);
        span >= minAnswerMessages(node, at, said);
        span--
      ) {
        const joined = joinAssistantMessages(said.slice(at, at + span));
        if (node.answered.digest !== joined.digest) continue;
        const passed = { node, used: at + span, ids: way.ids + countSharedIds(node, joined) };
        const found = this.#longest(node.children, said, passed);
        if (found.used > best.used || (found.used === best.used && found.ids >= best.ids)) {
          best = found;
        }
      }
    }
    return best;
  }

  /** The answer that was given where a message of an assistant that nobody here said stands now. */
  #instead(
    node: AnswerNode | undefined,
    head: string,
    said: readonly DigestedMessage[],
    from: number,
    to: number,
  ): AnswerNode | undefined {
    return this.siblingsUnder(node).find(
      (child) =>
        child.answered &&
        child.head === head &&
        child.inputs.length === to - from &&
        hasInputsAt(child, said, from),
    );
  }

  #ownerOf(said: DigestedMessage): AnswerNode | undefined {
    const id = messageIds(said).find((known) => this.#owners.has(known));
    return id === undefined ? undefined : this.#owners.get(id);
  }
}

function messageIds({ message }: DigestedMessage): string[] {
  return [...(message.ids ?? []), ...toolCallIds(message)];
}

/** How many ids of a message say that this answer is meant; those of a client's own making say nothing. */
function countSharedIds({ answered }: AnswerNode, said: DigestedMessage): number {
  const own = [answered!.answer.id, ...answered!.callIds];
  return messageIds(said).filter((id) => own.includes(id)).length;
}

/** Some clients leave an answer without words out; then what comes next is behind it all the same. */
function minAnswerMessages(
  { answered }: AnswerNode,
  at: number,
  said: readonly DigestedMessage[],
): 0 | 1 {
  const words = answered!.answer.parts.some(({ type }) => type !== "reasoning");
  return !words && at < said.length ? 0 : 1;
}

/** How many messages of an assistant stand in a row. */
function countAssistantMessages(said: readonly DigestedMessage[], from: number): number {
  let to = from;
  while (said[to]?.message.role === "assistant") to++;
  return to - from;
}

function hasInputsAt(
  { inputs }: AnswerNode,
  said: readonly DigestedMessage[],
  from: number,
): boolean {
  return inputs.every(({ digest }, i) => said[from + i]?.digest === digest);
}

/** The nodes from the root to this one. */
export function pathFromRoot(node: AnswerNode | undefined): AnswerNode[] {
  const path: AnswerNode[] = [];
  for (let at = node; at; at = at.parent) path.push(at);
  return path.reverse();
}

/** The row up to and including this node's answer. */
export function rowUpTo(node: AnswerNode | undefined): number[] {
  return pathFromRoot(node).flatMap(({ newIds: before, answered }) => [
    ...before,
    ...(answered?.ids ?? []),
  ]);
}

/** What a node's answer is sampled behind. */
export function promptBefore({
  parent,
  newIds: before,
}: Pick<AnswerNode, "parent" | "before">): number[] {
  return [...rowUpTo(parent), ...before];
}

/** The length of the row up to and including this node's answer. */
export function rowLengthUpTo(node: AnswerNode | undefined): number {
  return node ? node.start + (node.answered?.ids.length ?? 0) : 0;
}
