/**
 * Opens sessions. A session answers the requests of a user's own agent and keeps what was sampled. Both the language
 * model object and the HTTP gateway use it.
 *
 * A request contains a whole conversation. The part that the session answered before is found in its tree and keeps the
 * ids that were sampled. Only the new part is rendered, after it. So a learner gets what the policy saw and wrote,
 * whatever a client did to the text in between. These are the rules:
 *
 *   edits       an answer that comes back changed is context as the client wrote it; the sampled one stays a leaf, which
 *               is trained in its own row
 *   compaction  a history that differs from the earlier one, or a sub-agent, begins a tree of its own
 *   retries     requests with the same `retryKey` get the same answer, which is sampled once
 *   overlap     calls may overlap; each is a node with its own random stream, even if two ask the same
 *   ill-formed  a tool call that cannot be parsed is answered as text and counted
 *
 * A session that trains decides how to sample, and what the agent requested is recorded. Nothing in a session is
 * random or depends on time. The same requests get the same tokens and ids, in whatever order they overlap.
 */
import { combineSignals } from "../../core/index.ts";
import type {
  AgentSession,
  AnswerOptions,
  PromptRequest,
  SessionAnswer,
  SessionCounters,
  SessionMessage,
  SessionRequest,
  TokenPolicy,
} from "../../spec/index.ts";
import type { ConversationRenderer, EncodedTexts } from "../tools/index.ts";
import {
  type AnswerPlan,
  callOpeningIds,
  deriveStream,
  encodeNewMessagesAhead,
  hasSameInputs,
  locateRequest,
  type PlanContext,
  planAnswer,
  renderNewMessages,
} from "./answer-plan.ts";
import { type CheckedRequest, checkRequest } from "./check-request.ts";
import { KeptPrefixes } from "./kept-prefixes.ts";
import { maxAnswerTokens, requireBudget, type SessionLimits, type SpentBudget } from "./limits.ts";
import { digestHead, digestJson, digestMessages } from "./message-digest.ts";
import {
  listIgnoredSettings,
  obeyedVariables,
  type RequestedSampling,
  requestedSampling,
  samplingFilter,
} from "./request-settings.ts";
import { RepeatedRequests } from "./retries.ts";
import { type SampledAnswer, sampleAnswer, withoutPartialStopText } from "./sample-answer.ts";
import {
  createCancelledAnswer,
  createSessionAnswer,
  joinAnswerText,
  parseAnswer,
  toStoredAnswer,
} from "./session-answer.ts";
import { SessionError } from "./session-error.ts";
import { createSessionRows, type SessionRows } from "./session-rows.ts";
import { type AnswerNode, promptBefore, rowLengthUpTo, SessionTree } from "./session-tree.ts";

export interface SessionOptions {
  /**
   * An id that is unique in the run. It is also the sampler's cache key, and the ids of answers are derived from it.
   */
  readonly id: string;
  readonly policy: TokenPolicy;
  readonly renderer: ConversationRenderer;
  readonly limits: SessionLimits;
  /** An unsigned 32-bit seed. Together with the weights and the requests, it determines every sampled token. */
  readonly stream: number;
  /** The sampling temperature. When `trains` is false, it applies only to requests that set no temperature. */
  readonly temperature: number;
  /**
   * When this is true, the training method decides temperature and seed, nothing is filtered, and the agent's values
   * are only recorded.
   */
  readonly trains: boolean;
}

/** The record of a session: its rows, turns and totals. */
export interface SessionRecord extends SessionRows {
  /** The policy version that sampled the first answer, or -1 when there is no answer. */
  readonly policyVersion: number;
  /** The number of sampled tokens. */
  readonly sampledTokens: number;
  /** The sampling settings that the agent requested for each answer, in the order of the answers. */
  readonly requestedSampling: readonly RequestedSampling[];
}

/** A session together with the functions that only its owner calls. */
export interface OpenSession extends AgentSession {
  /** Returns the rows to learn from, as of now. */
  record(): SessionRecord;
  /**
   * Ends running calls, which reject with the reason `closed`, and releases kept prefixes. Further calls of it do
   * nothing.
   */
  close(): void;
}

