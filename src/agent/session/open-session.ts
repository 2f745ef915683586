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
import { anySignal, hash32 } from "../../core/index.ts";
import type {
  AgentSession,
  AnswerOptions,
  Policy,
  RolloutLimits,
  SessionAnswer,
  SessionCounters,
  SessionRequest,
} from "../../spec/index.ts";
import type { ConversationRenderer } from "../tools/index.ts";
import { cancelledAnswer, type HeardAnswer, heardAnswer, textOfRead } from "./answer.ts";
import { callIdsOf, digestOf, headOf, type Said, saidOf } from "./canonical.ts";
import { KeptPrefixes } from "./prefixes.ts";
import { Retries } from "./retries.ts";
import { rowsOf, type SessionRows } from "./rows.ts";
import { type SampledAnswer, sampleAnswer, withoutStopStart } from "./sampling.ts";
import { SessionError } from "./session-error.ts";
import { lengthTo, type Match, type Node, pathTo, rowTo, SessionTree } from "./tree.ts";
import { type Wish, wishOf, withJson } from "./wish.ts";

/** `maxTurns`: answers. `maxTurnTokens`: of one answer. `maxTokens`: of a row, prompt and answers. */
export interface SessionLimits extends RolloutLimits {
  /** Sampled tokens of the whole episode; calls that overlap may go over it together. Default: no limit. */
  readonly maxSampledTokens?: number;
}

export interface SessionOptions {
  /** Unique in the run; also the sampler's cache key, and what the ids of answers are made from. */
  readonly id: string;
  readonly policy: Extract<Policy, { kind: "tokens" }>;
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
export interface SessionWish {
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
  readonly wishes: readonly SessionWish[];
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

/** A request that is going to be answered. */
interface Plan {
  readonly node: Node;
  readonly wish: Wish;
  readonly match: Match;
  readonly said: readonly Said[];
  readonly prompt: readonly number[];
  readonly cachedTokens: number;
}

class Session implements OpenSession {
  readonly id: string;
  readonly #options: SessionOptions;
  readonly #tree = new SessionTree();
  readonly #retries = new Retries();
  readonly #prefixes: KeptPrefixes;
  readonly #closing = new AbortController();
  readonly #wishes: SessionWish[] = [];
  #counters: SessionCounters = {
    answers: 0,
    retries: 0,
    roots: 0,
    branches: 0,
    edits: 0,
    illFormed: 0,
  };
  #begun = 0;
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
    const wish = wishOf(request);
    if (request.retryKey === undefined) return this.#answer(request, wish, options);
    const key = digestOf([request.retryKey, request.messages, wish.tools, wish.calls ?? null]);
    if (this.#retries.has(key)) this.#count({ retries: 1 });
    const work = (shared: AnswerOptions) => this.#answer(request, wish, shared);
    return this.#retries.once(key, work, options, cancelledAnswer(`${key}-gone`));
  }

  countTokens({ messages, tools = [] }: Pick<SessionRequest, "messages" | "tools">): number {
    const said = saidOf(messages);
    const match = this.#tree.match(headOf(tools, undefined), said);
    const tail = said.slice(match.used).map(({ message }) => message);
    return lengthTo(match.node) + this.#rendered(match.node, tail, tools).length;
  }

  record(): SessionRecord {
    const rows = rowsOf(this.#tree.roots, this.#options.renderer.text);
    const first = this.#tree.roots.find(({ answered }) => answered)?.answered;
    const policyVersion = first?.answer.policyVersion ?? -1;
    return { ...rows, policyVersion, steps: this.#steps, wishes: [...this.#wishes] };
  }

  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#prefixes.close();
  }

