/**
 * Finds the place of a request in the tree and its exact prompt: the row up to the answer that the request continues,
 * the end token that this answer may lack, and the new messages.
 */
import { hash32 } from "../../core/index.ts";
import type { SessionMessage, SessionRequest, ToolSpec } from "../../spec/index.ts";
import type { ConversationRenderer, EncodedTexts } from "../tools/index.ts";
import { appendJsonInstruction, type CheckedRequest } from "./check-request.ts";
import type { KeptPrefixes } from "./kept-prefixes.ts";
import { type DigestedMessage, digestHead, digestJson, digestMessages } from "./message-digest.ts";
import {
  type AnswerNode,
  pathFromRoot,
  rowLengthUpTo,
  type SessionTree,
  type TreeMatch,
} from "./session-tree.ts";

/** A request that will be answered, with its place in the tree. */
export interface AnswerPlan {
  readonly node: AnswerNode;
  readonly checked: CheckedRequest;
  /** The renderer with the template variables of the request. */
  readonly renderer: ConversationRenderer;
  /** The match in the tree, and all messages of the request. */
  readonly match: TreeMatch;
  readonly requestMessages: readonly DigestedMessage[];
  readonly cachedTokens: number;
}

export interface PlanContext {
  readonly tree: SessionTree;
  readonly renderer: ConversationRenderer;
  /** The template variables that the renderer has besides those of the session. */
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly prefixes: KeptPrefixes;
}

/** A request with its place in the tree: what it continues, and what is new in it. */
export interface LocatedRequest {
  readonly headDigest: string;
  readonly requestMessages: readonly DigestedMessage[];
  readonly match: TreeMatch;
  readonly inputs: readonly DigestedMessage[];
  /** The new messages as they are rendered. */
  readonly messages: readonly SessionMessage[];
}

/** Finds the place of a request in the tree and changes nothing. */
export function locateRequest(
  request: SessionRequest,
  checked: CheckedRequest,
  { tree, variables }: Pick<PlanContext, "tree" | "variables">,
): LocatedRequest {
  const requestMessages = digestMessages(checked.messages);
  const headDigest = digestHead(checked.tools, request.role, variables);
  const match = tree.findLongestMatch(headDigest, requestMessages);
  const inputs = tree.restoreArguments(requestMessages.slice(match.usedMessages));
  const messages = listNewMessages(request, inputs, match.node);
  return { headDigest, requestMessages, match, inputs, messages };
}

/**
 * Plans the answer to a request and changes nothing. `encoded` holds ids of texts that were encoded ahead. Throws a
 * `SessionError` (`invalid`) when the template refuses the conversation.
 */
export function planAnswer(
  request: SessionRequest,
  checked: CheckedRequest,
  located: LocatedRequest,
  { tree, renderer, prefixes }: PlanContext,
  encoded?: EncodedTexts,
): AnswerPlan {
  const { headDigest, requestMessages, match, inputs, messages } = located;
  const parent = match.node;
  const opening = checked.requiredCall ? renderer.opening(checked.requiredCall.name) : [];
  const rendered = renderNewMessages(renderer, parent, messages, checked.tools, encoded);
  const newIds = opening.length === 0 ? rendered : [...rendered, ...opening];
  const siblings = tree.siblingsUnder(parent);
  const question = { headDigest, inputs, variant: describeVariant(request, checked) };
  const sameRequests = siblings.filter((other) => isSameRequest(other, question));
  const turn = firstFreeNumber(sameRequests.map((other) => other.turn));
  const digests = inputs.map(({ digest }) => digest);
  const promptLength = rowLengthUpTo(parent) + newIds.length;
  const node: AnswerNode = {
    ...question,
    parent,
    role: request.role,
    newIds,
    openingLength: opening.length,
    promptLength,
    turn,
    pathDigest: digestJson([parent?.pathDigest ?? "", headDigest, digests, question.variant, turn]),
    cacheKey: chooseCacheKey(parent, siblings, prefixes),
    children: [],
    answered: undefined,
  };
  const wasAnswered = sameRequests.some(({ answered }) => answered);
  const cachedTokens = wasAnswered ? promptLength : rowLengthUpTo(parent);
  return { node, checked, renderer, match, requestMessages, cachedTokens };
}

