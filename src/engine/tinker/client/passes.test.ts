/** Gradient passes and steps: every status of a future, numbers, dialects, and what is neither sent nor believed. */
import { describe, expect, test } from "vitest";
import {
  ADAM,
  datum,
  failure,
  modelOf,
  output,
  passing,
  passOf,
  serverWith,
} from "../../../../tests/support/tinker-client.ts";
import type { FakeServer, Reply, Trouble } from "../../../testing/fake-tinker-server.ts";
import {
  decodeForwardBackwardRequest,
  encodeForwardBackwardOutput,
  PROTOBUF,
} from "../wire/index.ts";
import type { TinkerErrorKind } from "./errors.ts";

describe("futures", () => {
  test("stay pending, come with metadata first, and end in either encoding", async () => {
    const replies: (Reply | Trouble)[] = [
      { body: { type: "try_again", request_id: "f2", queue_state: "paused_capacity" } },
      { status: 408, body: { queue_state: "active" } },
      { status: 408, body: "" },
      "reset",
      { status: 500 },
      { status: 429 },
      { status: 402, body: {} },
      { body: { status: "complete_metadata", response_payload_size: 10 } },
      {
        body: encodeForwardBackwardOutput({
          loss_fn_output_type: "x",
          loss_fn_outputs: [{ logprobs: { data: [-1, -2, -3], dtype: "float32" } }],
          metrics: {},
        }),
      },
    ];
    const server = serverWith(({ path }, nth) =>
      path === "/retrieve_future" && nth > 0 ? replies[nth - 1] : undefined,
    );
    const { model, events } = await modelOf(server);
    const result = await model.forwardBackward(passOf(datum()));
    expect(result.loss_fn_outputs[0]!["logprobs"]!.data).toEqual([-1, -2, -3]);
    const polls = server.of("/retrieve_future").slice(1);
    expect(polls).toHaveLength(replies.length);
    expect(
      polls.map(({ body }) => (body as { allow_metadata_only: boolean }).allow_metadata_only),
    ).toEqual([...new Array(8).fill(true), false]);
    expect(polls[0]!.headers["Accept"]).toContain(PROTOBUF);
    expect(polls.map(({ headers }) => headers["X-Tinker-Request-Iteration"])).toEqual(
      polls.map((_, i) => String(i)),
    );
    expect(events).toContainEqual({ type: "queue", requestId: "f2", state: "paused_capacity" });
  });

  test.each<[string, Reply, TinkerErrorKind]>([
    ["the user's fault", { body: { error: "bad loss", category: "user" } }, "rejected"],
    ["the server's fault", { body: { error: "out of memory", category: "server" } }, "failed"],
    ["a lost model", { body: { error: "Model m1 not loaded", category: "user" } }, "model-lost"],
    ["SkyRL's 400", { status: 400, body: { detail: "Maximum number of adapters" } }, "rejected"],
    ["TuFT's 422", { status: 422, body: { detail: "Future failed: no" } }, "rejected"],
    ["403", { status: 403, body: {} }, "denied"],
    ["nonsense", { body: "<html>" }, "malformed"],
    ["a result of another call", { body: { path: "x" } }, "malformed"],
  ])("end for good with %s", async (_, reply, kind) => {
    const server = serverWith(({ path }, nth) =>
      path === "/retrieve_future" && nth > 0 ? reply : undefined,
    );
    const { model } = await modelOf(server);
    const error = await failure(model.forwardBackward(passOf(datum())));
    expect(error.kind).toBe(kind);
    expect(server.of("/forward_backward")).toHaveLength(1);
  });

  test.each([410, 404])(
    "that were lost (%i) are asked for again, as the same call",
    async (status) => {
      const server = serverWith(({ path }, nth) => {
        if (path !== "/retrieve_future" || nth === 0) return undefined;
        return nth < 3 ? { status, body: "" } : { body: { metrics: { "grad_norm:mean": 2 } } };
      });
      const { model, events } = await modelOf(server);
      expect(await model.optimStep(ADAM)).toEqual({ "grad_norm:mean": 2 });
      const sent = server.of("/optim_step");
      expect(sent).toHaveLength(3);
      expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(new Set(sent.map(({ headers }) => headers["X-Idempotency-Key"])).size).toBe(1);
      expect(events.filter(({ type }) => type === "re-issue")).toHaveLength(2);
    },
  );

  test("where repeated calls are done twice, a call in doubt is not repeated", async () => {
    const troubles: (Reply | Trouble)[] = ["reset", { status: 500 }];
    for (const trouble of troubles) {
      const server = serverWith(({ path }) => (path === "/optim_step" ? trouble : undefined));
      const { client, model } = await modelOf(server);
      client.forbidRepeats();
      expect((await failure(model.optimStep(ADAM))).kind).toBe("uncertain");
      expect(server.of("/optim_step")).toHaveLength(1);
    }
    const refusing = serverWith(({ path }, nth) =>
      path === "/optim_step" && nth === 0 ? "refused" : undefined,
    );
    const { client, model } = await modelOf(refusing);
    client.forbidRepeats();
    await model.optimStep(ADAM); // It never arrived, so there is no doubt.
    expect(refusing.of("/optim_step")).toHaveLength(2);
  });
});

