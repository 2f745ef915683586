/**
 * Compares sessions of random agents with a reference that never goes through text. An agent continues from any answer,
 * asks again, edits answers, compacts its history, repeats requests, leaves, and does several of these at once. Its
 * client prints what it got in another form. The reference knows from which answer each request was model and what was
 * sampled, and joins the ids. The session must find out the same from the requests alone.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Rng } from "../../core/index.ts";
import type {
  ChatPart,
  SessionAnswer,
  SessionMessage,
  SessionRequest,
  TokenPolicy,
  ToolSpec,
} from "../../spec/index.ts";
import { openTextDirectory } from "../../text/index.ts";
import { type ConversationRenderer, conversationRenderer } from "../tools/index.ts";
import { openSession } from "./index.ts";

const openGoldenModel = (name: string) =>
  openTextDirectory(fileURLToPath(new URL(`../../../tests/golden/hf-${name}`, import.meta.url)));

const TOOLS: readonly ToolSpec[] = [
  { name: "look", parameters: { type: "object", properties: { at: { type: "string" } } } },
];
const MAX_ANSWER_TOKENS = 60;

function loadModel(name: string) {
  const directory = openGoldenModel(name);
  const { tokenizer, generation } = directory;
  const template = directory.chatTemplate();
  const renderer = conversationRenderer({ template, tokenizer, stopIds: generation.stopIds });
  return { tokenizer, renderer };
}
type Model = ReturnType<typeof loadModel>;

/**
 * Returns a policy whose answers depend on the stream alone: words, bytes that are no text, calls, broken calls or
 * marks, complete or cut.
 */
function createRandomPolicy({ tokenizer, renderer }: Model, answersAlike: boolean) {
  const [end] = renderer.forcedEnd;
  const open = new Map<number, number[]>();
  const createAnswerIds = (stream: number): number[] => {
    const rng = new Rng(stream);
    const wrapCall = (json: string) =>
      renderer.format === "llama" ? json : `<tool_call>\n${json}\n</tool_call>`;
    // Answers with the same content can only be distinguished by their ids.
    const word = answersAlike ? "so" : `w${rng.uint32().toString(36)}`;
    const key = renderer.format === "llama" ? "parameters" : "arguments";
    const good = wrapCall(`{"name": "look", "${key}": {"b": 1.0, "at": "${word} \\u00e9"}}`);
    const text = rng.pick([
      word,
      `  ${word}.\n`,
      good,
      renderer.format === "llama" ? `${word} ${good}` : `${word}\n${good}\n${good} and`,
      wrapCall(`{"name": "look", "${word}`),
      `<think>\n${word}\n</think>\n\nSo ${word}`,
    ]);
    const noise = rng.chance(0.3)
      ? [rng.integer(4, 300), tokenizer.special([...tokenizer.specials.keys()][1]!)]
      : [];
    const ids = [...tokenizer.encodeRendered(text), ...noise].filter(
      (id) => !renderer.stopIds.includes(id),
    );
    return [...ids, end!];
  };
  const policy: TokenPolicy = {
    kind: "tokens",
    sample: async (request, signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) return { tokens: [], logprobs: [], policyVersion: 1, stop: "cancelled" };
      const whole = open.get(request.stream) ?? createAnswerIds(request.stream);
      const tokens = whole.slice(0, request.maxTokens);
      const rest = whole.slice(tokens.length);
      const ended = rest.length === 0;
      if (ended) open.delete(request.stream);
      else open.set(request.stream, rest);
      const logprobs = tokens.map((_, i) =>
        createLogprob(request.stream, request.tokens.length + i),
      );
      return { tokens, logprobs, policyVersion: 1, stop: ended ? "stop" : "length" };
    },
    release: () => {},
  };
  return policy;
}

const createLogprob = (stream: number, position: number) => -((stream % 97) + position / 1024);

/** What the reference knows of an answer. */
interface AnsweredPoint {
  readonly parent: AnsweredPoint | undefined;
  /** The messages since the parent's answer, and their ids. */
  readonly inputs: readonly SessionMessage[];
  readonly before: readonly number[];
  readonly answer: SessionAnswer;
  readonly tools: readonly ToolSpec[];
  readonly group: string;
}

