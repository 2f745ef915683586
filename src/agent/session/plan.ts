/**
 * Where a request stands in the tree, and the exact prompt that follows from it: the row up to the answer that it goes on
 * from, the end that this answer may lack, and what is new.
 */
import { hash32 } from "../../core/index.ts";
import type { SessionMessage, SessionRequest, ToolSpec } from "../../spec/index.ts";
import type { ConversationRenderer } from "../tools/index.ts";
import { digestOf, headOf, type Said, saidOf } from "./canonical.ts";
import type { KeptPrefixes } from "./prefixes.ts";
import { lengthTo, type Match, type Node, pathTo, promptOf, type SessionTree } from "./tree.ts";
import { type Wish, withJson } from "./wish.ts";

/** A request that is going to be answered. */
export interface Plan {
  readonly node: Node;
  readonly wish: Wish;
  /** What of `said` was known, and all of it. */
  readonly match: Match;
  readonly said: readonly Said[];
  readonly prompt: readonly number[];
  readonly cachedTokens: number;
}

export interface Surroundings {
  readonly tree: SessionTree;
  readonly renderer: ConversationRenderer;
  readonly prefixes: KeptPrefixes;
}

/** Changes nothing. Throws a `SessionError` (`invalid`) where the template refuses the conversation. */
export function planOf(
  request: SessionRequest,
  wish: Wish,
  { tree, renderer, prefixes }: Surroundings,
): Plan {
  const said = saidOf(wish.messages);
  const head = headOf(wish.tools, request.role);
  const match = tree.match(head, said);
  const parent = match.node;
  const inputs = said.slice(match.used);
  const opening = wish.calls ? renderer.opening(wish.calls.name) : [];
  const messages = told(request, inputs, parent);
  const before = [...behind(renderer, parent, messages, wish.tools), ...opening];
  const siblings = tree.siblings(parent);
  const asked = { head, inputs, wish: shapeOf(request, wish) };
  const twins = siblings.filter((other) => asksTheSame(other, asked));
  const turn = firstFree(twins.map((twin) => twin.turn));
  const digests = inputs.map(({ digest }) => digest);
  const start = lengthTo(parent) + before.length;
  const node: Node = {
    ...asked,
    parent,
    role: request.role,
    before,
    opened: opening.length,
    start,
    turn,
    name: digestOf([parent?.name ?? "", head, digests, asked.wish, turn]),
    cacheKey: keyFor(parent, siblings, prefixes),
    children: [],
    answered: undefined,
  };
  const seen = twins.some(({ answered }) => answered);
  const cachedTokens = seen ? start : lengthTo(parent);
  return { node, wish, match, said, prompt: promptOf(node), cachedTokens };
}

/** What is rendered behind a node's answer; of none, the opening of a conversation. */
export function behind(
  renderer: ConversationRenderer,
  node: Node | undefined,
  messages: readonly SessionMessage[],
  tools: readonly ToolSpec[],
): readonly number[] {
  if (node === undefined) return renderer.start(messages, tools);
  const end = node.answered!.open ? renderer.forcedEnd : [];
  return [...end, ...renderer.next(messages, tools)];
}

/** Two rows never draw the same number at the same position. A seed that is obeyed gives the same answer every time. */
export function streamOf({ node }: Plan, stream: number, seed: number | undefined): number {
  if (seed === undefined) return hash32(node.name, stream);
  return hash32([node.wish, ...node.inputs.map(({ digest }) => digest)].join(" "), seed);
}

/** The ids that were put into an answer's mouth. */
export function openingOf({ before, opened }: Node): readonly number[] {
  return before.slice(before.length - opened);
}

export function asksTheSame(
  node: Pick<Node, "head" | "inputs" | "wish">,
  other: Pick<Node, "head" | "inputs" | "wish">,
): boolean {
  return node.wish === other.wish && beginsAlike(node, other);
}

/** The same messages, to the same tools. */
export function beginsAlike(
  node: Pick<Node, "head" | "inputs">,
  other: Pick<Node, "head" | "inputs">,
): boolean {
  const { inputs } = node;
  return (
    node.head === other.head &&
    inputs.length === other.inputs.length &&
    inputs.every(({ digest }, i) => other.inputs[i]!.digest === digest)
  );
}

/** What changes an answer beside the messages; begins with the digest of the JSON that is wished for. */
function shapeOf(request: SessionRequest, { calls, single }: Wish): string {
  return `${jsonOf(request)} ${JSON.stringify([calls ?? null, single])}`;
}

function jsonOf({ json }: SessionRequest): string {
  return json === undefined ? "-" : digestOf(json);
}

/** The new messages, with the wish for JSON where the row has not heard it yet. */
function told(
  request: SessionRequest,
  inputs: readonly Said[],
  parent: Node | undefined,
): readonly SessionMessage[] {
  const messages = inputs.map(({ message }) => message);
  const known = pathTo(parent).some(({ wish }) => wish.startsWith(`${jsonOf(request)} `));
  return request.json && !known ? withJson(messages, request.json) : messages;
}

function firstFree(taken: readonly number[]): number {
  let number = 0;
  while (taken.includes(number)) number++;
  return number;
}

/** A row goes on under the key of its last answer, unless another one does already. */
function keyFor(
  parent: Node | undefined,
  siblings: readonly Node[],
  prefixes: KeptPrefixes,
): string {
  const free = siblings.every(({ cacheKey }) => cacheKey !== parent?.cacheKey);
  return parent && free ? parent.cacheKey : prefixes.fresh();
}
