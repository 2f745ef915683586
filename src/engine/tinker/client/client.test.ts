/** Tests retries, sessions and the journal with a server that is a function and a clock whose sleeps take no time. */
import { describe, expect, test } from "vitest";
import {
  ADAM,
  createClient,
  createFakeServer,
  createModel,
  expectTinkerError,
} from "../../../../tests/support/tinker-client.ts";
import type { ConnectionTrouble, FakeReply } from "../../../testing/fake-tinker-server.ts";
import type { TinkerErrorKind } from "./errors.ts";
import type { CallJournal, JournalEntry } from "./journal.ts";

describe("retries", () => {
  test.each<[string, FakeReply | ConnectionTrouble, number[]]>([
    ["refused connection", "refused", [1000, 2000]],
    ["broken connection", "reset", [1000, 2000]],
    ["500", { status: 500 }, [1000, 2000]],
    ["408", { status: 408 }, [1000, 2000]],
    ["425", { status: 425 }, [1000, 2000]],
    ["429", { status: 429 }, [1000, 2000]],
    ["429 with retry-after", { status: 429, headers: { "retry-after": "7" } }, [7000, 7000]],
    ["503 with retry-after-ms", { status: 503, headers: { "retry-after-ms": "50" } }, [50, 50]],
    [
      "503 that asks for more than a minute",
      { status: 503, headers: { "retry-after": "900" } },
      [60_000, 60_000],
    ],
    ["402", { status: 402, body: { detail: "pay" } }, [5000, 5000]],
    ["400 with an empty body", { status: 400, body: "" }, []],
    [
      "404 with x-should-retry",
      { status: 404, headers: { "x-should-retry": "true" } },
      [1000, 2000],
    ],
  ])("a call is sent again after a %s, with the right delays", async (_, trouble, slept) => {
    const server = createFakeServer(({ path }, nth) =>
      path === "/create_session" && nth < 2 ? trouble : undefined,
    );
    const { client, clock } = await createClient(server);
    await client.openSession();
    expect(server.requestsTo("/create_session")).toHaveLength(3);
    expect(clock.slept).toEqual(slept);
    const keys = server
      .requestsTo("/create_session")
      .map(({ headers }) => headers["X-Idempotency-Key"]);
    expect(new Set(keys).size).toBe(1);
  });

  test.each<[string, FakeReply, TinkerErrorKind]>([
    ["400", { status: 400, body: { detail: "no such thing" } }, "rejected"],
    ["422", { status: 422, body: { detail: [{ loc: ["body"], msg: "m" }] } }, "rejected"],
    ["401", { status: 401, body: {} }, "denied"],
    ["404", { status: 404, body: { detail: "Not Found" } }, "missing"],
    ["409", { status: 409, body: { detail: "already exists" } }, "conflict"],
    [
      "500 with x-should-retry false",
      { status: 500, headers: { "x-should-retry": "false" } },
      "unreachable",
    ],
    [
      "400 about a lost model",
      { status: 400, body: { detail: "Model m1 not loaded" } },
      "model-lost",
    ],
    [
      "404 about a lost session",
      { status: 404, body: { detail: "Session not found" } },
      "session-lost",
    ],
  ])(
    "a call is not sent again after a %s, and the error has the right kind",
    async (_, reply, kind) => {
      const server = createFakeServer(({ path }) =>
        path === "/create_session" ? reply : undefined,
      );
      const { client } = await createClient(server);
      expect((await expectTinkerError(client.openSession())).kind).toBe(kind);
      expect(server.requestsTo("/create_session")).toHaveLength(1);
    },
  );

  test("a call is retried for five minutes, and for an hour when payment is due", async () => {
    let status = 503;
    const server = createFakeServer(({ path }) =>
      path === "/create_session" ? { status } : undefined,
    );
    const { client, clock } = await createClient(server);
    const start = clock.now();
    const error = await expectTinkerError(client.openSession());
    expect(error).toMatchObject({ kind: "unreachable", status: 503 });
    expect(error.message).toMatch(/given up after \d+ attempts in \d+ s/);
    expect((clock.now() - start) / 60_000).toBeCloseTo(4.9, 0);
    status = 402;
    const later = clock.now();
    expect((await expectTinkerError(client.openSession())).kind).toBe("billing");
    expect((clock.now() - later) / 60_000).toBe(60);
  });

  test("a call that got no answer for a minute is sent again", async () => {
    const server = createFakeServer(({ path }, nth) =>
      path === "/create_session" && nth === 0 ? "silence" : undefined,
    );
    const { client, clock } = await createClient(server);
    const opening = client.openSession();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(60_000);
    await opening;
    expect(server.requestsTo("/create_session")).toHaveLength(2);
  });
});