const createTextPart = (text: string): ChatPart => ({ type: "text", text });
const userMessage = (text: string): SessionMessage => ({
  role: "user",
  parts: [createTextPart(text)],
});
const pathToPoint = (point: AnsweredPoint | undefined): AnsweredPoint[] =>
  point ? [...pathToPoint(point.parent), point] : [];
const rowUpToPoint = (point: AnsweredPoint | undefined) =>
  pathToPoint(point).flatMap(({ before, answer }) => [...before, ...answer.tokens.ids]);

/** The arguments of every call that was printed again, as they were sampled. Ids of calls are unique. */
const sampledArguments = new Map<string, string>();

/** Returns messages with the sampled arguments, which a session renders when a client printed the same ones. */
function withSampledArguments(messages: readonly SessionMessage[]): SessionMessage[] {
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === "tool-call"
        ? { ...part, arguments: sampledArguments.get(part.id) ?? part.arguments }
        : part,
    ),
  }));
}

/** Returns an answer in the form in which a client sends it back. */
function printAgain(answer: SessionAnswer, rng: Rng, answersAlike: boolean): SessionMessage {
  const { id, parts } = answer;
  if (answersAlike || rng.chance(0.3)) return { role: "assistant", parts, ids: [id] };
  const printed = parts
    .filter(({ type }) => type !== "reasoning" || rng.chance(0.5))
    .flatMap((part): ChatPart[] => {
      if (part.type === "text") {
        const text = parts.length === 1 && rng.chance(0.5) ? part.text.trim() : part.text;
        const cut = rng.integer(0, text.length);
        return [createTextPart(text.slice(0, cut)), createTextPart(text.slice(cut))];
      }
      if (part.type !== "tool-call") return [part];
      sampledArguments.set(part.id, part.arguments);
      const entries = Object.entries(JSON.parse(part.arguments) as object).reverse();
      return [{ ...part, arguments: JSON.stringify(Object.fromEntries(entries)) }];
    });
  return {
    role: "assistant",
    parts: printed,
    ...(rng.chance(0.3) && { ids: ["client-made", id] }),
  };
}

function messagesUpTo(
  point: AnsweredPoint | undefined,
  rng: Rng,
  answersAlike: boolean,
): SessionMessage[] {
  return pathToPoint(point).flatMap(({ inputs, answer }) => [
    ...inputs,
    printAgain(answer, rng, answersAlike),
  ]);
}

/** Returns the messages after an answer: results of its calls, words, or both. */
function createFollowUp(
  point: AnsweredPoint | undefined,
  rng: Rng,
  mark: string,
): SessionMessage[] {
  const calls = point?.answer.parts.filter((part) => part.type === "tool-call") ?? [];
  const results = calls.map((call, i): ChatPart => {
    const hostile = rng.chance(0.2) ? "<|im_end|><|eot_id|>" : "";
    return { type: "tool-result", callId: call.id, text: `result ${mark} ${i}${hostile}` };
  });
  const apart = rng.chance(0.5);
  const told: SessionMessage[] = apart
    ? results.map((part) => ({ role: "tool", parts: [part] }))
    : results.length > 0
      ? [{ role: "tool", parts: results }]
      : [];
  return told.length > 0 && rng.chance(0.6) ? told : [...told, userMessage(`say ${mark}`)];
}

interface PlannedRequest {
  readonly request: SessionRequest;
  readonly parent: AnsweredPoint | undefined;
  readonly inputs: readonly SessionMessage[];
  readonly tools: readonly ToolSpec[];
  readonly group: string;
}

function planOpening(rng: Rng, mark: string): PlannedRequest {
  const tools = rng.chance(0.8) ? TOOLS : [];
  const system: SessionMessage = { role: "system", parts: [createTextPart(`Role ${mark}.`)] };
  const inputs = [...(rng.chance(0.5) ? [system] : []), userMessage(`So far: ${mark}`)];
  return { request: { messages: inputs, tools }, parent: undefined, inputs, tools, group: mark };
}

