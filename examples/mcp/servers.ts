/** Finds MCP servers that were installed with npm: `npm install @modelcontextprotocol/server-memory`. */
import { join, resolve } from "node:path";
import type { StdioServer } from "bowline/world";

/** Returns the command that starts a server, from `node_modules` here or in the folder that MCP_SERVERS names. */
export function installedServer(
  name: "memory" | "filesystem" | "everything",
  args: readonly string[] = [],
): StdioServer {
  const folder = resolve(process.env["MCP_SERVERS"] ?? ".", "node_modules");
  const script = join(folder, "@modelcontextprotocol", `server-${name}`, "dist", "index.js");
  return { command: process.execPath, args: [script, ...args] };
}
