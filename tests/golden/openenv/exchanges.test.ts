/** Holds the dialect of OpenEnv: exchanges that `record_exchanges.py` recorded from its own client and server. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startOpenEnvServer } from "../../../src/server/index.ts";
import { resolveWorld } from "../../../src/train/index.ts";
import { openWorld } from "../../../src/world/index.ts";
import {
  connectOpenEnv,
  type OpenEnvAnswer,
  type OpenEnvClient,
} from "../../support/openenv-client.ts";

interface Exchanges {
  readonly client: readonly { readonly sent: object; readonly received: OpenEnvAnswer }[];
  readonly server: readonly { readonly sent: string; readonly received: OpenEnvAnswer }[];
  readonly capacity: OpenEnvAnswer;
}

const exchanges: Exchanges = JSON.parse(
  readFileSync(new URL("exchanges.json", import.meta.url), "utf8"),
);
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

let client: OpenEnvClient;
let full: OpenEnvClient;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const world = await openWorld(resolveWorld("toy").url, { seed: 1 });
  const server = await startOpenEnvServer({ world, maxEpisodes: 1 });
  const url = `ws://127.0.0.1:${server.port}/ws`;
  client = await connectOpenEnv(url);
  full = await connectOpenEnv(url);
  closers.push(
    () => client.close(),
    () => full.close(),
    () => server.close(),
    () => world.close(),
  );
});
afterAll(async () => {
  for (const close of closers) await close();
});

test("every frame of OpenEnv's own clients gets the answer that they understood", async () => {
  for (const { sent, received } of exchanges.client) {
    const answer = JSON.stringify(await client.ask(sent)).replace(ID, "ID");
    expect(JSON.parse(answer)).toEqual(received);
  }
});

/** Returns what a client can rely on: the type, the code of an error, the fields, and the code of JSON-RPC. */
function readShape({ type, data }: OpenEnvAnswer) {
  const error = data["error"] as { readonly code: number } | undefined;
  return { type, code: data.code, id: data["id"], rpcCode: error?.code };
}

test("every message has an answer of the same kind, and with the fields, as OpenEnv's own server gives", async () => {
  for (const { sent, received } of exchanges.server) {
    const answer = await client.ask(sent);
    expect([sent, readShape(answer)]).toEqual([sent, readShape(received)]);
    const missing = Object.keys(received.data).filter((field) => !(field in answer.data));
    expect([sent, missing]).toEqual([sent, []]);
    if (answer.type === "observation") {
      const { reward, done } = received.data;
      expect([sent, answer.data.reward, answer.data.done]).toEqual([sent, reward, done]);
    }
  }
});

test("a server without a place says so as OpenEnv's own server does", async () => {
  const { type, data } = await full.next();
  expect({ type, ...data, message: "" }).toEqual({
    ...{ type: exchanges.capacity.type, ...exchanges.capacity.data },
    message: "",
  });
});
