/** Samples: what is asked, what is believed, and how the client waits. */
import { describe, expect, test } from "vitest";
import {
  clientOf,
  failure,
  type Handler,
  serverWith,
} from "../../../../tests/support/tinker-client.ts";
import { encodeSampleResponse } from "../wire/index.ts";
import type { TinkerClientOptions } from "./client.ts";
import type { TinkerErrorKind } from "./errors.ts";
import type { CallJournal, JournalEntry } from "./journal.ts";

describe("samples", () => {
  const sampled = (tokens: number[], logprobs: (number | null)[], more = {}) => ({
    sequences: [{ stop_reason: "stop", tokens, logprobs }],
    ...more,
  });
  const sampling = async (handle: Handler, options: Partial<TinkerClientOptions> = {}) => {
    const server = serverWith((request, nth) => {
      if (request.path === "/create_sampling_session")
        return { body: { sampling_session_id: "sam" } };
      return handle(request, nth);
    });
    const made = await clientOf(server, options);
    const session = await made.client.openSession();
    const sampler = await session.openSampler({ baseModel: "b" }, { vocabularySize: 100 });
    return { ...made, server, sampler };
  };
  const result =
    (body: unknown): Handler =>
    ({ path }) =>
      path === "/retrieve_future" ? { body } : undefined;

  test("ask with lists of stop ids and get checked sequences", async () => {
    const body = encodeSampleResponse({
      sequences: [{ stop_reason: "stop", tokens: [5, 9], logprobs: [-0.5, -1] }],
    });
    const { sampler, server } = await sampling(result(body));
    const { sequences } = await sampler.sample({
      prompt: [1, 2],
      maxTokens: 4,
      seed: 3,
      stopIds: [9],
    });
    expect(sequences).toEqual([{ stop_reason: "stop", tokens: [5, 9], logprobs: [-0.5, -1] }]);
    const [asked] = server.of("/asample");
    expect(asked!.headers["X-Tinker-Sampling-Backpressure"]).toBe("1");
    expect(asked!.body).toMatchObject({
      sampling_session_id: "sam",
      seq_id: 0,
      num_samples: 1,
      prompt: { chunks: [{ type: "encoded_text", tokens: [1, 2] }] },
      sampling_params: { max_tokens: 4, seed: 3, stop: [9], temperature: 1 },
    });
  });

  test("with a journal a question has a number of its own, and another where that one is taken", async () => {
    const entries = new Map<string, JournalEntry>();
    const journal: CallJournal = {
      find: (key) => entries.get(key),
      record: (entry) => void entries.set(entry.key, entry),
    };
    let isTaken = true;
    const { sampler, server } = await sampling(
      ({ path }) => {
        if (path === "/retrieve_future") return { body: sampled([5], [-0.5]) };
        if (path !== "/asample" || !isTaken) return undefined;
        isTaken = false;
        return { status: 409, body: { detail: "seq_id 3 is already another request's" } };
      },
      { journal },
    );
    await sampler.sample({ prompt: [1, 2], maxTokens: 4, seed: 3 });
    await sampler.sample({ prompt: [1, 3], maxTokens: 4, seed: 3 });
    entries.clear();
    await sampler.sample({ prompt: [1, 3], maxTokens: 4, seed: 3 });
    const numbers = server.of("/asample").map(({ body }) => (body as { seq_id: number }).seq_id);
    expect(numbers).toHaveLength(4);
    expect(new Set(numbers).size).toBe(3);
    expect(numbers[3]).toBe(numbers[2]);
  });

  test.each<[string, unknown, TinkerErrorKind]>([
    ["NaN", sampled([5], [null]), "non-finite"],
    ["an id that is none", sampled([100], [-1]), "malformed"],
    ["more than was asked for", sampled([1, 2, 3, 4, 5], [-1, -1, -1, -1, -1]), "malformed"],
    ["nothing", sampled([], []), "malformed"],
    ["no log-probs", { sequences: [{ stop_reason: "stop", tokens: [1] }] }, "malformed"],
  ])("refuse %s", async (_, body, kind) => {
    const { sampler } = await sampling(result(body));
    expect((await failure(sampler.sample({ prompt: [1], maxTokens: 4 }))).kind).toBe(kind);
  });

  test.each([
    ["one a token, the first null", [null, -1, -2]],
    ["without the first", [-1, -2]],
  ])("prompt log-probs: %s", async (_, prompt_logprobs) => {
    const { sampler } = await sampling(result(sampled([1], [-1], { prompt_logprobs })));
    expect(await sampler.computeLogprobs([4, 5, 6])).toEqual([-1, -2]);
  });

  test("wait out back-pressure, as long as it lasts", async () => {
    const { sampler, clock } = await sampling((request, nth) => {
      if (request.path === "/asample" && nth < 400) return { status: 429 };
      return result(sampled([1], [-1]))(request, nth);
    });
    await sampler.sample({ prompt: [1], maxTokens: 1 });
    expect(clock.slept).toEqual(new Array(400).fill(1000));
  });

  test("are at most so many at once", async () => {
    let now = 0;
    let most = 0;
    const { sampler } = await sampling(
      ({ path }) => {
        if (path === "/asample") most = Math.max(most, ++now);
        if (path !== "/retrieve_future") return undefined;
        now -= 1;
        return { body: sampled([1], [-1]) };
      },
      { maxSamples: 3 },
    );
    const call = { prompt: [1], maxTokens: 1 };
    await Promise.all(Array.from({ length: 20 }, () => sampler.sample(call)));
    expect(most).toBe(3);
  });

  test("end with the caller's signal", async () => {
    const { sampler } = await sampling(({ path }) =>
      path === "/retrieve_future" ? "silence" : undefined,
    );
    const controller = new AbortController();
    const pending = sampler.sample({ prompt: [1], maxTokens: 1, signal: controller.signal });
    setImmediate(() => controller.abort());
    expect((await failure(pending)).kind).toBe("cancelled");
  });
});
