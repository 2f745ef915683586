/**
 * How the agent reaches its tools: through an MCP server. The server of an episode runs in this process, so that every
 * episode has its own desk. In production, connect the client to your server by another transport of the MCP SDK.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createDeskTools, type Desk } from "./desk.ts";

export type Tools = Client;

/** Connects an MCP client to a new MCP server with the tools of a desk. `close` ends both. */
export async function connectTools(
  desk: Desk,
): Promise<{ readonly tools: Tools; readonly close: () => Promise<void> }> {
  const server = createServer(desk);
  const client = new Client({ name: "agent", version: "1.0.0" });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return { tools: client, close: () => client.close() };
}

function createServer(desk: Desk): Server {
  const tools = createDeskTools(desk);
  const server = new Server({ name: "desk", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: parameters,
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    const text = tool ? tool.execute(params.arguments) : `there is no tool ${params.name}`;
    return { content: [{ type: "text", text }], isError: tool === undefined };
  });
  return server;
}