describe("sessions", () => {
  test("are kept alive by heartbeats, which also notice a lost session", async () => {
    let status = 200;
    const server = createFakeServer(({ path }) =>
      path === "/session_heartbeat" ? { status, body: {} } : undefined,
    );
    const { client, clock } = await createClient(server);
    const session = await client.openSession();
    const sendHeartbeat = async () => {
      clock.tick();
      await new Promise((resolve) => setImmediate(resolve));
    };
    await sendHeartbeat();
    expect(server.requestsTo("/session_heartbeat")[0]!.body).toMatchObject({ session_id: "s1" });
    for (const [next, lost] of [
      [503, false],
      [200, false],
      [404, true],
    ] as const) {
      status = next;
      await sendHeartbeat();
      expect(session.isLost).toBe(lost);
    }
    expect(await client.attachSession("old", { models: 1, samplers: 2 })).toBeUndefined();
    client.close();
    expect(clock.tasks).toBe(0);
  });

  test("closing the client ends a waiting call, and later calls throw", async () => {
    const server = createFakeServer(({ path }, nth) =>
      path === "/retrieve_future" && nth > 0 ? "silence" : undefined,
    );
    const { client, model } = await createModel(server);
    const pending = expectTinkerError(model.optimStep(ADAM));
    setImmediate(() => client.close());
    expect((await pending).kind).toBe("closed");
    expect((await expectTinkerError(client.openSession())).kind).toBe("closed");
  });
});

describe("the journal", () => {
  class MemoryJournal implements CallJournal {
    readonly entries: JournalEntry[] = [];
    find(key: string) {
      return this.entries.findLast((entry) => entry.key === key);
    }
    record(entry: JournalEntry) {
      this.entries.push(entry);
    }
  }

  test("answers a repeated call with the recorded future and refuses a different call under the same key", async () => {
    const journal = new MemoryJournal();
    const first = createFakeServer();
    const { model, session } = await createModel(first, { journal });
    await model.optimStep(ADAM);
    expect(journal.entries.map(({ requestId }) => requestId)).toEqual([
      undefined,
      "f1",
      undefined,
      "f2",
    ]);

    const second = createFakeServer();
    const { client } = await createClient(second, { journal });
    const again = await client.attachSession(session.id, session.counters);
    const ids = { id: model.id, epoch: model.epoch, nextSeq: 1 };
    await again!.attachModel(ids, {}).optimStep(ADAM);
    expect(second.requestsTo("/optim_step")).toHaveLength(0);
    expect(second.requestsTo("/retrieve_future")[0]!.body).toMatchObject({ request_id: "f2" });
    const other = again!.attachModel(ids, {}).optimStep({ ...ADAM, learning_rate: 2 });
    expect((await expectTinkerError(other)).kind).toBe("conflict");
    expect(second.requestsTo("/optim_step")).toHaveLength(0);
  });

  test("a call that an earlier process may have sent is sent again only when repeats are allowed", async () => {
    const journal = new MemoryJournal();
    const dying = createFakeServer(({ path }) =>
      path === "/optim_step" ? { status: 403, body: {} } : undefined,
    );
    const { model, session } = await createModel(dying, { journal });
    await expectTinkerError(model.optimStep(ADAM));
    expect(journal.entries.pop()).toMatchObject({ refused: true });
    // The journal is now as if the program had died before the answer.
    const server = createFakeServer();
    const { client } = await createClient(server, { journal });
    const again = (await client.attachSession(session.id, session.counters))!;
    const ids = { id: model.id, epoch: model.epoch, nextSeq: 1 };
    await again.attachModel(ids, {}).optimStep(ADAM);
    const [sent] = server.requestsTo("/optim_step");
    expect(sent!.headers["X-Idempotency-Key"]).toBe(
      dying.requestsTo("/optim_step")[0]!.headers["X-Idempotency-Key"],
    );
    client.forbidRepeats();
    journal.entries.splice(-1);
    expect((await expectTinkerError(again.attachModel(ids, {}).optimStep(ADAM))).kind).toBe(
      "uncertain",
    );
  });
});