  async #answer(
    request: SessionRequest,
    wish: Wish,
    { signal, onText }: AnswerOptions,
  ): Promise<SessionAnswer> {
    const plan = this.#plan(request, wish);
    const { node } = plan;
    this.#tree.claim(node);
    this.#prefixes.begin(node.cacheKey);
    this.#inFlight += 1;
    try {
      const until = anySignal(signal, this.#closing.signal);
      const told = { text: "" };
      const sampled = await this.#sample(request, plan, until, onText && teller(onText, told));
      if (sampled.stop === "cancelled") {
        this.#requireOpen();
        return cancelledAnswer(idOf(this.id, node));
      }
      const answer = this.#keep(request, plan, sampled);
      const text = textOfParts(answer);
      if (onText && text.length > told.text.length) onText(text.slice(told.text.length));
      return answer;
    } finally {
      this.#inFlight -= 1;
      if (!node.answered) this.#tree.drop(node);
      if (!this.#closing.signal.aborted) this.#prefixes.end(node.cacheKey);
    }
  }

  /** Where in the tree the request stands, and its prompt. Throws a `SessionError` where there is no room for an answer. */
  #plan(request: SessionRequest, wish: Wish): Plan {
    this.#requireTurn();
    const { renderer } = this.#options;
    const said = saidOf(wish.messages);
    const head = headOf(wish.tools, request.role);
    const match = this.#tree.match(head, said);
    const inputs = said.slice(match.used);
    const json = request.json && digestOf(request.json);
    const known = pathTo(match.node).some(({ wish: asked }) => json && asked.startsWith(json));
    const messages = inputs.map(({ message }) => message);
    const told = request.json && !known ? withJson(messages, request.json) : messages;
    const opening = wish.calls ? renderer.opening(wish.calls.name) : [];
    const before = [...this.#rendered(match.node, told, wish.tools), ...opening];
    const start = lengthTo(match.node) + before.length;
    this.#requireRoom(start);
    const asked = `${json ?? ""} ${JSON.stringify([wish.calls ?? null, wish.single])}`;
    const node = this.#node(match.node, { head, role: request.role, inputs, before, start, asked });
    const prompt = [...rowTo(match.node), ...before];
    const twin = this.#tree
      .siblings(match.node)
      .some((other) => other.answered && same(other, node));
    const cachedTokens = twin ? start : lengthTo(match.node);
    return {
      node: { ...node, opened: opening.length },
      wish,
      match,
      said,
      prompt,
      cachedTokens,
    };
  }

  #node(
    parent: Node | undefined,
    {
      head,
      role,
      inputs,
      before,
      start,
      asked,
    }: Pick<Node, "head" | "role" | "inputs" | "before" | "start"> & { readonly asked: string },
  ): Node {
    const siblings = this.#tree.siblings(parent);
    const draft = { head, inputs, wish: asked };
    const taken = siblings.filter((other) => same(other, draft)).map(({ turn }) => turn);
    let turn = 0;
    while (taken.includes(turn)) turn++;
    const place = [parent?.name ?? "", head, inputs.map(({ digest }) => digest), asked, turn];
    // A row goes on under the key of its last answer, unless another one does already.
    const heir =
      parent !== undefined && siblings.every(({ cacheKey }) => cacheKey !== parent.cacheKey);
    return {
      parent,
      head,
      role,
      inputs,
      before,
      opened: 0,
      start,
      wish: asked,
      turn,
      name: digestOf(place),
      cacheKey: heir ? parent.cacheKey : this.#prefixes.fresh(),
      order: this.#begun++,
      children: [],
      answered: undefined,
    };
  }

  #rendered(
    node: Node | undefined,
    messages: SessionRequest["messages"],
    tools: NonNullable<SessionRequest["tools"]>,
  ): readonly number[] {
    const { renderer } = this.#options;
    if (node === undefined) return renderer.start(messages, tools);
    const end = node.answered!.open ? renderer.forcedEnd : [];
    return [...end, ...renderer.next(messages, tools)];
  }

  #sample(
    request: SessionRequest,
    { node, wish, prompt }: Plan,
    signal: AbortSignal | undefined,
    tell: ((text: string) => void) | undefined,
  ): Promise<SampledAnswer> {
    const { renderer, policy } = this.#options;
    const opening = node.before.slice(node.before.length - node.opened);
    const tools = wish.tools.length > 0;
    const onIds = (ids: readonly number[]) => {
      const read = renderer.read([...opening, ...ids], { tools, partial: true });
      tell?.(withoutStopStart(textOfRead(read), wish.stop));
    };
    return sampleAnswer({
      policy,
      request: {
        tokens: [...prompt],
        stream: this.#streamOf(request, node),
        maxTokens: this.#roomFor(request, node),
        temperature: this.#temperatureOf(request),
        stopIds: wish.single ? [...renderer.stopIds, ...renderer.callEndIds] : renderer.stopIds,
        cacheKey: node.cacheKey,
      },
      text: renderer.text,
      stopTexts: wish.stop,
      ...(tell && { onIds }),
      ...(signal && { signal }),
    });
  }

