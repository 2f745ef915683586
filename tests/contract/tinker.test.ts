/** Tests that an engine on a Tinker server keeps the engine contract, over real sockets. */
import { afterAll } from "vitest";
import { createTinkerEngine } from "../../src/engine/index.ts";
import { startTestServer, type TestServer, TINY } from "../support/tinker-server.ts";
import { HONEST_TRAITS } from "../support/tinker-traits.ts";
import { describeEngine } from "./describe-engine.ts";

const model = { ...TINY, vocabularySize: 32, contextLength: 96 };
let server: Promise<TestServer> | undefined;
afterAll(async () => (await server)?.close());

describeEngine(
  "tinker",
  async (seed) => {
    server ??= startTestServer({ model, maxModels: 8 });
    const { url } = await server;
    return createTinkerEngine({ ...model, url, rank: 4, seed, traits: HONEST_TRAITS });
  },
  { isRemote: true },
);
