/** Tests gradient passes and steps: statuses of futures, numbers, dialects, and checks of requests and results. */
import { describe, expect, test } from "vitest";
import {
  ADAM,
  answerPasses,
  createDatum,
  createFakeServer,
  createModel,
  createPass,
  expectTinkerError,
  passOutput,
} from "../../../../tests/support/tinker-client.ts";
import type {
  ConnectionTrouble,
  FakeReply,
  FakeServer,
} from "../../../testing/fake-tinker-server.ts";
import {
  decodeForwardBackwardRequest,
  encodeForwardBackwardOutput,
  PROTOBUF,
} from "../wire/index.ts";
import type { TinkerErrorKind } from "./errors.ts";

describe("futures", () => {
  test("are polled through pending answers, errors and metadata until the result comes", async () => {
    const replies: (FakeReply | ConnectionTrouble)[] = [
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
    const server = createFakeServer(({ path }, nth) =>
      path === "/retrieve_future" && nth > 0 ? replies[nth - 1] : undefined,
    );
    const { model, events } = await createModel(server);
    const result = await model.forwardBackward(createPass(createDatum()));
    expect(result.loss_fn_outputs[0]!["logprobs"]!.data).toEqual([-1, -2, -3]);
    const polls = server.requestsTo("/retrieve_future").slice(1);
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

  test.each<[string, FakeReply, TinkerErrorKind]>([
    ["an error of category user", { body: { error: "bad loss", category: "user" } }, "rejected"],
    [
      "an error of category server",
      { body: { error: "out of memory", category: "server" } },
      "failed",
    ],
    [
      "an error about a lost model",
      { body: { error: "Model m1 not loaded", category: "user" } },
      "model-lost",
    ],
    ["SkyRL's 400", { status: 400, body: { detail: "Maximum number of adapters" } }, "rejected"],
    ["TuFT's 422", { status: 422, body: { detail: "Future failed: no" } }, "rejected"],
    ["403", { status: 403, body: {} }, "denied"],
    ["a body that is not JSON", { body: "<html>" }, "malformed"],
    ["the result of another call", { body: { path: "x" } }, "malformed"],
  ])("end without a retry at %s", async (_, reply, kind) => {
    const server = createFakeServer(({ path }, nth) =>
      path === "/retrieve_future" && nth > 0 ? reply : undefined,
    );
    const { model } = await createModel(server);
    const error = await expectTinkerError(model.forwardBackward(createPass(createDatum())));
    expect(error.kind).toBe(kind);
    expect(server.requestsTo("/forward_backward")).toHaveLength(1);
  });

  test.each([410, 404])(
    "that the server lost (HTTP %i) are requested again as the same call",
    async (status) => {
      const server = createFakeServer(({ path }, nth) => {
        if (path !== "/retrieve_future" || nth === 0) return undefined;
        return nth < 3 ? { status, body: "" } : { body: { metrics: { "grad_norm:mean": 2 } } };
      });
      const { model, events } = await createModel(server);
      expect(await model.optimStep(ADAM)).toEqual({ "grad_norm:mean": 2 });
      const sent = server.requestsTo("/optim_step");
      expect(sent).toHaveLength(3);
      expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(new Set(sent.map(({ headers }) => headers["X-Idempotency-Key"])).size).toBe(1);
      expect(events.filter(({ type }) => type === "re-issue")).toHaveLength(2);
    },
  );

  test("a call that may have arrived is not repeated when the server would run it twice", async () => {
    const troubles: (FakeReply | ConnectionTrouble)[] = ["reset", { status: 500 }];
    for (const trouble of troubles) {
      const server = createFakeServer(({ path }) => (path === "/optim_step" ? trouble : undefined));
      const { client, model } = await createModel(server);
      client.forbidRepeats();
      expect((await expectTinkerError(model.optimStep(ADAM))).kind).toBe("uncertain");
      expect(server.requestsTo("/optim_step")).toHaveLength(1);
    }
    const refusing = createFakeServer(({ path }, nth) =>
      path === "/optim_step" && nth === 0 ? "refused" : undefined,
    );
    const { client, model } = await createModel(refusing);
    client.forbidRepeats();
    await model.optimStep(ADAM); // The first attempt never arrived, so the call may be sent again.
    expect(refusing.requestsTo("/optim_step")).toHaveLength(2);
  });
});

describe("request numbers", () => {
  const sentNumbers = (server: FakeServer) =>
    server.requests
      .filter(({ path }) => /forward_backward|optim_step|save_weights$/.test(path))
      .map(({ body }) =>
        body instanceof Uint8Array
          ? decodeForwardBackwardRequest(body).seq_id
          : (body as { seq_id: number }).seq_id,
      );

  test("follow the order of the calls", async () => {
    const server = createFakeServer(({ path, body }) => {
      if (path !== "/retrieve_future") return undefined;
      const { request_id } = body as { request_id: string };
      return ["f2", "f3"].includes(request_id) ? { body: passOutput([-1, -2, -3]) } : undefined;
    });
    const { model } = await createModel(server);
    await Promise.all([
      model.forwardBackward(createPass(createDatum())),
      model.forwardBackward(createPass(createDatum())),
      model.optimStep(ADAM),
      model.saveWeights("a"),
    ]);
    expect(sentNumbers(server)).toEqual([1, 2, 3, 4]);
  });

  test("of refused requests are used again", async () => {
    const server = createFakeServer(({ path }, nth) =>
      path === "/optim_step" && nth === 0 ? { status: 400, body: { detail: "no" } } : undefined,
    );
    const { model } = await createModel(server);
    const [first, second] = [model.optimStep(ADAM), model.saveWeights("a")];
    expect((await expectTinkerError(first)).kind).toBe("rejected");
    await second;
    await model.optimStep(ADAM);
    expect(sentNumbers(server)).toEqual([1, 1, 2]);
  });

  test("load_weights is refused when it is not the model's first request", async () => {
    const { model } = await createModel(createFakeServer());
    await model.loadWeights("tinker://m/weights/a", { optimizer: true });
    const error = await expectTinkerError(
      model.loadWeights("tinker://m/weights/a", { optimizer: true }),
    );
    expect(error.kind).toBe("invalid");
    expect(error.message).toContain("first request");
  });
});

describe("dialects", () => {
  const dialectsSent = (server: FakeServer) =>
    server
      .requestsTo("/forward_backward")
      .map(({ headers }) => (headers["Content-Type"] === PROTOBUF ? "proto" : "json"));

  test("passes are sent as protobuf to a server that understands it", async () => {
    const server = createFakeServer(answerPasses);
    const { client, model } = await createModel(server);
    await model.forwardBackward(createPass(createDatum()));
    await model.forwardBackward(createPass(createDatum()));
    expect(dialectsSent(server)).toEqual(["proto", "proto"]);
    expect(client.dialect).toBe("proto");
  });

  test.each([400, 415, 422, 500])(
    "all passes are sent as JSON after protobuf got a %i",
    async (status) => {
      const server = createFakeServer((request, nth) =>
        request.headers["Content-Type"] === PROTOBUF
          ? { status, body: { detail: "?" } }
          : answerPasses(request, nth),
      );
      const { client, model, clock } = await createModel(server);
      await model.forwardBackward(createPass(createDatum()));
      await model.forwardBackward(createPass(createDatum()));
      expect(dialectsSent(server)).toEqual(["proto", "json", "json"]);
      expect(client.dialect).toBe("json");
      expect(clock.slept).toEqual([]);
    },
  );

  test("a refusal that is not about the encoding is reported with the server's text", async () => {
    const server = createFakeServer(({ path, headers }) => {
      if (path !== "/forward_backward") return undefined;
      return headers["Content-Type"] === PROTOBUF
        ? { status: 400, body: { detail: "unknown loss" } }
        : { status: 415, body: {} };
    });
    const { client, model } = await createModel(server);
    expect(
      (await expectTinkerError(model.forwardBackward(createPass(createDatum())))).message,
    ).toContain("unknown loss");
    expect(client.dialect).toBe("proto");
  });

  test("a dialect that the caller chose is used without trying the other", async () => {
    const server = createFakeServer(answerPasses);
    const { model } = await createModel(server, { dialect: "json" });
    await model.forwardBackward(createPass(createDatum()));
    await model.forward(createPass(createDatum()));
    expect(dialectsSent(server)).toEqual(["json"]);
    expect(server.requestsTo("/forward")).toHaveLength(1);
  });
});

describe("checks before sending", () => {
  test.each([
    ["a pass without a datum", [], /no datum/],
    ["a datum without tokens", [createDatum([])], /datum 0: model_input has no tokens/],
    [
      "an id outside the vocabulary",
      [createDatum([1, 100, 2])],
      /datum 0: model_input\[1\].*0 to 99.*100/,
    ],
    ["an id that is not an integer", [createDatum([1, 0.5, 2])], /model_input\[1\]/],
    [
      "a negative target token",
      [createDatum([1, 2, 3], { target_tokens: [1, 2, -1] })],
      /target_tokens\[2\]/,
    ],
    [
      "a row longer than the context",
      [createDatum(new Array(17).fill(1))],
      /17 tokens.*context is 16/,
    ],
    [
      "a tensor with too few values",
      [createDatum(), createDatum([1, 2, 3], { advantages: [1] })],
      /datum 1: advantages has 1 values, expected one for each of the 3 tokens/,
    ],
    [
      "an advantage of NaN",
      [createDatum([1, 2, 3], { advantages: [0, Number.NaN, 0] })],
      /advantages\[1\].*NaN/,
    ],
    [
      "a number too large for float32",
      [createDatum([1, 2, 3], { advantages: [0, 1e300, 0] })],
      /advantages\[1\]/,
    ],
    ["a log-prob above 0", [createDatum([1, 2, 3], { logprobs: [0, 1, 0] })], /logprobs\[1\]/],
    [
      "an advantage where the weight is 0",
      [createDatum([1, 2, 3], { weights: [1, 0, 1] })],
      /advantages\[1\].*weight is 0/,
    ],
  ])("refuses %s and sends nothing", async (_, data, words) => {
    const server = createFakeServer();
    const { model } = await createModel(server);
    const before = server.requests.length;
    const error = await expectTinkerError(model.forwardBackward(createPass(...data)));
    expect(error.kind).toBe("invalid");
    expect(error.message).toMatch(words);
    expect(server.requests).toHaveLength(before);
    expect(model.nextSeq).toBe(1);
  });

  test("a large batch is split into several requests, whose results are combined", async () => {
    const server = createFakeServer(({ path }, nth) =>
      path === "/retrieve_future" && nth > 0
        ? {
            body: {
              loss_fn_outputs: new Array(nth < 2 ? 1024 : 3).fill(
                passOutput([-1, -2, -3]).loss_fn_outputs[0],
              ),
              metrics: { "loss:sum": 2, "x:mean": nth },
            },
          }
        : undefined,
    );
    const { model } = await createModel(server);
    const result = await model.forwardBackward(createPass(...new Array(1027).fill(createDatum())));
    expect(result.loss_fn_outputs).toHaveLength(1027);
    expect(result.metrics["loss:sum"]).toBe(4);
    expect(result.metrics["x:mean"]).toBeCloseTo((1024 * 1 + 3 * 2) / 1027);
  });
});

describe("checks of results", () => {
  test.each<[string, unknown, TinkerErrorKind]>([
    ["a log-prob of NaN", passOutput([-1, null, -3]), "non-finite"],
    ["an output without a datum's result", { loss_fn_outputs: [], metrics: {} }, "malformed"],
    ["an output with too few log-probs", passOutput([-1, -2]), "malformed"],
    ["an output without log-probs", { loss_fn_outputs: [{}], metrics: {} }, "malformed"],
    ["probabilities instead of log-probs", passOutput([0.5, 0.5, 0.5]), "malformed"],
  ])("refuses %s", async (_, body, kind) => {
    const server = createFakeServer(({ path }, nth) =>
      path === "/retrieve_future" && nth > 0 ? { body } : undefined,
    );
    const { model } = await createModel(server);
    expect((await expectTinkerError(model.forwardBackward(createPass(createDatum())))).kind).toBe(
      kind,
    );
  });
});