  #keep(request: SessionRequest, plan: Plan, sampled: SampledAnswer): SessionAnswer {
    const { node, wish, match, prompt } = plan;
    const { renderer } = this.#options;
    const id = idOf(this.id, node);
    const opening = node.before.slice(node.before.length - node.opened);
    const tools = wish.tools.length > 0;
    const heard = heardAnswer(renderer, sampled, { id, opening, tools });
    const edits = this.#tree.edits(match, node.head, plan.said);
    const others = this.#tree.siblings(node.parent).filter(({ answered }) => answered);
    const alike = others.filter((other) => other.head === node.head && sameInputs(other, node));
    const answer = answerOf(id, heard, sampled, plan);
    this.#tree.answer(node, answeredOf(answer, heard));
    this.#steps += sampled.tokens.length;
    this.#wishes.push(recorded(request));
    const begins = node.parent === undefined && alike.length === 0;
    const branches = node.parent ? others.length > 0 : alike.length > 0;
    this.#count({
      answers: 1,
      roots: begins ? 1 : 0,
      branches: branches ? 1 : 0,
      edits,
      illFormed: heard.illFormed,
    });
    return { ...answer, tokens: { ...answer.tokens, prompt } };
  }

  #temperatureOf({ temperature }: SessionRequest): number {
    const { trains, temperature: own } = this.#options;
    return trains ? own : (temperature ?? own);
  }

  /** Two rows never draw the same number at the same position. A seed that is obeyed gives the same answer every time. */
  #streamOf({ seed }: SessionRequest, node: Node): number {
    const { trains, stream } = this.#options;
    if (trains || seed === undefined) return hash32(node.name, stream);
    return hash32(`${node.wish} ${node.inputs.map(({ digest }) => digest).join(" ")}`, seed);
  }

  #roomFor({ maxTokens = Infinity }: SessionRequest, node: Node): number {
    const { limits } = this.#options;
    const left = (limits.maxSampledTokens ?? Infinity) - this.#steps;
    return Math.min(maxTokens, limits.maxTurnTokens, limits.maxTokens - node.start, left);
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

  #requireTurn(): void {
    const { maxTurns, maxSampledTokens = Infinity } = this.#options.limits;
    if (this.#counters.answers + this.#inFlight >= maxTurns) {
      throw new SessionError(
        "ceiling",
        `session ${this.id}: the episode has had its ${maxTurns} answers`,
      );
    }
    if (this.#steps < maxSampledTokens) return;
    throw new SessionError(
      "ceiling",
      `session ${this.id}: the episode has spent its ${maxSampledTokens} tokens`,
    );
  }

  #requireRoom(start: number): void {
    const { maxTokens } = this.#options.limits;
    if (start < maxTokens) return;
    throw new SessionError(
      "context",
      `messages: the prompt is ${start} tokens, and the context of ${maxTokens} leaves no room for an answer`,
    );
  }
}

/** 80 bits: no two answers of a run share an id. */
function idOf(session: string, node: Node): string {
  return digestOf([session, node.name]).slice(0, 20);
}

function same(
  node: Pick<Node, "head" | "inputs" | "wish">,
  other: Pick<Node, "head" | "inputs" | "wish">,
): boolean {
  return node.head === other.head && node.wish === other.wish && sameInputs(node, other);
}

function sameInputs({ inputs }: Pick<Node, "inputs">, other: Pick<Node, "inputs">): boolean {
  const digests = inputs.map(({ digest }) => digest).join();
  return digests === other.inputs.map(({ digest }) => digest).join();
}

function answerOf(
  id: string,
  { parts, end, illFormed, reasoningTokens }: HeardAnswer,
  { tokens, logprobs, policyVersion }: SampledAnswer,
  { prompt, cachedTokens }: Plan,
): SessionAnswer {
  return {
    id,
    parts,
    end,
    illFormed,
    usage: {
      promptTokens: prompt.length,
      cachedTokens,
      completionTokens: tokens.length,
      reasoningTokens,
    },
    tokens: { prompt, ids: tokens, logprobs },
    policyVersion,
  };
}

function answeredOf(
  { id, parts, policyVersion, tokens }: SessionAnswer,
  { open }: HeardAnswer,
): NonNullable<Node["answered"]> {
  const message = { role: "assistant" as const, parts };
  return {
    answer: { id, parts, policyVersion },
    ids: tokens.ids,
    logprobs: tokens.logprobs,
    open,
    digest: saidOf([message])[0]!.digest,
    callIds: callIdsOf(message),
  };
}

function recorded({ temperature, topP, seed }: SessionRequest): SessionWish {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
  };
}

/** Tells what a growing text has more than before. */
function teller(onText: (text: string) => void, told: { text: string }) {
  return (text: string) => {
    if (text.length <= told.text.length) return;
    onText(text.slice(told.text.length));
    told.text = text;
  };
}

function textOfParts({ parts }: SessionAnswer): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}
