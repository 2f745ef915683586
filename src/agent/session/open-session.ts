/**
 * The core behind every door: a session, which answers the requests of an agent that is not ours and keeps what was
 * sampled.
 *
 * A request is a whole conversation. What of it the session has answered before is found in its tree and stays the ids that
 * it was; only what is new is rendered, behind them. So what a learner gets is what the policy saw and wrote, whatever
 * a client did to the text in between. The rules:
 *
 *   edits       an answer that comes back changed is context as the client wrote it; what was sampled stays a leaf, trained
 *               in its own row
 *   compaction  a history that is not the one before, and sub-agents, begin a tree of their own
 *   retries     the same `retryKey` gets the same answer, once sampled
 *   overlap     calls may overlap; each is a node of its own with a random stream of its own, also those that ask the same
 *   ill-formed  a tool call that cannot be read is answered as the text that it is, and counted
 *
 * A session that trains decides the temperature; what the agent wished is recorded. Nothing in it is random or depends on
 * time: the same requests, in whatever order they overlap, get the same tokens and the same ids.
 */
import { combineSignals } from "../../core/index.ts";
import type {
  AgentSession,
  AnswerOptions,
  SessionAnswer,
  SessionCounters,
  SessionRequest,
  TokenPolicy,
} from "../../spec/index.ts";
import type { ConversationRenderer } from "../tools/index.ts";
import {
  type AnswerPlan,
  callOpeningIds,
  deriveStream,
  hasSameInputs,
  planAnswer,
  renderNewMessages,
} from "./answer-plan.ts";
import { type CheckedRequest, checkRequest } from "./check-request.ts";
import { KeptPrefixes } from "./kept-prefixes.ts";
import { maxAnswerTokens, requireBudget, type SessionLimits, type SpentBudget } from "./limits.ts";
import { digestHead, digestJson, digestMessages } from "./message-digest.ts";
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
import { type AnswerNode, rowLengthUpTo, SessionTree } from "./session-tree.ts";

export interface SessionOptions {
  /** Unique in the run; also the sampler's cache key, and what the ids of answers are made from. */
  readonly id: string;
  readonly policy: TokenPolicy;
  readonly renderer: ConversationRenderer;
  readonly limits: SessionLimits;
  /** Unsigned 32-bit; with the weights and the requests it decides every sampled token. */
  readonly stream: number;
  /** Where `trains`, the one that is sampled with; otherwise that of requests which name none. */
  readonly temperature: number;
  /** True: temperature and seed are the method's, and what the agent wishes is only recorded. */
  readonly trains: boolean;
}

/** What an agent asked for beside an answer. */
export interface RequestedSampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
}

/** What a session has come to. */
export interface SessionRecord extends SessionRows {
  /** The version that sampled the first answer; -1 where there is none. */
  readonly policyVersion: number;
  /** Tokens that were sampled. */
  readonly steps: number;
  /** Of each answer, in the order in which they were given. */
  readonly wishes: readonly RequestedSampling[];
}

/** A session, and the end of it that its maker holds. */
export interface OpenSession extends AgentSession {
  /** The rows to learn from, as of now. */
  record(): SessionRecord;
  /** Ends the calls in flight, which reject as `closed`, and gives kept prefixes back. More than once does nothing. */
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

class Session implements OpenSession {
  readonly id: string;
  readonly #options: SessionOptions;
  readonly #tree = new SessionTree();
  readonly #retries = new RepeatedRequests();
  readonly #prefixes: KeptPrefixes;
  readonly #closing = new AbortController();
  readonly #wishes: RequestedSampling[] = [];
  #counters: SessionCounters = {
    answers: 0,
    retries: 0,
    roots: 0,
    branches: 0,
    edits: 0,
    illFormed: 0,
  };
  #inFlight = 0;
  #steps = 0;

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
    const wish = checkRequest(request);
    if (request.retryKey === undefined) return this.#answer(request, wish, options);
    const key = digestJson([
      request.retryKey,
      request.messages,
      wish.tools,
      wish.requiredCall ?? null,
    ]);
    if (this.#retries.hasCall(key)) this.#count({ retries: 1 });
    const work = (shared: AnswerOptions) => this.#answer(request, wish, shared);
    return this.#retries.answerOnce(key, work, options, createCancelledAnswer(`${key}-gone`));
  }

  countTokens({ messages, tools = [] }: Pick<SessionRequest, "messages" | "tools">): number {
    const said = digestMessages(messages);
    const match = this.#tree.findLongestMatch(digestHead(tools, undefined), said);
    const tail = said.slice(match.used).map(({ message }) => message);
    const { renderer } = this.#options;
    return rowLengthUpTo(match.node) + renderNewMessages(renderer, match.node, tail, tools).length;
  }

  record(): SessionRecord {
    const rows = createSessionRows(this.#tree.roots, this.#options.renderer.text);
    const first = this.#tree.roots.find(({ answered }) => answered)?.answered;
    const policyVersion = first?.answer.policyVersion ?? -1;
    return { ...rows, policyVersion, steps: this.#steps, wishes: [...this.#wishes] };
  }

  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#prefixes.releaseAll();
  }

