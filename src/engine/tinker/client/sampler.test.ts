/** Tests sampling calls: their requests, the checks of their results, and waiting. */
import { setImmediate as waitForEvents } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  createClient,
  createFakeServer,
  expectTinkerError,
  type Handler,
} from "../../../../tests/support/tinker-client.ts";
import { encodeSampleResponse } from "../wire/index.ts";
import type { TinkerClientOptions } from "./client.ts";
import type { TinkerErrorKind } from "./errors.ts";
import type { CallJournal, JournalEntry } from "./journal.ts";

describe("sampling calls", () => {
  const sampleBody = (tokens: number[], logprobs: (number | null)[], more = {}) => ({
    sequences: [{ stop_reason: "stop", tokens, logprobs }],
    ...more,
  });
  const openSampler = async (handle: Handler, options: Partial<TinkerClientOptions> = {}) => {
    const server = createFakeServer((request, nth) => {
      if (request.path === "/create_sampling_session")
        return { body: { sampling_session_id: "sam" } };
      return handle(request, nth);
    });
    const made = await createClient(server, options);
    const session = await made.client.openSession();
    const sampler = await session.openSampler({ baseModel: "b" }, { vocabularySize: 100 });
    return { ...made, server, sampler };
  };
  const answerWith =
    (body: unknown): Handler =>
    ({ path }) =>
      path === "/retrieve_future" ? { body } : undefined;

  test("send stop ids as a list and return the sampled sequences", async () => {
    const body = encodeSampleResponse({
      sequences: [{ stop_reason: "stop", tokens: [5, 9], logprobs: [-0.5, -1] }],
    });
    const { sampler, server } = await openSampler(answerWith(body));
    const { sequences } = await sampler.sample({
      prompt: [1, 2],
      maxTokens: 4,
      seed: 3,
      stopIds: [9],
    });
    expect(sequences).toEqual([{ stop_reason: "stop", tokens: [5, 9], logprobs: [-0.5, -1] }]);
    const [asked] = server.requestsTo("/asample");
    expect(asked!.headers["X-Tinker-Sampling-Backpressure"]).toBe("1");
    expect(asked!.body).toMatchObject({
      sampling_session_id: "sam",
      seq_id: 0,
      num_samples: 1,
      prompt: { chunks: [{ type: "encoded_text", tokens: [1, 2] }] },
      sampling_params: { max_tokens: 4, seed: 3, stop: [9], temperature: 1 },
    });
  });

  test("let other events through when 300 of them and 300 of their answers come at once", async () => {
    let sent = 0;
    const { sampler } = await openSampler(({ path }) => {
      sent += 1;
      for (const end = performance.now() + 0.5; performance.now() < end; );
      return path === "/retrieve_future" ? { body: sampleBody([5], [-1]) } : undefined;
    });
    let isDone = false;
    const all = Promise.all(
      Array.from({ length: 300 }, () => sampler.sample({ prompt: [1, 2], maxTokens: 4 })),
    ).finally(() => {
      isDone = true;
    });
    let most = 0;
    for (let before = sent; !isDone; before = sent) {
      await waitForEvents();
      most = Math.max(most, sent - before);
    }
    expect(await all).toHaveLength(300);
    expect(most).toBeLessThan(100);
  });

  test("get a number from their digest when there is a journal, and another when that number is taken", async () => {
    const entries = new Map<string, JournalEntry>();
    const journal: CallJournal = {
      find: (key) => entries.get(key),
      record: (entry) => void entries.set(entry.key, entry),
    };
    let isTaken = true;
    const { sampler, server } = await openSampler(
      ({ path }) => {
        if (path === "/retrieve_future") return { body: sampleBody([5], [-0.5]) };
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
    const numbers = server
      .requestsTo("/asample")
      .map(({ body }) => (body as { seq_id: number }).seq_id);
    expect(numbers).toHaveLength(4);
    expect(new Set(numbers).size).toBe(3);
    expect(numbers[3]).toBe(numbers[2]);
  });

  test.each<[string, unknown, TinkerErrorKind]>([
    ["a log-prob of NaN", sampleBody([5], [null]), "non-finite"],
    ["an id outside the vocabulary", sampleBody([100], [-1]), "malformed"],
    ["more tokens than requested", sampleBody([1, 2, 3, 4, 5], [-1, -1, -1, -1, -1]), "malformed"],
    ["a sequence without tokens", sampleBody([], []), "malformed"],
    [
      "a sequence without log-probs",
      { sequences: [{ stop_reason: "stop", tokens: [1] }] },
      "malformed",
    ],
  ])("throw on an answer with %s", async (_, body, kind) => {
    const { sampler } = await openSampler(answerWith(body));
    expect((await expectTinkerError(sampler.sample({ prompt: [1], maxTokens: 4 }))).kind).toBe(
      kind,
    );
  });

  test.each([
    ["null for the first token", [null, -1, -2]],
    ["nothing for the first token", [-1, -2]],
  ])("read prompt log-probs from a server that sends %s", async (_, prompt_logprobs) => {
    const { sampler } = await openSampler(answerWith(sampleBody([1], [-1], { prompt_logprobs })));
    expect(await sampler.computeLogprobs([4, 5, 6])).toEqual([-1, -2]);
  });

  test("wait as long as the server asks for back-pressure", async () => {
    const { sampler, clock } = await openSampler((request, nth) => {
      if (request.path === "/asample" && nth < 400) return { status: 429 };
      return answerWith(sampleBody([1], [-1]))(request, nth);
    });
    await sampler.sample({ prompt: [1], maxTokens: 1 });
    expect(clock.slept).toEqual(new Array(400).fill(1000));
  });

  test("run at most maxSamples at once", async () => {
    let now = 0;
    let most = 0;
    const { sampler } = await openSampler(
      ({ path }) => {
        if (path === "/asample") most = Math.max(most, ++now);
        if (path !== "/retrieve_future") return undefined;
        now -= 1;
        return { body: sampleBody([1], [-1]) };
      },
      { maxSamples: 3 },
    );
    const call = { prompt: [1], maxTokens: 1 };
    await Promise.all(Array.from({ length: 20 }, () => sampler.sample(call)));
    expect(most).toBe(3);
  });

  test("end when the caller's signal aborts", async () => {
    const { sampler } = await openSampler(({ path }) =>
      path === "/retrieve_future" ? "silence" : undefined,
    );
    const controller = new AbortController();
    const pending = sampler.sample({ prompt: [1], maxTokens: 1, signal: controller.signal });
    setImmediate(() => controller.abort());
    expect((await expectTinkerError(pending)).kind).toBe("cancelled");
  });
});