describe("numbers", () => {
  const seqs = (server: FakeServer) =>
    server.seen
      .filter(({ path }) => /forward_backward|optim_step|save_weights$/.test(path))
      .map(({ body }) =>
        body instanceof Uint8Array
          ? decodeForwardBackwardRequest(body).seq_id
          : (body as { seq_id: number }).seq_id,
      );

  test("follow the order of the calls, and requests are sent one after the other", async () => {
    const server = serverWith(({ path, body }) => {
      if (path !== "/retrieve_future") return undefined;
      const { request_id } = body as { request_id: string };
      return ["f2", "f3"].includes(request_id) ? { body: output([-1, -2, -3]) } : undefined;
    });
    const { model } = await modelOf(server);
    await Promise.all([
      model.forwardBackward(passOf(datum())),
      model.forwardBackward(passOf(datum())),
      model.optimStep(ADAM),
      model.saveWeights("a"),
    ]);
    expect(seqs(server)).toEqual([1, 2, 3, 4]);
  });

  test("of requests that were not accepted are used again", async () => {
    const server = serverWith(({ path }, nth) =>
      path === "/optim_step" && nth === 0 ? { status: 400, body: { detail: "no" } } : undefined,
    );
    const { model } = await modelOf(server);
    const [first, second] = [model.optimStep(ADAM), model.saveWeights("a")];
    expect((await failure(first)).kind).toBe("rejected");
    await second;
    await model.optimStep(ADAM);
    expect(seqs(server)).toEqual([1, 1, 2]);
  });

  test("load_weights comes first or not at all", async () => {
    const { model } = await modelOf(serverWith());
    await model.loadWeights("tinker://m/weights/a", { optimizer: true });
    const error = await failure(model.loadWeights("tinker://m/weights/a", { optimizer: true }));
    expect(error.kind).toBe("invalid");
    expect(error.message).toContain("first request");
  });
});

describe("dialects", () => {
  const dialectsSent = (server: FakeServer) =>
    server
      .of("/forward_backward")
      .map(({ headers }) => (headers["Content-Type"] === PROTOBUF ? "proto" : "json"));

  test("protobuf where it is understood", async () => {
    const server = serverWith(passing);
    const { client, model } = await modelOf(server);
    await model.forwardBackward(passOf(datum()));
    await model.forwardBackward(passOf(datum()));
    expect(dialectsSent(server)).toEqual(["proto", "proto"]);
    expect(client.dialect).toBe("proto");
  });

  test.each([400, 415, 422, 500])("JSON after a %i, once found out for all", async (status) => {
    const server = serverWith((request, nth) =>
      request.headers["Content-Type"] === PROTOBUF
        ? { status, body: { detail: "?" } }
        : passing(request, nth),
    );
    const { client, model, clock } = await modelOf(server);
    await model.forwardBackward(passOf(datum()));
    await model.forwardBackward(passOf(datum()));
    expect(dialectsSent(server)).toEqual(["proto", "json", "json"]);
    expect(client.dialect).toBe("json");
    expect(clock.slept).toEqual([]);
  });

  test("a refusal that is not about the encoding is told as it is", async () => {
    const server = serverWith(({ path, headers }) => {
      if (path !== "/forward_backward") return undefined;
      return headers["Content-Type"] === PROTOBUF
        ? { status: 400, body: { detail: "unknown loss" } }
        : { status: 415, body: {} };
    });
    const { client, model } = await modelOf(server);
    expect((await failure(model.forwardBackward(passOf(datum())))).message).toContain(
      "unknown loss",
    );
    expect(client.dialect).toBe("proto");
  });

  test("one that is asked for is not searched for", async () => {
    const server = serverWith(passing);
    const { model } = await modelOf(server, { dialect: "json" });
    await model.forwardBackward(passOf(datum()));
    await model.forward(passOf(datum()));
    expect(dialectsSent(server)).toEqual(["json"]);
    expect(server.of("/forward")).toHaveLength(1);
  });
});