/** Renders the messages after a node's answer. Without a node, it renders the opening of a conversation. */
export function renderNewMessages(
  renderer: ConversationRenderer,
  node: AnswerNode | undefined,
  messages: readonly SessionMessage[],
  tools: readonly ToolSpec[],
  encoded?: EncodedTexts,
): readonly number[] {
  if (node === undefined) return renderer.start(messages, tools, encoded);
  const next = renderer.next(messages, tools, encoded);
  return node.answered!.lacksEnd ? [...renderer.forcedEnd, ...next] : next;
}

/** Encodes the texts of new messages in another thread, if they are long and the renderer has a thread. */
export function encodeNewMessagesAhead(
  renderer: ConversationRenderer,
  node: AnswerNode | undefined,
  messages: readonly SessionMessage[],
  tools: readonly ToolSpec[],
): Promise<EncodedTexts> | undefined {
  return renderer.encodeAhead(node === undefined ? "start" : "next", messages, tools);
}

/**
 * Returns the random stream of an answer. Two rows never draw the same number at the same position, unless the request
 * sets a seed: then the same request gives the same answer every time.
 */
export function deriveStream(
  { node }: AnswerPlan,
  stream: number,
  seed: number | undefined,
): number {
  if (seed === undefined) return hash32(node.pathDigest, stream);
  return hash32([node.variant, ...node.inputs.map(({ digest }) => digest)].join(" "), seed);
}

/** Returns the ids of a call's beginning that were put before the sampled ids of an answer. */
export function callOpeningIds({ newIds, openingLength }: AnswerNode): readonly number[] {
  return newIds.slice(newIds.length - openingLength);
}

export function isSameRequest(
  node: Pick<AnswerNode, "headDigest" | "inputs" | "variant">,
  other: Pick<AnswerNode, "headDigest" | "inputs" | "variant">,
): boolean {
  return node.variant === other.variant && hasSameInputs(node, other);
}

/** Tells whether two nodes add the same messages for the same role and tools. */
export function hasSameInputs(
  node: Pick<AnswerNode, "headDigest" | "inputs">,
  other: Pick<AnswerNode, "headDigest" | "inputs">,
): boolean {
  const { inputs } = node;
  return (
    node.headDigest === other.headDigest &&
    inputs.length === other.inputs.length &&
    inputs.every(({ digest }, i) => other.inputs[i]!.digest === digest)
  );
}

/** Describes what changes an answer apart from the messages. It begins with the digest of the requested JSON format. */
function describeVariant(
  request: SessionRequest,
  { requiredCall, allowsOneCall }: CheckedRequest,
): string {
  return `${digestJsonFormat(request)} ${JSON.stringify([requiredCall ?? null, allowsOneCall])}`;
}

function digestJsonFormat({ json }: SessionRequest): string {
  return json === undefined ? "-" : digestJson(json);
}

/** Returns the new messages. The instruction to answer in JSON is added if the row does not contain it yet. */
function listNewMessages(
  request: SessionRequest,
  inputs: readonly DigestedMessage[],
  parent: AnswerNode | undefined,
): readonly SessionMessage[] {
  const messages = inputs.map(({ message }) => message);
  const isInstructed = pathFromRoot(parent).some(({ variant }) =>
    variant.startsWith(`${digestJsonFormat(request)} `),
  );
  return request.json && !isInstructed ? appendJsonInstruction(messages, request.json) : messages;
}

function firstFreeNumber(taken: readonly number[]): number {
  let number = 0;
  while (taken.includes(number)) number++;
  return number;
}

/** Chooses the cache key. A row keeps the key of its last answer unless another branch already uses it. */
function chooseCacheKey(
  parent: AnswerNode | undefined,
  siblings: readonly AnswerNode[],
  prefixes: KeptPrefixes,
): string {
  const isKeyFree = siblings.every(({ cacheKey }) => cacheKey !== parent?.cacheKey);
  return parent && isKeyFree ? parent.cacheKey : prefixes.createKey();
}
