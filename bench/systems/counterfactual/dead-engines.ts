/** Wraps engines and renderers so that what a mechanism reads, or what it carries to a prompt, means nothing. */
import type { Rng } from "../../../src/core/index.ts";
import { createForwardingEngine } from "../../../src/methods/index.ts";
import type { Engine, Message, Renderer, TokenOutputs } from "../../../src/spec/index.ts";

type ChangeOutputs = (outputs: TokenOutputs, index: number) => TokenOutputs;

function withOutputs(engine: Engine, change: ChangeOutputs): Engine {
  return {
    ...createForwardingEngine(engine),
    evaluate: async (...args: Parameters<Engine["evaluate"]>) =>
      (await engine.evaluate(...args)).map(change),
  };
}

/** Returns an engine whose entropies are shuffled among the tokens of each row. */
export function shuffleEntropies(engine: Engine, rng: Rng): Engine {
  return withOutputs(engine, ({ entropies, ...outputs }, i) => ({
    ...outputs,
    ...(entropies && { entropies: Float32Array.from(rng.child(i).shuffle([...entropies])) }),
  }));
}

/** Returns an engine whose critic gives every token the same value. */
export function flattenValues(engine: Engine, value = 0): Engine {
  return withOutputs(engine, ({ values, ...outputs }) => ({
    ...outputs,
    ...(values && { values: new Float32Array(values.length).fill(value) }),
  }));
}

/** Returns an engine whose critic's values are shuffled among the tokens of each row. */
export function shuffleValues(engine: Engine, rng: Rng): Engine {
  return withOutputs(engine, ({ values, ...outputs }, i) => ({
    ...outputs,
    ...(values && { values: Float32Array.from(rng.child(i).shuffle([...values])) }),
  }));
}

/** Returns an engine that learns from rows whose action tokens are shuffled within the row. */
export function shuffleTargets(engine: Engine, rng: Rng): Engine {
  const shuffleRow: ChangeRow = (row, i) => {
    const tokens = Array.from(row.tokens);
    const at = Array.from(row.at);
    const order = rng.child(i).shuffle(at);
    at.forEach((position, k) => {
      tokens[position] = row.tokens[order[k]!]!;
    });
    return { ...row, tokens };
  };
  return {
    ...createForwardingEngine(engine),
    accumulate: (...[rows, ...rest]: Parameters<Engine["accumulate"]>) =>
      engine.accumulate(rows.map(shuffleRow), ...rest),
  };
}

type Row = Parameters<Engine["accumulate"]>[0][number];
type ChangeRow = (row: Row, index: number) => Row;

const SAID_BY_DEAD_WRITER = "go on";

/**
 * Returns an engine that answers the same few words whenever it is asked to write a text of this kind, such as a plan
 * or a summary. The request is recognised by its last line.
 */
export function silenceWriter(engine: Engine, renderer: Renderer, request: string): Engine {
  const said = renderer.turn(SAID_BY_DEAD_WRITER);
  const isRequest = (tokens: readonly number[]) =>
    renderer.text(tokens.slice(-LOOKED_AT)).trimEnd().endsWith(request);
  return {
    ...createForwardingEngine(engine),
    sample: (...[requests, ...rest]: Parameters<Engine["sample"]>) =>
      Promise.all(
        requests.map(async (one) => {
          const [sample] = await engine.sample([one], ...rest);
          if (!isRequest(one.tokens)) return sample!;
          const tokens = said.slice(0, one.maxTokens);
          const stop = tokens.length < said.length ? ("length" as const) : ("stop" as const);
          return { ...sample!, tokens, logprobs: tokens.map(() => 0), stop };
        }),
      ),
  };
}

const LOOKED_AT = 48;

/**
 * Returns a renderer that replaces the words after these labels by the same few words, up to the end of the line. So a
 * text that a prompt carries on says nothing.
 */
export function silenceLabels(renderer: Renderer, labels: readonly string[]): Renderer {
  const silence = (message: Message): Message => {
    if (message.role === "assistant") return message;
    const lines = message.content.split("\n").map((line) => {
      const label = labels.find((one) => line.startsWith(one));
      return label === undefined ? line : `${label} ${SAID_BY_DEAD_WRITER}`;
    });
    return { ...message, content: lines.join("\n") };
  };
  return {
    ...renderer,
    start: (messages) => renderer.start(messages.map(silence)),
    next: (observation) => renderer.next(silence(observation)),
  };
}

/** Returns a renderer under which tokens have the texts of other tokens. */
export function shuffleTexts(renderer: Renderer): Renderer {
  return { ...renderer, text: (tokens) => renderer.text(tokens.map((token) => (token % 7) + 2)) };
}
