/**
 * Damaged bodies, as functions without sockets: answers of a Tinker server to our client in protobuf and JSON, requests
 * to our Tinker server in protobuf, and requests to the gateway. Each is read, with numbers that can be used, or refused
 * by an error of its own kind.
 */
import type { Rng } from "../../src/core/index.ts";
import { TinkerError, tinkerWire as wire } from "../../src/engine/index.ts";
import { createPassDecoder, createSampleDecoder } from "../../src/engine/tinker/client/results.ts";
import type { HttpAnswer } from "../../src/engine/tinker/client/transport.ts";
import { AnswerMemory } from "../../src/server/gateway/answer-memory.ts";
import { chat } from "../../src/server/gateway/chat/index.ts";
import { GatewayError } from "../../src/server/gateway/gateway-error.ts";
import { messages } from "../../src/server/gateway/messages/index.ts";
import { responses } from "../../src/server/gateway/responses/index.ts";
import { HttpRefusal } from "../../src/server/http/index.ts";
import { RICH } from "../support/gateway-requests.ts";
import { findErrorProblem } from "./clear-error.ts";
import { mutateBytes, mutateJson } from "./mutate.ts";
import type { CaseOutcome, Part, StepFilter } from "./part.ts";

const BODIES_PER_CASE = 40;
const TOKENS = [5, 6, 7];
const LOGPROBS = [-1.5, -0.25, -3];
const VOCABULARY_SIZE = 48;

const DATUM: wire.Datum = {
  model_input: { chunks: [{ type: "encoded_text", tokens: TOKENS }] },
  loss_fn_inputs: { target_tokens: { data: TOKENS, dtype: "int64", shape: [TOKENS.length] } },
};
const PASS_OUTPUT: wire.ForwardBackwardOutput = {
  loss_fn_output_type: "",
  loss_fn_outputs: [{ logprobs: wire.floatTensor(LOGPROBS) }],
  metrics: { "loss:sum": 2 },
};
const SAMPLE: wire.SampleResponse = {
  sequences: [{ stop_reason: "stop", tokens: TOKENS, logprobs: LOGPROBS }],
  prompt_logprobs: [null, -2],
};
const PASS_REQUEST: wire.ForwardBackwardRequest = {
  model_id: "m",
  seq_id: 7,
  data: [DATUM],
  loss_fn: "ppo",
  loss_fn_config: { clip_low_threshold: 0.8 },
};

/** A body that is read in one way, whatever was done to it. */
interface BodyKind {
  readonly name: string;
  /** Draws a damaged body and returns a function that reads it. It throws an error for a number that cannot be used. */
  draw(rng: Rng): { readonly text: string; readonly read: () => void };
  /** Whether an error is a refusal of the body. */
  isRefusal(error: unknown): boolean;
}

function createAnswer(body: Uint8Array, isProtobuf: boolean): HttpAnswer {
  return {
    status: 200,
    headers: new Headers(),
    body,
    isProtobuf,
    errorText: () => "",
    parseJson: () => JSON.parse(Buffer.from(body).toString()),
  };
}

const decodePass = createPassDecoder("/forward_backward", [DATUM]);
const decodeSample = createSampleDecoder("/asample", {
  samples: 1,
  maxTokens: 4,
  vocabularySize: VOCABULARY_SIZE,
  promptTokens: 2,
  promptLogprobs: true,
});

function requireUsable(logprobs: ArrayLike<number>, tokens: readonly number[] = []): void {
  const isUsable =
    Array.from(logprobs).every((value) => Number.isFinite(value)) &&
    tokens.every((id) => Number.isInteger(id) && id >= 0 && id < VOCABULARY_SIZE);
  if (!isUsable) throw new Error(`unusable numbers: ${[...tokens]} ${Array.from(logprobs)}`);
}

const readPass = (answer: HttpAnswer) =>
  requireUsable(decodePass(answer).loss_fn_outputs[0]!["logprobs"]!.data);
function readSample(answer: HttpAnswer): void {
  const { tokens, logprobs } = decodeSample(answer).sequences[0]!;
  requireUsable(logprobs!, tokens);
}

const isClear = (error: unknown) => findErrorProblem(error) === undefined;
const isTinkerError = (error: unknown) => TinkerError.is(error) && isClear(error);

function answerKind(
  name: string,
  value: object,
  bytes: Uint8Array,
  read: (answer: HttpAnswer) => void,
): BodyKind[] {
  return [
    {
      name: `${name} in protobuf`,
      draw(rng) {
        const body = mutateBytes(rng, bytes);
        return { text: body.toString("base64"), read: () => read(createAnswer(body, true)) };
      },
      isRefusal: isTinkerError,
    },
    {
      name: `${name} in JSON`,
      draw(rng) {
        const body = Buffer.from(JSON.stringify(mutateJson(rng, value)));
        return { text: body.toString(), read: () => read(createAnswer(body, false)) };
      },
      isRefusal: isTinkerError,
    },
  ];
}

const GATEWAY_KINDS = Object.entries({ chat, responses, messages }).map(
  ([name, dialect]): BodyKind => ({
    name: `a request in the dialect ${name}`,
    draw(rng) {
      const body = mutateJson(rng, RICH[name]);
      const read = () => void dialect.parseRequest(body, new AnswerMemory());
      return { text: JSON.stringify(body), read };
    },
    isRefusal: (error) =>
      (error instanceof GatewayError && error.status < 500) || error instanceof HttpRefusal,
  }),
);

const requestBytes = wire.encodeForwardBackwardRequest(PASS_REQUEST);
const KINDS: readonly BodyKind[] = [
  ...answerKind("a pass", PASS_OUTPUT, wire.encodeForwardBackwardOutput(PASS_OUTPUT), readPass),
  ...answerKind("a sample", SAMPLE, wire.encodeSampleResponse(SAMPLE), readSample),
  {
    name: "a request in protobuf",
    draw(rng) {
      const body = mutateBytes(rng, requestBytes);
      const read = () => void wire.decodeForwardBackwardRequest(body);
      return { text: body.toString("base64"), read };
    },
    isRefusal: isClear,
  },
  ...GATEWAY_KINDS,
];

function readBodies(rng: Rng, steps: StepFilter): CaseOutcome {
  const drawn = Array.from({ length: BODIES_PER_CASE }, () => {
    const kind = rng.pick(KINDS);
    return { kind, ...kind.draw(rng) };
  });
  const counts = { bodies: 0, read: 0, refused: 0 };
  const failures: string[] = [];
  for (const { kind, text, read } of steps.choose(drawn)) {
    counts.bodies += 1;
    try {
      read();
      counts.read += 1;
    } catch (error) {
      counts.refused += 1;
      if (kind.isRefusal(error)) continue;
      const shown = error instanceof Error ? (error.stack ?? error.message) : String(error);
      failures.push(`${kind.name}: ${text.slice(0, 200)}: ${shown.slice(0, 400)}`);
    }
  }
  return { counts, failures };
}

export const bodies: Part = {
  name: "body",
  summary: "damaged bodies in protobuf and JSON",
  weight: 1,
  caseLimitMs: 60_000,
  open: async () => ({
    runCase: async (rng, steps) => readBodies(rng, steps),
    close: async () => {},
  }),
};
