/**
 * Where a request stands in the tree, and the exact prompt that follows from it: the row up to the answer that it goes on
 * from, the end that this answer may lack, and what is new.
 */
import { hash32 } from "../../core/index.ts";
import type { SessionMessage, SessionRequest, ToolSpec } from "../../spec/index.ts";
import type { ConversationRenderer } from "../tools/index.ts";
import { appendJsonInstruction, type CheckedRequest } from "./check-request.ts";
import type { KeptPrefixes } from "./kept-prefixes.ts";
import { type DigestedMessage, digestHead, digestJson, digestMessages } from "./message-digest.ts";
import {
  type AnswerNode,
  pathFromRoot,
  promptBefore,
  rowLengthUpTo,
  type SessionTree,
  type TreeMatch,
} from "./session-tree.ts";

/** A request that is going to be answered. */
export interface AnswerPlan {
  readonly node: AnswerNode;
  readonly wish: CheckedRequest;
  /** What of `said` was known, and all of it. */
  readonly match: TreeMatch;
  readonly said: readonly DigestedMessage[];
  readonly prompt: readonly number[];
  readonly cachedTokens: number;
}

export interface PlanContext {
  readonly tree: SessionTree;
  readonly renderer: ConversationRenderer;
  readonly prefixes: KeptPrefixes;
}

/** Changes nothing. Throws a `SessionError` (`invalid`) where the template refuses the conversation. */
export function planAnswer(
  request: SessionRequest,
  wish: CheckedRequest,
  { tree, renderer, prefixes }: PlanContext,
): AnswerPlan {
  const said = digestMessages(wish.messages);
  const head = digestHead(wish.tools, request.role);
  const match = tree.findLongestMatch(head, said);
  const parent = match.node;
  const inputs = said.slice(match.used);
  const opening = wish.requiredCall ? renderer.opening(wish.requiredCall.name) : [];
  const messages = listNewMessages(request, inputs, parent);
  const before = [...renderNewMessages(renderer, parent, messages, wish.tools), ...opening];
  const siblings = tree.siblingsUnder(parent);
  const question = { head, inputs, wish: describeVariant(request, wish) };
  const sameRequests = siblings.filter((other) => isSameRequest(other, question));
  const turn = firstFreeNumber(sameRequests.map((twin) => twin.turn));
  const digests = inputs.map(({ digest }) => digest);
  const start = rowLengthUpTo(parent) + before.length;
  const node: AnswerNode = {
    ...question,
    parent,
    role: request.role,
    newIds: before,
    openingLength: opening.length,
    start,
    turn,
    name: digestJson([parent?.name ?? "", head, digests, question.wish, turn]),
    cacheKey: chooseCacheKey(parent, siblings, prefixes),
    children: [],
    answered: undefined,
  };
  const seen = sameRequests.some(({ answered }) => answered);
  const cachedTokens = seen ? start : rowLengthUpTo(parent);
  return { node, wish, match, said, prompt: promptBefore(node), cachedTokens };
}

/** What is rendered behind a node's answer; of none, the opening of a conversation. */
export function renderNewMessages(
  renderer: ConversationRenderer,
  node: AnswerNode | undefined,
  messages: readonly SessionMessage[],
  tools: readonly ToolSpec[],
): readonly number[] {
  if (node === undefined) return renderer.start(messages, tools);
  const end = node.answered!.open ? renderer.forcedEnd : [];
  return [...end, ...renderer.next(messages, tools)];
}

/** Two rows never draw the same number at the same position. A seed that is obeyed gives the same answer every time. */
export function deriveStream(
  { node }: AnswerPlan,
  stream: number,
  seed: number | undefined,
): number {
  if (seed === undefined) return hash32(node.name, stream);
  return hash32([node.variant, ...node.inputs.map(({ digest }) => digest)].join(" "), seed);
}

/** The ids that were put into an answer's mouth. */
export function callOpeningIds({
  newIds: before,
  openingLength: opened,
}: AnswerNode): readonly number[] {
  return before.slice(before.length - opened);
}

export function isSameRequest(
  node: Pick<AnswerNode, "head" | "inputs" | "wish">,
  other: Pick<AnswerNode, "head" | "inputs" | "wish">,
): boolean {
  return node.variant === other.variant && hasSameInputs(node, other);
}

/** The same messages, to the same tools. */
export function hasSameInputs(
  node: Pick<AnswerNode, "head" | "inputs">,
  other: Pick<AnswerNode, "head" | "inputs">,
): boolean {
  const { inputs } = node;
  return (
    node.head === other.head &&
    inputs.length === other.inputs.length &&
    inputs.every(({ digest }, i) => other.inputs[i]!.digest === digest)
  );
}

/** What changes an answer beside the messages; begins with the digest of the JSON that is wished for. */
function describeVariant(
  request: SessionRequest,
  { requiredCall: calls, allowsOneCall: single }: CheckedRequest,
): string {
  return `${digestJsonFormat(request)} ${JSON.stringify([calls ?? null, single])}`;
}

function digestJsonFormat({ json }: SessionRequest): string {
  return json === undefined ? "-" : digestJson(json);
}

/** The new messages, with the wish for JSON where the row has not heard it yet. */
function listNewMessages(
  request: SessionRequest,
  inputs: readonly DigestedMessage[],
  parent: AnswerNode | undefined,
): readonly SessionMessage[] {
  const messages = inputs.map(({ message }) => message);
  const known = pathFromRoot(parent).some(({ variant: wish }) =>
    wish.startsWith(`${digestJsonFormat(request)} `),
  );
  return request.json && !known ? appendJsonInstruction(messages, request.json) : messages;
}

function firstFreeNumber(taken: readonly number[]): number {
  let number = 0;
  while (taken.includes(number)) number++;
  return number;
}

/** A row goes on under the key of its last answer, unless another one does already. */
function chooseCacheKey(
  parent: AnswerNode | undefined,
  siblings: readonly AnswerNode[],
  prefixes: KeptPrefixes,
): string {
  const free = siblings.every(({ cacheKey }) => cacheKey !== parent?.cacheKey);
  return parent && free ? parent.cacheKey : prefixes.createKey();
}
