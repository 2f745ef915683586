/** The client against a server that is a function and a clock whose sleeps take no time: retries, sessions, journal. */
import { describe, expect, test } from "vitest";
import {
  ADAM,
  clientOf,
  failure,
  modelOf,
  serverWith,
} from "../../../../tests/support/tinker-client.ts";
import type { Reply, Trouble } from "../../../testing/fake-tinker-server.ts";
import type { TinkerErrorKind } from "./errors.ts";
import type { CallJournal, JournalEntry } from "./journal.ts";

describe("calls are sent again", () => {
  test.each<[string, Reply | Trouble, number[]]>([
    ["refused connections", "refused", [1000, 2000]],
    ["broken connections", "reset", [1000, 2000]],
    ["500", { status: 500 }, [1000, 2000]],
    ["408", { status: 408 }, [1000, 2000]],
    ["425", { status: 425 }, [1000, 2000]],
    ["429", { status: 429 }, [1000, 2000]],
    ["429 with retry-after", { status: 429, headers: { "retry-after": "7" } }, [7000, 7000]],
    ["503 with retry-after-ms", { status: 503, headers: { "retry-after-ms": "50" } }, [50, 50]],
    [
      "a wait of more than a minute",
      { status: 503, headers: { "retry-after": "900" } },
      [60_000, 60_000],
    ],
    ["402", { status: 402, body: { detail: "pay" } }, [5000, 5000]],
    ["an empty 400", { status: 400, body: "" }, []],
    [
      "what the server says may be",
      { status: 404, headers: { "x-should-retry": "true" } },
      [1000, 2000],
    ],
  ])("after %s", async (_, trouble, slept) => {
    const server = serverWith(({ path }, nth) =>
      path === "/create_session" && nth < 2 ? trouble : undefined,
    );
    const { client, clock } = await clientOf(server);
    await client.openSession();
    expect(server.of("/create_session")).toHaveLength(3);
    expect(clock.slept).toEqual(slept);
    const keys = server.of("/create_session").map(({ headers }) => headers["X-Idempotency-Key"]);
    expect(new Set(keys).size).toBe(1);
  });

  test.each<[string, Reply, TinkerErrorKind]>([
    ["400", { status: 400, body: { detail: "no such thing" } }, "rejected"],
    ["422", { status: 422, body: { detail: [{ loc: ["body"], msg: "m" }] } }, "rejected"],
    ["401", { status: 401, body: {} }, "denied"],
    ["404", { status: 404, body: { detail: "Not Found" } }, "missing"],
    ["409", { status: 409, body: { detail: "already exists" } }, "conflict"],
    [
      "500 that says not to",
      { status: 500, headers: { "x-should-retry": "false" } },
      "unreachable",
    ],
    [
      "a model that is gone",
      { status: 400, body: { detail: "Model m1 not loaded" } },
      "model-lost",
    ],
    [
      "a session that is gone",
      { status: 404, body: { detail: "Session not found" } },
      "session-lost",
    ],
  ])("but not after %s", async (_, reply, kind) => {
    const server = serverWith(({ path }) => (path === "/create_session" ? reply : undefined));
    const { client } = await clientOf(server);
    expect((await failure(client.openSession())).kind).toBe(kind);
    expect(server.of("/create_session")).toHaveLength(1);
  });

  test("for five minutes, and an hour where payment is due", async () => {
    let status = 503;
    const server = serverWith(({ path }) => (path === "/create_session" ? { status } : undefined));
    const { client, clock } = await clientOf(server);
    const start = clock.now();
    const error = await failure(client.openSession());
    expect(error).toMatchObject({ kind: "unreachable", status: 503 });
    expect(error.message).toMatch(/given up after \d+ attempts in \d+ s/);
    expect((clock.now() - start) / 60_000).toBeCloseTo(4.9, 0);
    status = 402;
    const later = clock.now();
    expect((await failure(client.openSession())).kind).toBe("billing");
    expect((clock.now() - later) / 60_000).toBe(60);
  });

  test("a call without an answer ends after a minute and is sent again", async () => {
    const server = serverWith(({ path }, nth) =>
      path === "/create_session" && nth === 0 ? "silence" : undefined,
    );
    const { client, clock } = await clientOf(server);
    const opening = client.openSession();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(60_000);
    await opening;
    expect(server.of("/create_session")).toHaveLength(2);
  });
});

