/** Makes a Tinker client on a fake server, and the small requests that its tests send. */
import { BowlineError } from "../../src/core/index.ts";
import {
  createTinkerClient,
  type TinkerClientOptions,
} from "../../src/engine/tinker/client/client.ts";
import { TinkerError } from "../../src/engine/tinker/client/errors.ts";
import type { ClientEvent } from "../../src/engine/tinker/client/retry.ts";
import {
  type ConnectionTrouble,
  FakeClock,
  type FakeReply,
  FakeServer,
  type ReceivedRequest,
} from "../../src/testing/fake-tinker-server.ts";

export const KEY = "tml-SECRET-0123456789";
export const ADAM = {
  learning_rate: 1e-4,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-12,
  weight_decay: 0,
  grad_clip_norm: 0,
};

export type Handler = (
  request: ReceivedRequest,
  nth: number,
) => FakeReply | ConnectionTrouble | undefined;

/** Makes a server that answers every call with made-up results. `handle` is asked first and may answer instead. */
export function createFakeServer(handle: Handler = () => undefined): FakeServer {
  let futures = 0;
  return new FakeServer((request, nth) => {
    const own = handle(request, nth);
    if (own !== undefined) return own;
    const { path } = request;
    if (path === "/client/config") return { body: { pjwt_auth_enabled: false } };
    if (path === "/create_session") return { body: { session_id: "s1" } };
    if (path === "/session_heartbeat") return { body: {} };
    if (path === "/retrieve_future")
      return { body: { model_id: "m1", metrics: {}, path: "tinker://x" } };
    return { body: { request_id: `f${++futures}` } };
  });
}

export async function createClient(server: FakeServer, options: Partial<TinkerClientOptions> = {}) {
  const clock = new FakeClock();
  const events: ClientEvent[] = [];
  let ids = 0;
  const client = await createTinkerClient({
    baseUrl: "http://server.test:8000/",
    apiKey: KEY,
    fetch: server.fetch,
    clock,
    newId: () => `id-${++ids}`,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { client, clock, events };
}

export async function createModel(server: FakeServer, options: Partial<TinkerClientOptions> = {}) {
  const made = await createClient(server, options);
  const session = await made.client.openSession();
  const model = await session.createModel({
    baseModel: "b",
    lora: { rank: 8 },
    vocabularySize: 100,
    contextLength: 16,
  });
  return { ...made, session, model };
}

/** Returns the TinkerError that the promise rejects with. Throws when it resolves or rejects with something else. */
export async function expectTinkerError(run: Promise<unknown>): Promise<TinkerError> {
  const error = await run.then(
    () => new Error("nothing was thrown"),
    (cause: unknown) => cause,
  );
  if (error instanceof TinkerError && BowlineError.is(error) && error.code === "engine")
    return error;
  throw error;
}

export const createDatum = (tokens = [1, 2, 3], patch: Record<string, number[]> = {}) => ({
  model_input: { chunks: [{ type: "encoded_text" as const, tokens }] },
  loss_fn_inputs: {
    target_tokens: { data: patch["target_tokens"] ?? tokens, dtype: "int64" as const },
    ...Object.fromEntries(
      Object.entries({ logprobs: [-1, -1, -1], advantages: [0, 1, 1], ...patch })
        .filter(([name]) => name !== "target_tokens")
        .map(([name, data]) => [name, { data, dtype: "float32" as const }]),
    ),
  },
});
export const createPass = (...data: ReturnType<typeof createDatum>[]) => ({
  data,
  lossFn: "importance_sampling",
});
export const passOutput = (logprobs: (number | null)[]) => ({
  loss_fn_outputs: [{ logprobs: { data: logprobs, dtype: "float32" } }],
  metrics: { "loss:sum": 2 },
});
/** Answers every future with the output of a gradient pass. */
export const answerPasses: Handler = ({ path }, nth) =>
  path === "/retrieve_future" && nth > 0 ? { body: passOutput([-1, -2, -3]) } : undefined;
