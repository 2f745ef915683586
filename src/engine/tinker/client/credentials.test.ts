/** The key: where it goes, and where it must never appear. */
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  ADAM,
  clientOf,
  datum,
  failure,
  type Handler,
  KEY,
  modelOf,
  passOf,
  serverWith,
} from "../../../../tests/support/tinker-client.ts";
import { FakeClock } from "../../../testing/fake-tinker-server.ts";
import { createTinkerClient } from "./client.ts";
import type { JournalEntry } from "./journal.ts";

describe("the key", () => {
  /** A server that says the key back wherever it can. */
  const parrot: Handler = ({ path, headers }, nth) => {
    const key = headers["X-API-Key"];
    if (path === "/optim_step") return { status: 400, body: { detail: `key ${key} is wrong` } };
    if (path === "/save_weights") return { status: 403, body: `no: ${key}` };
    if (path === "/create_model" || nth === 0) return undefined;
    if (path === "/retrieve_future")
      return { body: { error: `failed for ${key}`, category: "server" } };
    if (path === "/create_session")
      return { body: { session_id: "s2", error_message: `bad ${key}` } };
    return undefined;
  };

  test("is sent in its header and told to nobody", async () => {
    const server = serverWith(parrot);
    const journal = {
      entries: [] as JournalEntry[],
      find: () => undefined,
      record(e: JournalEntry) {
        this.entries.push(e);
      },
    };
    const { client, session, model, events } = await modelOf(server, { journal });
    const errors = [
      await failure(model.optimStep(ADAM)),
      await failure(model.saveWeights("a")),
      await failure(model.forwardBackward(passOf(datum()))),
      await failure(client.openSession()),
      await failure(
        createTinkerClient({ baseUrl: `http://user:${KEY}@server.test`, fetch: server.fetch }),
      ),
      await failure(createTinkerClient({ baseUrl: KEY, fetch: server.fetch })),
      await failure(
        createTinkerClient({
          baseUrl: "http://server.test",
          apiKey: KEY,
          fetch: () => Promise.reject(new TypeError(`cannot send ${KEY}`)),
          clock: new FakeClock(),
        }),
      ),
      await failure(createTinkerClient({ baseUrl: "http://server.test", apiKey: `${KEY}\n` })),
    ];
    for (const { headers } of server.seen) expect(headers["X-API-Key"]).toBe(KEY);
    const told = [
      errors,
      errors.map((error) => `${error.stack} ${error.message}`),
      journal.entries,
      events,
    ];
    const everything = inspect([told, client, session, model], { depth: 20, showHidden: true });
    expect(everything + JSON.stringify(told)).not.toContain("SECRET");
    expect(errors[0]!.message).toContain("[key]");
  });

  test("buys tokens where the server wants them, in time and after a 401", async () => {
    const clock = new FakeClock();
    let sold = 0;
    const jwt = (n: number) => {
      const payload = JSON.stringify({ exp: clock.now() / 1000 + 3600, n });
      return `eyJh.${Buffer.from(payload).toString("base64url")}.sig`;
    };
    const tokens: string[] = [];
    let refuse = false;
    const server = serverWith(({ path, headers }) => {
      if (path === "/client/config") return { body: { pjwt_auth_enabled: true } };
      if (path === "/auth/token") {
        expect(headers["X-API-Key"]).toBe(KEY);
        tokens.push(jwt(++sold));
        return { body: { jwt: tokens.at(-1) } };
      }
      if (headers["X-API-Key"] !== tokens.at(-1)) return { status: 401, body: {} };
      if (refuse) {
        refuse = false;
        return { status: 401, body: {} };
      }
      return undefined;
    });
    const { client } = await clientOf(server, { clock });
    await Promise.all([client.openSession(), client.openSession()]);
    expect(sold).toBe(1);
    clock.advance(56 * 60_000); // Less than five minutes are left.
    await client.openSession();
    expect(sold).toBe(2);
    refuse = true;
    await client.openSession();
    expect(sold).toBe(3);
  });
});
