import { test } from "vitest";
import { createTinkerEngine } from "../../src/engine/index.ts";
import { startTestServer, TINY } from "../support/tinker-server.ts";
import { HONEST } from "../support/tinker-traits.ts";
test("time", async () => {
  const server = await startTestServer({});
  const engine = await createTinkerEngine({ ...TINY, url: server.url, rank: 4, seed: 1, traits: HONEST });
  for (const count of [1, 10, 10, 100, 300]) {
    const t = performance.now(); const c = process.cpuUsage();
    await engine.sample(Array.from({ length: count }, (_, stream) => ({ tokens: [5, 9, 2], stream, maxTokens: 1, temperature: 1, stopIds: [] })));
    const u = process.cpuUsage(c);
    console.log(count, (performance.now() - t).toFixed(0), "ms cpu", (u.user + u.system) / 1000);
  }
  await engine.close(); await server.close();
}, 300000);