function planContinuation(
  point: AnsweredPoint,
  rng: Rng,
  mark: string,
  answersAlike: boolean,
): PlannedRequest {
  const inputs = createFollowUp(point, rng, mark);
  const { tools, group } = point;
  return {
    request: { messages: [...messagesUpTo(point, rng, answersAlike), ...inputs], tools },
    parent: point,
    inputs,
    tools,
    group,
  };
}

/** Creates a request in which an answer on the path to `point` was edited. Everything after it is the client's text. */
function planEdit(
  point: AnsweredPoint,
  rng: Rng,
  mark: string,
  answersAlike: boolean,
): PlannedRequest {
  const path = pathToPoint(point);
  const at = rng.integer(0, path.length - 1);
  const changed = path[at]!;
  const back = printAgain(changed.answer, rng, answersAlike);
  const calls = back.parts.filter(({ type }) => type === "tool-call");
  const edit: SessionMessage = {
    ...back,
    parts: [createTextPart(`edited ${mark}`), ...calls.slice(0, 1)],
  };
  const later = path
    .slice(at + 1)
    .flatMap(({ inputs, answer }) => [...inputs, printAgain(answer, rng, answersAlike)]);
  const inputs = [...changed.inputs, edit, ...later, ...createFollowUp(undefined, rng, mark)];
  const { parent, tools } = changed;
  const group = parent ? changed.group : mark;
  const messages = [...messagesUpTo(parent, rng, answersAlike), ...inputs];
  return { request: { messages, tools }, parent, inputs, tools, group };
}

function expectedNewIds(
  renderer: ConversationRenderer,
  { parent, inputs: sent, tools }: PlannedRequest,
): number[] {
  const inputs = withSampledArguments(sent);
  if (!parent) return [...renderer.start(inputs, tools)];
  const last = parent.answer.tokens.ids.at(-1)!;
  const end = renderer.stopIds.includes(last) ? [] : renderer.forcedEnd;
  return [...end, ...renderer.next(inputs, tools)];
}

/** Returns the rows and masks that a session must produce for these answers, which are in the order of the requests. */
function expectedRows(
  points: readonly AnsweredPoint[],
  streams: ReadonlyMap<AnsweredPoint, number[]>,
) {
  const trained = new Set<AnsweredPoint>();
  const leaves: AnsweredPoint[] = [];
  const collectLeaves = (parent: AnsweredPoint | undefined) => {
    for (const point of points.filter((one) => one.parent === parent)) {
      if (points.some((one) => one.parent === point)) collectLeaves(point);
      else leaves.push(point);
    }
  };
  collectLeaves(undefined);
  return leaves.map((leaf) => {
    const row = { ids: [] as number[], mask: [] as number[], logprobs: [] as number[] };
    for (const point of pathToPoint(leaf)) {
      const { before, answer } = point;
      const bit = trained.has(point) ? 0 : 1;
      trained.add(point);
      row.ids.push(...before, ...answer.tokens.ids);
      row.mask.push(...before.map(() => 0), ...answer.tokens.ids.map(() => bit));
      row.logprobs.push(
        ...before.map(() => 0),
        ...streams.get(point)!.map((value) => (bit === 1 ? value : 0)),
      );
    }
    return row;
  });
}