  async #answer(
    request: SessionRequest,
    wish: CheckedRequest,
    { signal, onText }: AnswerOptions,
  ): Promise<SessionAnswer> {
    const { renderer, limits } = this.#options;
    requireBudget(this.id, limits, this.#spent);
    const surroundings = { tree: this.#tree, renderer, prefixes: this.#prefixes };
    const plan = planAnswer(request, wish, surroundings);
    const { node } = plan;
    const maxTokens = maxAnswerTokens(node.start, request.maxTokens, limits, this.#spent);
    this.#tree.addNode(node);
    this.#prefixes.markBusy(node.cacheKey);
    this.#inFlight += 1;
    try {
      const until = combineSignals(signal, this.#closing.signal);
      const told = { text: "" };
      const sampled = await this.#sample(request, plan, {
        maxTokens,
        ...(until && { signal: until }),
        ...(onText && { onGrowingText: createTextStreamer(onText, told) }),
      });
      this.#requireOpen();
      if (sampled.stop === "cancelled") return createCancelledAnswer(answerId(this.id, node));
      const answer = this.#keep(request, plan, sampled);
      const text = joinAnswerText(answer);
      if (onText && text.length > told.text.length) onText(text.slice(told.text.length));
      return answer;
    } finally {
      this.#inFlight -= 1;
      if (!node.answered) this.#tree.removeNode(node);
      if (!this.#closing.signal.aborted) this.#prefixes.markIdle(node.cacheKey);
    }
  }

  #sample(
    request: SessionRequest,
    plan: AnswerPlan,
    { maxTokens, signal, onGrowingText: tell }: SampleOptions,
  ): Promise<SampledAnswer> {
    const { node, wish, prompt } = plan;
    const { renderer, policy, trains, stream, temperature } = this.#options;
    const opening = callOpeningIds(node);
    const tools = wish.tools.length > 0;
    const onIds = (ids: readonly number[]) => {
      const read = renderer.read([...opening, ...ids], { tools, partial: true });
      tell?.(withoutPartialStopText(joinAnswerText(read), wish.stop));
    };
    return sampleAnswer({
      policy,
      request: {
        tokens: prompt,
        stream: deriveStream(plan, stream, trains ? undefined : request.seed),
        maxTokens,
        temperature: trains ? temperature : (request.temperature ?? temperature),
        stopIds: wish.allowsOneCall
          ? [...renderer.stopIds, ...renderer.callEndIds]
          : renderer.stopIds,
        cacheKey: node.cacheKey,
      },
      text: renderer.text,
      stopTexts: wish.stop,
      ...(tell && { onIds }),
      ...(signal && { signal }),
    });
  }

  #keep(request: SessionRequest, plan: AnswerPlan, sampled: SampledAnswer): SessionAnswer {
    const { node, wish, match } = plan;
    const { renderer } = this.#options;
    const id = answerId(this.id, node);
    const opening = callOpeningIds(node);
    const tools = wish.tools.length > 0;
    const heard = parseAnswer(renderer, sampled, { id, opening, tools });
    const edits = this.#tree.countEdits(match, node.head, plan.said);
    const others = this.#tree.siblingsUnder(node.parent).filter(({ answered }) => answered);
    const alike = others.filter((other) => hasSameInputs(other, node));
    const answer = createSessionAnswer(id, heard, sampled, plan);
    this.#tree.storeAnswer(node, toStoredAnswer(answer, heard));
    this.#steps += sampled.tokens.length;
    this.#wishes.push(requestedSampling(request));
    const begins = node.parent === undefined && alike.length === 0;
    const branches = node.parent ? others.length > 0 : alike.length > 0;
    this.#count({
      answers: 1,
      roots: begins ? 1 : 0,
      branches: branches ? 1 : 0,
      edits,
      illFormed: heard.illFormed,
    });
    return answer;
  }

  get #spent(): SpentBudget {
    return { answers: this.#counters.answers + this.#inFlight, sampledTokens: this.#steps };
  }

  #count(more: Partial<SessionCounters>): void {
    const names = Object.keys(this.#counters) as (keyof SessionCounters)[];
    this.#counters = Object.fromEntries(
      names.map((name) => [name, this.#counters[name] + (more[name] ?? 0)]),
    ) as unknown as SessionCounters;
  }

  #requireOpen(): void {
    if (!this.#closing.signal.aborted) return;
    throw new SessionError("closed", `session ${this.id}: the episode is over`);
  }
}

/** 80 bits: no two answers of a run share an id. */
function answerId(session: string, node: AnswerNode): string {
  return digestJson([session, node.name]).slice(0, 20);
}

function requestedSampling({ temperature, topP, seed }: SessionRequest): RequestedSampling {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
  };
}

/** Tells what a growing text has more than before. */
function createTextStreamer(onText: (text: string) => void, told: { text: string }) {
  return (text: string) => {
    if (text.length <= told.text.length) return;
    onText(text.slice(told.text.length));
    told.text = text;
  };
}
