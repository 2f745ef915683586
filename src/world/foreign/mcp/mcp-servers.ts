/** How MCP servers are named as apps: processes or URLs, the tools that agents may call, and how they are reset. */

/** A server that is started as a process. */
export interface StdioServer {
  readonly command: string;
  readonly args?: readonly string[];
  /** Environment variables of the process. It inherits PATH and HOME, and no others. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory. Default: the folder of the connection. */
  readonly cwd?: string;
}

/** A server behind a URL. Its state is its own: give the world a `begin` that resets it. */
export interface HttpServer {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server, and how it is used. */
export type McpServer = (StdioServer | HttpServer) & {
  /** One line that says what the app is. Default: one that names the server. */
  readonly summary?: string;
  /** The tools that agents may call. Default: all. */
  readonly tools?: readonly string[];
};

/** Calls a tool by its own name, and returns the value. Rejects for an error. */
export type CallTool = (
  server: string,
  tool: string,
  args?: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

/** How MCP servers are put into the start state of an episode. */
export interface McpAppsOptions {
  /**
   * Resets the servers. It is needed with isolation by reset, where a server keeps state that is not in the folder's files.
   */
  readonly reset?: (call: CallTool) => Promise<void>;
}
