/** Tests where the API key is sent, and that it appears nowhere else. */
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  ADAM,
  createClient,
  createDatum,
  createFakeServer,
  createModel,
  createPass,
  expectTinkerError,
  type Handler,
  KEY,
} from "../../../../tests/support/tinker-client.ts";
import { FakeClock } from "../../../testing/fake-tinker-server.ts";
import { createTinkerClient } from "./client.ts";
import type { JournalEntry } from "./journal.ts";

describe("the API key", () => {
  /** A server that repeats the key in every answer that it can. */
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

  test("is sent in its header and appears in no error, event, journal entry or object", async () => {
    const server = createFakeServer(parrot);
    const journal = {
      entries: [] as JournalEntry[],
      find: () => undefined,
      record(e: JournalEntry) {
        this.entries.push(e);
      },
    };
    const { client, session, model, events } = await createModel(server, { journal });
    const errors = [
      await expectTinkerError(model.optimStep(ADAM)),
      await expectTinkerError(model.saveWeights("a")),
      await expectTinkerError(model.forwardBackward(createPass(createDatum()))),
      await expectTinkerError(client.openSession()),
      await expectTinkerError(
        createTinkerClient({ baseUrl: `http://user:${KEY}@server.test`, fetch: server.fetch }),
      ),
      await expectTinkerError(createTinkerClient({ baseUrl: KEY, fetch: server.fetch })),
      await expectTinkerError(
        createTinkerClient({
          baseUrl: "http://server.test",
          apiKey: KEY,
          fetch: () => Promise.reject(new TypeError(`cannot send ${KEY}`)),
          clock: new FakeClock(),
        }),
      ),
      await expectTinkerError(
        createTinkerClient({ baseUrl: "http://server.test", apiKey: `${KEY}\n` }),
      ),
    ];
    for (const { headers } of server.requests) expect(headers["X-API-Key"]).toBe(KEY);
    const visible = [
      errors,
      errors.map((error) => `${error.stack} ${error.message}`),
      journal.entries,
      events,
    ];
    const everything = inspect([visible, client, session, model], { depth: 20, showHidden: true });
    expect(everything + JSON.stringify(visible)).not.toContain("SECRET");
    expect(errors[0]!.message).toContain("[key]");
  });

  test("is exchanged for access tokens, which are renewed before they expire and after a 401", async () => {
    const clock = new FakeClock();
    let tokensIssued = 0;
    const createJwt = (n: number) => {
      const payload = JSON.stringify({ exp: clock.now() / 1000 + 3600, n });
      return `eyJh.${Buffer.from(payload).toString("base64url")}.sig`;
    };
    const tokens: string[] = [];
    let refuseOnce = false;
    const server = createFakeServer(({ path, headers }) => {
      if (path === "/client/config") return { body: { pjwt_auth_enabled: true } };
      if (path === "/auth/token") {
        expect(headers["X-API-Key"]).toBe(KEY);
        tokens.push(createJwt(++tokensIssued));
        return { body: { jwt: tokens.at(-1) } };
      }
      if (headers["X-API-Key"] !== tokens.at(-1)) return { status: 401, body: {} };
      if (refuseOnce) {
        refuseOnce = false;
        return { status: 401, body: {} };
      }
      return undefined;
    });
    const { client } = await createClient(server, { clock });
    await Promise.all([client.openSession(), client.openSession()]);
    expect(tokensIssued).toBe(1);
    clock.advance(56 * 60_000); // The token now expires in less than five minutes.
    await client.openSession();
    expect(tokensIssued).toBe(2);
    refuseOnce = true;
    await client.openSession();
    expect(tokensIssued).toBe(3);
  });
});
