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
import { callIdsOf, joinedSaid, type Said } from "./canonical.ts";

/** An answer and what led to it. */
export interface Node {
  readonly parent: Node | undefined;
  /** Digest of whose conversation it is and of its tools. */
  readonly head: string;
  readonly role: string | undefined;
  /** The messages since the parent's answer; of a first answer all before it. */
  readonly inputs: readonly Said[];
  /** The ids between the parent's answer and this one's: an end that was missing, the messages, the header, an opening. */
  readonly before: readonly number[];
  /** How many of them were put into the answer's mouth. */
  readonly opened: number;
  /** Ids of the row before the answer. */
  readonly start: number;
  /** What distinguishes it from its siblings; a sibling that is asked the same has another `turn`. */
  readonly wish: string;
  readonly turn: number;
  /** Digest of the way from the root to here; random streams and ids follow from it. */
  readonly name: string;
  readonly cacheKey: string;
  readonly children: Node[];
  /** Undefined while it is sampled. */
  answered: Answered | undefined;
}

export interface Answered {
  readonly answer: Pick<SessionAnswer, "id" | "parts" | "policyVersion">;
  readonly ids: readonly number[];
  readonly logprobs: readonly number[];
  /** It ended without a stop token, which has to be appended before the next message. */
  readonly open: boolean;
  readonly digest: string;
  readonly callIds: readonly string[];
}

export interface Match {
  /** The answer that the request goes on from; undefined: it begins a conversation. */
  readonly node: Node | undefined;
  /** Messages of the request up to and including that answer. */
  readonly used: number;
}

interface Way extends Match {
  readonly ids: number;
}

export class SessionTree {
  readonly roots: Node[] = [];
  /** Answers by their ids and those of their calls. */
  readonly #owners = new Map<string, Node>();
  /** What was made of which answer. */
  readonly #edits = new Set<string>();

  siblings(parent: Node | undefined): Node[] {
    return parent?.children ?? this.roots;
  }

  match(head: string, said: readonly Said[]): Match {
    const roots = this.roots.filter((node) => node.head === head);
    return this.#longest(roots, said, { node: undefined, used: 0, ids: 0 });
  }

  /**
   * Answers of this session that are in `said` behind the match, but say something else there than they did. A client sends
   * its edits again with every request: each is counted once.
   */
  edits({ node, used }: Match, head: string, said: readonly Said[]): number {
    const before = this.#edits.size;
    for (let i = used; i < said.length; i += Math.max(1, spanAt(said, i))) {
      const span = spanAt(said, i);
      if (span === 0) continue;
      const joined = joinedSaid(said.slice(i, i + span));
      const owner = this.#ownerOf(joined) ?? this.#instead(node, head, said, used, i);
      if (owner && owner.answered?.digest !== joined.digest) {
        this.#edits.add(`${owner.name} ${joined.digest}`);
      }
    }
    return this.#edits.size - before;
  }

  claim(node: Node): void {
    this.siblings(node.parent).push(node);
  }

  answer(node: Node, answered: Answered): void {
    node.answered = answered;
    this.#owners.set(answered.answer.id, node);
    for (const id of answered.callIds) this.#owners.set(id, node);
  }

  /** Nothing of it is kept. */
  drop(node: Node): void {
    const siblings = this.siblings(node.parent);
    siblings.splice(siblings.indexOf(node), 1);
  }

  #longest(nodes: readonly Node[], said: readonly Said[], way: Way): Way {
    let best = way;
    for (const node of nodes) {
      const at = way.used + node.inputs.length;
      if (!node.answered || !sameInputs(node, said, way.used)) continue;
      for (let span = spanAt(said, at); span >= least(node, at, said); span--) {
        const joined = joinedSaid(said.slice(at, at + span));
        if (node.answered.digest !== joined.digest) continue;
        const passed = { node, used: at + span, ids: way.ids + sharedIds(node, joined) };
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
    node: Node | undefined,
    head: string,
    said: readonly Said[],
    from: number,
    to: number,
  ): Node | undefined {
    return this.siblings(node).find(
      (child) =>
        child.answered &&
        child.head === head &&
        child.inputs.length === to - from &&
        sameInputs(child, said, from),
    );
  }

  #ownerOf(said: Said): Node | undefined {
    const id = idsOf(said).find((known) => this.#owners.has(known));
    return id === undefined ? undefined : this.#owners.get(id);
  }
}

function idsOf({ message }: Said): string[] {
  return [...(message.ids ?? []), ...callIdsOf(message)];
}

/** How many ids of a message say that this answer is meant; those of a client's own making say nothing. */
function sharedIds({ answered }: Node, said: Said): number {
  const own = [answered!.answer.id, ...answered!.callIds];
  return idsOf(said).filter((id) => own.includes(id)).length;
}

/** Some clients leave an answer without words out; then what comes next is behind it all the same. */
function least({ answered }: Node, at: number, said: readonly Said[]): 0 | 1 {
  const words = answered!.answer.parts.some(({ type }) => type !== "reasoning");
  return !words && at < said.length ? 0 : 1;
}

/** How many messages of an assistant stand in a row. */
function spanAt(said: readonly Said[], from: number): number {
  let to = from;
  while (said[to]?.message.role === "assistant") to++;
  return to - from;
}

function sameInputs({ inputs }: Node, said: readonly Said[], from: number): boolean {
  return inputs.every(({ digest }, i) => said[from + i]?.digest === digest);
}

/** The nodes from the root to this one. */
export function pathTo(node: Node | undefined): Node[] {
  const path: Node[] = [];
  for (let at = node; at; at = at.parent) path.push(at);
  return path.reverse();
}

/** The row up to and including this node's answer. */
export function rowTo(node: Node | undefined): number[] {
  return pathTo(node).flatMap(({ before, answered }) => [...before, ...(answered?.ids ?? [])]);
}

/** What a node's answer is sampled behind. */
export function promptOf({ parent, before }: Pick<Node, "parent" | "before">): number[] {
  return [...rowTo(parent), ...before];
}

/** The length of the row up to and including this node's answer. */
export function lengthTo(node: Node | undefined): number {
  return node ? node.start + (node.answered?.ids.length ?? 0) : 0;
}