describe("nothing wrong is sent", () => {
  test.each([
    ["no datum", [], /no datum/],
    ["no tokens", [datum([])], /datum 0: model_input has no tokens/],
    ["an id that is none", [datum([1, 100, 2])], /datum 0: model_input\[1\].*0 to 99.*100/],
    ["half an id", [datum([1, 0.5, 2])], /model_input\[1\]/],
    [
      "a target that is none",
      [datum([1, 2, 3], { target_tokens: [1, 2, -1] })],
      /target_tokens\[2\]/,
    ],
    ["too long a row", [datum(new Array(17).fill(1))], /17 tokens.*context is 16/],
    [
      "a short tensor",
      [datum(), datum([1, 2, 3], { advantages: [1] })],
      /datum 1: advantages has 1 values for 3/,
    ],
    ["NaN", [datum([1, 2, 3], { advantages: [0, Number.NaN, 0] })], /advantages\[1\].*NaN/],
    ["what no float32 holds", [datum([1, 2, 3], { advantages: [0, 1e300, 0] })], /advantages\[1\]/],
    ["a log-prob above 0", [datum([1, 2, 3], { logprobs: [0, 1, 0] })], /logprobs\[1\]/],
    [
      "an advantage off the mask",
      [datum([1, 2, 3], { weights: [1, 0, 1] })],
      /advantages\[1\].*weight is 0/,
    ],
  ])("%s", async (_, data, words) => {
    const server = serverWith();
    const { model } = await modelOf(server);
    const before = server.seen.length;
    const error = await failure(model.forwardBackward(passOf(...data)));
    expect(error.kind).toBe("invalid");
    expect(error.message).toMatch(words);
    expect(server.seen).toHaveLength(before);
    expect(model.nextSeq).toBe(1);
  });

  test("and large batches are split", async () => {
    const server = serverWith(({ path }, nth) =>
      path === "/retrieve_future" && nth > 0
        ? {
            body: {
              loss_fn_outputs: new Array(nth < 2 ? 1024 : 3).fill(
                output([-1, -2, -3]).loss_fn_outputs[0],
              ),
              metrics: { "loss:sum": 2, "x:mean": nth },
            },
          }
        : undefined,
    );
    const { model } = await modelOf(server);
    const result = await model.forwardBackward(passOf(...new Array(1027).fill(datum())));
    expect(result.loss_fn_outputs).toHaveLength(1027);
    expect(result.metrics["loss:sum"]).toBe(4);
    expect(result.metrics["x:mean"]).toBeCloseTo((1024 * 1 + 3 * 2) / 1027);
  });
});

describe("nothing wrong is believed", () => {
  test.each<[string, unknown, TinkerErrorKind]>([
    ["NaN", output([-1, null, -3]), "non-finite"],
    ["a missing datum", { loss_fn_outputs: [], metrics: {} }, "malformed"],
    ["a short output", output([-1, -2]), "malformed"],
    ["no log-probs", { loss_fn_outputs: [{}], metrics: {} }, "malformed"],
    ["probabilities", output([0.5, 0.5, 0.5]), "malformed"],
  ])("%s", async (_, body, kind) => {
    const server = serverWith(({ path }, nth) =>
      path === "/retrieve_future" && nth > 0 ? { body } : undefined,
    );
    const { model } = await modelOf(server);
    expect((await failure(model.forwardBackward(passOf(datum())))).kind).toBe(kind);
  });
});
