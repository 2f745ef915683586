/** The client of the MCP SDK acts in an episode over streamable HTTP. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, test } from "vitest";
import { resolveWorld } from "../../train/index.ts";
import { openWorld } from "../../world/index.ts";
import { startOpenEnvServer } from "./server.ts";

test("a session begins with the task of its URL, calls tools, and ends when the client leaves", async () => {
  const world = await openWorld(resolveWorld("toy").url, { seed: 1 });
  const server = await startOpenEnvServer({ world });
  const transport = new StreamableHTTPClientTransport(
    new URL(`${server.url}/mcp?split=dev&index=1`),
  );
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport as Transport);
  expect(client.getInstructions()).toBe(world.tasks("dev")[1]!.instruction);
  expect(server.openEpisodes).toBe(1);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("shelf_put");
  const put = { name: "shelf_put", arguments: { item: "cup", box: "red" } };
  expect(await client.callTool(put)).toMatchObject({ isError: false });
  const wrong = { name: "shelf_put", arguments: { item: "cow", box: "red" } };
  expect(await client.callTool(wrong)).toMatchObject({ isError: true });
  await expect(client.callTool({ name: "shelf_putt" })).rejects.toThrow("did you mean shelf_put");
  const finish = { name: "me_finishTask", arguments: {} };
  expect(await client.callTool(finish)).toMatchObject({ _meta: { "bowline/done": true } });
  await expect(client.callTool(put)).rejects.toThrow("the episode is over");
  await transport.terminateSession();
  expect(server.sessions).toBe(0);
  await client.close();
  await server.close();
  await world.close();
});