describe("sessions", () => {
  test("are kept alive, and a lost one is noticed", async () => {
    let status = 200;
    const server = serverWith(({ path }) =>
      path === "/session_heartbeat" ? { status, body: {} } : undefined,
    );
    const { client, clock } = await clientOf(server);
    const session = await client.openSession();
    const beat = async () => {
      clock.tick();
      await new Promise((resolve) => setImmediate(resolve));
    };
    await beat();
    expect(server.of("/session_heartbeat")[0]!.body).toMatchObject({ session_id: "s1" });
    for (const [next, lost] of [
      [503, false],
      [200, false],
      [404, true],
    ] as const) {
      status = next;
      await beat();
      expect(session.isLost).toBe(lost);
    }
    expect(await client.attachSession("old", { models: 1, samplers: 2 })).toBeUndefined();
    client.close();
    expect(clock.tasks).toBe(0);
  });

  test("closing ends what waits", async () => {
    const server = serverWith(({ path }, nth) =>
      path === "/retrieve_future" && nth > 0 ? "silence" : undefined,
    );
    const { client, model } = await modelOf(server);
    const pending = failure(model.optimStep(ADAM));
    setImmediate(() => client.close());
    expect((await pending).kind).toBe("closed");
    expect((await failure(client.openSession())).kind).toBe("closed");
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

  test("answers the same call with the recorded future, and refuses another under its name", async () => {
    const journal = new MemoryJournal();
    const first = serverWith();
    const { model, session } = await modelOf(first, { journal });
    await model.optimStep(ADAM);
    expect(journal.entries.map(({ requestId }) => requestId)).toEqual([
      undefined,
      "f1",
      undefined,
      "f2",
    ]);

    const second = serverWith();
    const { client } = await clientOf(second, { journal });
    const again = await client.attachSession(session.id, session.counters);
    const ids = { id: model.id, epoch: model.epoch, nextSeq: 1 };
    await again!.attachModel(ids, {}).optimStep(ADAM);
    expect(second.of("/optim_step")).toHaveLength(0);
    expect(second.of("/retrieve_future")[0]!.body).toMatchObject({ request_id: "f2" });
    const other = again!.attachModel(ids, {}).optimStep({ ...ADAM, learning_rate: 2 });
    expect((await failure(other)).kind).toBe("conflict");
    expect(second.of("/optim_step")).toHaveLength(0);
  });

  test("a call that was about to be sent is sent again, or, in doubt, not", async () => {
    const journal = new MemoryJournal();
    const dying = serverWith(({ path }) =>
      path === "/optim_step" ? { status: 403, body: {} } : undefined,
    );
    const { model, session } = await modelOf(dying, { journal });
    await failure(model.optimStep(ADAM));
    expect(journal.entries.pop()).toMatchObject({ refused: true });
    // As if the program had died before the answer.
    const server = serverWith();
    const { client } = await clientOf(server, { journal });
    const again = (await client.attachSession(session.id, session.counters))!;
    const ids = { id: model.id, epoch: model.epoch, nextSeq: 1 };
    await again.attachModel(ids, {}).optimStep(ADAM);
    const [sent] = server.of("/optim_step");
    expect(sent!.headers["X-Idempotency-Key"]).toBe(
      dying.of("/optim_step")[0]!.headers["X-Idempotency-Key"],
    );
    client.forbidRepeats();
    journal.entries.splice(-1);
    expect((await failure(again.attachModel(ids, {}).optimStep(ADAM))).kind).toBe("uncertain");
  });
});
