/**
 * Fakes that ship with the layer: a byte tokenizer, scripted policies of both kinds, and an episode in memory.
 * They keep the contracts of `spec`, so a rollout cannot tell them from the real ones.
 */
import { BowlineError } from "../core/index.ts";
import type {
  Episode,
  Evaluation,
  Message,
  Policy,
  Renderer,
  SampleRequest,
  StepResult,
  TaskInfo,
  Tokenizer,
} from "../spec/index.ts";
import { SPECIAL_TOKENS } from "../text/index.ts";

/** UTF-8 bytes after the four special tokens: id = byte + 4, vocabulary 260. Special tokens decode to their names. */
export function byteTokenizer(): Tokenizer {
  const first = SPECIAL_TOKENS.length;
  return {
    vocabularySize: first + 256,
    encode: (text) => Array.from(new TextEncoder().encode(text), (byte) => byte + first),
    decode: (ids) => {
      const bytes = ids.flatMap((id) =>
        id >= first ? [id - first] : [...new TextEncoder().encode(SPECIAL_TOKENS[id])],
      );
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
    },
    special: (name) => {
      const id = (SPECIAL_TOKENS as readonly string[]).indexOf(name);
      if (id >= 0) return id;
      const expected = SPECIAL_TOKENS.join(" ");
      throw new BowlineError("config", `no special token ${name}; expected one of ${expected}`);
    },
  };
}

/** Says the given messages in order, then empty ones. A function is called with what was said so far. */
export function scriptedPolicy(
  script: readonly string[] | ((messages: readonly Message[]) => string | Promise<string>),
): Policy {
  return {
    kind: "messages",
    complete: async (messages) => {
      if (typeof script === "function") return script(messages);
      const turn = messages.filter(({ role }) => role === "assistant").length;
      return script[turn] ?? "";
    },
  };
}

export interface ScriptedTokenPolicy {
  readonly policy: Policy;
  /** What it was asked, in order. */
  readonly requests: readonly SampleRequest[];
  readonly released: readonly string[];
}

/**
 * Samples the tokens of the given turns in order for every cache key, then empty turns. A turn longer than asked for
 * is cut with stop "length". The log-prob of the token at position p is `scriptedLogprob(p)`; the version is 7.
 */
export function scriptedTokenPolicy(
  script: readonly string[],
  renderer: Renderer,
): ScriptedTokenPolicy {
  const requests: SampleRequest[] = [];
  const released: string[] = [];
  const policy: Policy = {
    kind: "tokens",
    sample: async (request, signal) => {
      const turn = requests.filter(({ cacheKey }) => cacheKey === request.cacheKey).length;
      requests.push(request);
      const none = { tokens: [], logprobs: [], policyVersion: 7 };
      if (signal?.aborted) return { ...none, stop: "cancelled" };
      const whole = renderer.turn(script[turn] ?? "");
      const tokens = whole.slice(0, request.maxTokens);
      const logprobs = tokens.map((_, i) => scriptedLogprob(request.tokens.length + i));
      const stop = tokens.length < whole.length ? "length" : "stop";
      return { tokens, logprobs, stop, policyVersion: 7 };
    },
    release: (cacheKey) => {
      released.push(cacheKey);
    },
  };
  return { policy, requests, released };
}

export function scriptedLogprob(position: number): number {
  return -(position + 1) / 1024;
}

export function fakeTask(overrides: Partial<TaskInfo> = {}): TaskInfo {
  return {
    id: "train/0/0",
    scenario: "train/0",
    split: "train",
    difficulty: 1,
    signature: "fake",
    instruction: "Finish.",
    ...overrides,
  };
}

export function stepResult(overrides: Partial<StepResult> = {}): StepResult {
  const text = overrides.text ?? "";
  return { status: "ok", stdout: text, calls: [], finished: false, text, ...overrides };
}

export interface FakeEpisodeOptions {
  readonly task?: TaskInfo;
  /** What a cell does; by default it echoes, and a cell that contains "finish" finishes. */
  readonly run?: (
    code: string,
    turn: number,
    signal?: AbortSignal,
  ) => StepResult | Promise<StepResult>;
  /** By default one progress check that passes once finished. */
  readonly evaluate?: (finished: boolean) => Evaluation | Promise<Evaluation>;
}

/** An episode over nothing but the list of its cells. */
export function fakeEpisode(
  options: FakeEpisodeOptions = {},
): Episode & { readonly cells: string[] } {
  const { task = fakeTask(), run = echo, evaluate = finishCheck } = options;
  const open = (cells: string[], isFinished: boolean): Episode & { readonly cells: string[] } => {
    let finished = isFinished;
    let closed = false;
    const alive = () => {
      if (closed) throw new BowlineError("world", "the episode is closed");
    };
    return {
      task,
      cells,
      step: async (code, signal) => {
        alive();
        cells.push(code);
        const result = await run(code, cells.length - 1, signal);
        finished ||= result.finished;
        return result;
      },
      evaluate: async () => {
        alive();
        return evaluate(finished);
      },
      fork: async () => {
        alive();
        return open([...cells], finished);
      },
      close: async () => {
        closed = true;
      },
    };
  };
  return open([], false);
}

function echo(code: string): StepResult {
  return stepResult({ text: `ran ${code}\n`, finished: code.includes("finish") });
}

function finishCheck(finished: boolean): Evaluation {
  return {
    passed: finished,
    finished,
    checks: [{ name: "finished", label: "progress", passed: finished }],
  };
}