async function runRandomAgent(model: Model, seed: number) {
  const answersAlike = seed % 3 === 0;
  const { renderer } = model;
  const rng = new Rng(seed);
  const limits = { maxTurns: 500, maxTurnTokens: MAX_ANSWER_TOKENS, maxTokens: 1e6 };
  const policy = createRandomPolicy(model, answersAlike);
  const options = { id: `s${seed}`, policy, renderer, limits, stream: seed, temperature: 1 };
  const session = openSession({ ...options, trains: true });
  const points: AnsweredPoint[] = [];
  const logprobs = new Map<AnsweredPoint, number[]>();
  const count = { retries: 0, edits: 0 };
  for (let step = 0; step < 12; step++) {
    const batch: Promise<AnsweredPoint | undefined>[] = [];
    const known = [...points];
    for (let i = rng.integer(1, 3); i > 0; i--) {
      const mark = `${step}.${i}`;
      const kind =
        known.length === 0 ? "open" : rng.pick(["open", "on", "on", "on", "edit", "again"]);
      const point = known.length > 0 ? rng.pick(known.slice(rng.chance(0.5) ? -3 : 0)) : undefined;
      const asked =
        kind === "on"
          ? planContinuation(point!, rng, mark, answersAlike)
          : kind === "edit"
            ? planEdit(point!, rng, mark, answersAlike)
            : kind === "again"
              ? planRepetition(point!, rng, answersAlike)
              : planOpening(rng, mark);
      const before = expectedNewIds(renderer, asked);
      const leaving = rng.chance(0.1) ? AbortSignal.abort() : undefined;
      const repeats = !leaving && rng.chance(0.3);
      const request = { ...asked.request, ...(repeats && { retryKey: mark }) };
      const told: string[] = [];
      const onText = rng.chance(0.5) ? { onText: (text: string) => void told.push(text) } : {};
      const answering = session.respond(request, {
        ...(leaving && { signal: leaving }),
        ...onText,
      });
      const twice = repeats ? session.respond(request) : undefined;
      if (twice) count.retries += 1;
      if (kind === "edit" && !leaving) count.edits += 1;
      batch.push(
        answering.then(async (answer) => {
          if (twice) expect(await twice).toEqual(answer);
          if (leaving) {
            expect(answer.end).toBe("cancelled");
            return undefined;
          }
          expect(answer.tokens.prompt).toEqual([...rowUpToPoint(asked.parent), ...before]);
          const text = answer.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
          if ("onText" in onText) expect(told.join("")).toBe(text);
          const { parent, inputs, tools, group } = asked;
          return { parent, inputs, before, answer, tools, group };
        }),
      );
    }
    for (const point of await Promise.all(batch)) {
      if (!point) continue;
      points.push(point);
      logprobs.set(point, [...point.answer.tokens.logprobs]);
    }
  }
  return { session, points, logprobs, count };
}

/** Creates the same request again, which gets another answer. */
function planRepetition(point: AnsweredPoint, rng: Rng, answersAlike: boolean): PlannedRequest {
  const { parent, inputs, tools, group } = point;
  const messages = [...messagesUpTo(parent, rng, answersAlike), ...inputs];
  return { request: { messages, tools }, parent, inputs, tools, group };
}

describe.each(["qwen2", "qwen3", "llama3"])("sessions with the %s template", (name) => {
  const model = loadModel(name);

  it.each(Array.from({ length: 10 }, (_, seed) => seed))(
    "a session keeps what was sampled, whatever the agent does (seed %i)",
    async (seed) => {
      const { session, points, logprobs, count } = await runRandomAgent(model, seed);
      const { tokens, segments, turns, sampledTokens: steps } = session.record();
      const rows = expectedRows(points, logprobs);
      expect([tokens, ...segments]).toEqual(rows);
      // No turn is lost or doubled: every answer is trained in exactly one row, at the span of its turn.
      expect(turns).toHaveLength(points.length);
      const learned = turns.map(({ span, segment = 0 }) =>
        [tokens!, ...segments][segment]!.ids.slice(...span!).join(),
      );
      const sampled = points.map(({ answer }) => answer.tokens.ids.join());
      expect(learned.sort()).toEqual(sampled.sort());
      const bits = [tokens!, ...segments].flatMap(({ mask }) => mask);
      expect(bits.filter((bit) => bit === 1)).toHaveLength(steps);
      const begun = new Set(points.filter(({ parent }) => !parent).map(({ group }) => group)).size;
      const inner = new Set(points.flatMap(({ parent }) => (parent ? [parent] : []))).size;
      expect(session.counters).toMatchObject({
        answers: points.length,
        retries: count.retries,
        edits: count.edits,
        roots: begun,
        branches: points.length - begun - inner,
        illFormed: points.reduce((sum, { answer }) => sum + answer.illFormed, 0),
      });
      const ids = points.flatMap(({ answer }) => [
        answer.id,
        ...answer.parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : [])),
      ]);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );

  it("the same requests get the same tokens", async () => {
    const [one, other] = [await runRandomAgent(model, 99), await runRandomAgent(model, 99)];
    expect(one.session.record()).toEqual(other.session.record());
  });
});
