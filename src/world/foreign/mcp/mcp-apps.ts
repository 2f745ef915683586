/**
 * MCP servers as apps: each server is an app, and each of its tools an API.
 *
 * A server runs as a process (stdio) or behind a URL (streamable HTTP). In its arguments and its environment, `{dir}`
 * stands for the folder of the connection, in which the files of the task are. Names of tools become identifiers, and the
 * documentation comes from the tools' schemas. The code that connects to servers is loaded when a world is
 * opened.
 */
import type { ForeignApps } from "../define.ts";
import type { McpAppsOptions, McpServer } from "./mcp-servers.ts";

/** Makes apps of MCP servers. The names of the servers are the names of the apps. */
export function mcpApps(
  servers: Readonly<Record<string, McpServer>>,
  options: McpAppsOptions = {},
): ForeignApps {
  let opened: ForeignApps | undefined;
  const open = async (): Promise<ForeignApps> => {
    const { OpenedMcpApps } = await import("./opened-mcp-apps.ts");
    opened ??= new OpenedMcpApps(servers, options);
    return opened;
  };
  return {
    describe: async (place) => (await open()).describe(place),
    connect: async (place) => (await open()).connect(place),
  };
}