/** Opens a session. */
export function openSession(options: SessionOptions): OpenSession {
  return new Session(options);
}

interface SampleOptions {
  readonly maxTokens: number;
  readonly signal?: AbortSignal;
  readonly onGrowingText?: (text: string) => void;
}

/** A prompt with its place in the tree. */
interface LocatedPrompt {
  readonly renderer: ConversationRenderer;
  /** The answer that the prompt continues. */
  readonly node: AnswerNode | undefined;
  /** The messages after that answer. */
  readonly messages: readonly SessionMessage[];
}

class Session implements OpenSession {
  readonly id: string;
  readonly #options: SessionOptions;
  readonly #tree = new SessionTree();
  readonly #retries = new RepeatedRequests();
  readonly #prefixes: KeptPrefixes;
  readonly #closed = new AbortController();
  readonly #requestedSampling: RequestedSampling[] = [];
  #counters: SessionCounters = {
    answers: 0,
    retries: 0,
    roots: 0,
    branches: 0,
    edits: 0,
    illFormed: 0,
  };
  #answersInFlight = 0;
  /** Settles when the texts of all requests that are waiting were encoded. */
  #lastEncoding: Promise<unknown> | undefined;
  #sampledTokens = 0;

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.#options = options;
    this.#prefixes = new KeptPrefixes(options.id, (key) => options.policy.release(key));
  }

  get counters(): SessionCounters {
    return this.#counters;
  }

  async respond(request: SessionRequest, options: AnswerOptions = {}): Promise<SessionAnswer> {
    this.#requireOpen();
    const checked = checkRequest(request);
    if (request.retryKey === undefined) return this.#answerRequest(request, checked, options);
    const key = digestJson([
      request.retryKey,
      request.messages,
      checked.tools,
      checked.requiredCall ?? null,
      request.templateVariables ?? null,
    ]);
    if (this.#retries.hasCall(key)) this.#addToCounters({ retries: 1 });
    const answerShared = (shared: AnswerOptions) => this.#answerRequest(request, checked, shared);
    return this.#retries.answerOnce(
      key,
      answerShared,
      options,
      createCancelledAnswer(`${key}-gone`),
    );
  }

  countTokens(request: PromptRequest): number {
    return this.#countTokens(request, this.#locatePrompt(request));
  }

  async countTokensInBackground(request: PromptRequest): Promise<number> {
    const { renderer, node, messages } = this.#locatePrompt(request);
    const encoded = await encodeNewMessagesAhead(renderer, node, messages, request.tools ?? []);
    return this.#countTokens(request, this.#locatePrompt(request), encoded);
  }

  listIgnoredSettings(request: SessionRequest): readonly string[] {
    return listIgnoredSettings(request, this.#options);
  }

  record(): SessionRecord {
    const rows = createSessionRows(this.#tree.roots, this.#options.renderer.text);
    const first = this.#tree.roots.find(({ answered }) => answered)?.answered;
    const policyVersion = first?.answer.policyVersion ?? -1;
    return {
      ...rows,
      policyVersion,
      sampledTokens: this.#sampledTokens,
      requestedSampling: [...this.#requestedSampling],
    };
  }

  close(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.#prefixes.releaseAll();
  }

  /** Finds the place of a prompt in the tree, and its new messages. */
  #locatePrompt({ messages, tools = [], templateVariables = {} }: PromptRequest): LocatedPrompt {
    const digested = digestMessages(messages);
    const { renderer, variables } = this.#chooseRenderer({ templateVariables });
    const match = this.#tree.findLongestMatch(digestHead(tools, undefined, variables), digested);
    const newMessages = this.#tree
      .restoreArguments(digested.slice(match.usedMessages))
      .map(({ message }) => message);
    return { renderer, node: match.node, messages: newMessages };
  }

  #countTokens(
    { tools = [] }: PromptRequest,
    { renderer, node, messages }: LocatedPrompt,
    encoded?: EncodedTexts,
  ): number {
    return rowLengthUpTo(node) + renderNewMessages(renderer, node, messages, tools, encoded).length;
  }

  /**
   * Plans the answer to a request. The long texts of a request are encoded in another thread first, and the requests
   * after it wait, so that requests are planned in the order in which they came. Otherwise the plan is made at once.
   */
  #planAnswer(request: SessionRequest, checked: CheckedRequest): AnswerPlan | Promise<AnswerPlan> {
    requireBudget(this.id, this.#options.limits, this.#spent);
    const context: PlanContext = {
      ...this.#chooseRenderer(request),
      tree: this.#tree,
      prefixes: this.#prefixes,
    };
    const located = locateRequest(request, checked, context);
    const encoding = encodeNewMessagesAhead(
      context.renderer,
      located.match.node,
      located.messages,
      checked.tools,
    );
    if (encoding === undefined && this.#lastEncoding === undefined) {
      return planAnswer(request, checked, located, context);
    }
    return this.#waitForTurn(encoding).then((encoded) => {
      // Other requests may have been answered meanwhile.
      this.#requireOpen();
      requireBudget(this.id, this.#options.limits, this.#spent);
      const now = locateRequest(request, checked, context);
      return planAnswer(request, checked, now, context, encoded);
    });
  }

  /** Waits for the texts of a request, and for those of all requests that came before it. */
  async #waitForTurn(
    encoding: Promise<EncodedTexts> | undefined,
  ): Promise<EncodedTexts | undefined> {
    const turn = Promise.all([encoding, this.#lastEncoding]);
    this.#lastEncoding = turn;
    const [encoded] = await turn;
    if (this.#lastEncoding === turn) this.#lastEncoding = undefined;
    return encoded;
  }

  async #answerRequest(
    request: SessionRequest,
    checked: CheckedRequest,
    { signal, onText, onStart }: AnswerOptions,
  ): Promise<SessionAnswer> {
    const { limits } = this.#options;
    const planned = this.#planAnswer(request, checked);
    const plan = planned instanceof Promise ? await planned : planned;
    const { node } = plan;
    const maxTokens = maxAnswerTokens(node.promptLength, request.maxTokens, limits, this.#spent);
    this.#tree.addNode(node);
    this.#prefixes.markBusy(node.cacheKey);
    this.#answersInFlight += 1;
    try {
      onStart?.({ promptTokens: node.promptLength, cachedTokens: plan.cachedTokens });
      const callSignal = combineSignals(signal, this.#closed.signal);
      const streamed = { text: "" };
      const sampled = await this.#sampleAnswer(request, plan, {
        maxTokens,
        ...(callSignal && { signal: callSignal }),
        ...(onText && { onGrowingText: createTextStreamer(onText, streamed) }),
      });
      this.#requireOpen();
      if (sampled.stop === "cancelled") return createCancelledAnswer(answerId(this.id, node));
      const answer = this.#storeAnswer(request, plan, sampled);
      const text = joinAnswerText(answer);
      if (onText && text.length > streamed.text.length) onText(text.slice(streamed.text.length));
      return answer;
    } finally {
      this.#answersInFlight -= 1;
      if (!node.answered) this.#tree.removeNode(node);
      if (!this.#closed.signal.aborted) this.#prefixes.markIdle(node.cacheKey);
    }
  }

  #sampleAnswer(
    request: SessionRequest,
    plan: AnswerPlan,
    { maxTokens, signal, onGrowingText }: SampleOptions,
  ): Promise<SampledAnswer> {
    const { node, checked, renderer } = plan;
    const { policy, trains, stream, temperature } = this.#options;
    const filter = samplingFilter(request, this.#options);
    const opening = callOpeningIds(node);
    const tools = checked.tools.length > 0;
    const onIds = (ids: readonly number[]) => {
      const read = renderer.read([...opening, ...ids], { tools, partial: true });
      onGrowingText?.(withoutPartialStopText(joinAnswerText(read), checked.stop));
    };
    return sampleAnswer({
      policy,
      request: {
        tokens: promptBefore(node),
        stream: deriveStream(plan, stream, trains ? undefined : request.seed),
        maxTokens,
        temperature: trains ? temperature : (request.temperature ?? temperature),
        stopIds: checked.allowsOneCall
          ? [...renderer.stopIds, ...renderer.callEndIds]
          : renderer.stopIds,
        ...(filter && { filter }),
        cacheKey: node.cacheKey,
      },
      searchedTexts: createStopSearch(renderer, opening, tools),
      stopTexts: checked.stop,
      continuesAfter: (ids) =>
        renderer.callEndIds.includes(ids.at(-1)!) && renderer.endsInCall([...opening, ...ids]),
      ...(onGrowingText && { onIds }),
      ...(signal && { signal }),
    });
  }

  #storeAnswer(request: SessionRequest, plan: AnswerPlan, sampled: SampledAnswer): SessionAnswer {
    const { node, checked, match, renderer } = plan;
    const id = answerId(this.id, node);
    const opening = callOpeningIds(node);
    const tools = checked.tools.length > 0;
    const parsed = parseAnswer(renderer, sampled, { id, opening, tools });
    const edits = this.#tree.countEdits(match, node.headDigest, plan.requestMessages);
    const others = this.#tree.siblingsUnder(node.parent).filter(({ answered }) => answered);
    const sameInputs = others.filter((other) => hasSameInputs(other, node));
    const answer = createSessionAnswer(id, parsed, sampled, plan);
    this.#tree.storeAnswer(node, toStoredAnswer(answer, parsed));
    this.#sampledTokens += sampled.tokens.length;
    this.#requestedSampling.push(requestedSampling(request));
    const beginsTree = node.parent === undefined && sameInputs.length === 0;
    const isBranch = node.parent ? others.length > 0 : sameInputs.length > 0;
    this.#addToCounters({
      answers: 1,
      roots: beginsTree ? 1 : 0,
      branches: isBranch ? 1 : 0,
      edits,
      illFormed: parsed.illFormed,
    });
    return answer;
  }

  /** Returns the renderer for a request's template variables, and those that the template reads. */
  #chooseRenderer(request: Pick<SessionRequest, "templateVariables">) {
    const { renderer } = this.#options;
    const variables = obeyedVariables(request, renderer);
    return { renderer: variables ? renderer.withVariables(variables) : renderer, variables };
  }

  get #spent(): SpentBudget {
    return {
      answers: this.#counters.answers + this.#answersInFlight,
      sampledTokens: this.#sampledTokens,
    };
  }

  #addToCounters(more: Partial<SessionCounters>): void {
    const names = Object.keys(this.#counters) as (keyof SessionCounters)[];
    this.#counters = Object.fromEntries(
      names.map((name) => [name, this.#counters[name] + (more[name] ?? 0)]),
    ) as unknown as SessionCounters;
  }

  #requireOpen(): void {
    if (!this.#closed.signal.aborted) return;
    throw new SessionError("closed", `session ${this.id}: the episode has ended`);
  }
}

/** Returns the id of an answer. It has 80 bits, so that no two answers of a run share an id. */
function answerId(session: string, node: AnswerNode): string {
  return digestJson([session, node.pathDigest]).slice(0, 20);
}

/**
 * Returns a function that gives the texts of sampled ids which a stop text may end: all but calls and their opening.
 */
function createStopSearch(
  renderer: ConversationRenderer,
  opening: readonly number[],
  tools: boolean,
) {
  const opened = renderer.textsOutsideCalls(opening, tools)[0]!.length;
  return (ids: readonly number[]) => {
    const [first, ...rest] = renderer.textsOutsideCalls([...opening, ...ids], tools);
    return [first!.slice(opened), ...rest];
  };
}

/** Returns a function that takes a growing text and passes on only what is new in it. */
function createTextStreamer(onText: (text: string) => void, streamed: { text: string }) {
  return (text: string) => {
    if (text.length <= streamed.text.length) return;
    onText(text.slice(streamed.text.length));
    streamed.text = text;
  };
}
