/** The apps of MCP servers in an open world: connects to the servers, describes their tools, and calls them. */
import { BowlineError, didYouMean, errorMessage, formatValue } from "../../../core/index.ts";
import type {
  ForeignApp,
  ForeignApps,
  ForeignCall,
  ForeignConnection,
  ForeignPlace,
  ForeignReply,
} from "../define.ts";
import { HttpChannel } from "./http-channel.ts";
import { type RpcChannel, RpcError } from "./json-rpc.ts";
import { McpClient, type McpEra, type McpTool, type McpToolResult } from "./mcp-client.ts";
import type { McpAppsOptions, McpServer } from "./mcp-servers.ts";
import { StdioChannel } from "./stdio-channel.ts";
import { describeTools, namesOfTools } from "./tool-names.ts";

interface OpenServer {
  readonly client: McpClient;
  readonly tools: ReadonlyMap<string, McpTool>;
}

/** Connects to MCP servers, and remembers the protocol and the tools of each server. */
export class OpenedMcpApps implements ForeignApps {
  readonly #servers: Readonly<Record<string, McpServer>>;
  readonly #options: McpAppsOptions;
  /** What is known about each server from the first connection. */
  readonly #eras = new Map<string, McpEra>();
  readonly #tools = new Map<string, ReadonlyMap<string, McpTool>>();

  constructor(servers: Readonly<Record<string, McpServer>>, options: McpAppsOptions) {
    this.#servers = servers;
    this.#options = options;
  }

  async describe(place: ForeignPlace): Promise<readonly ForeignApp[]> {
    const names = Object.keys(this.#servers);
    return Promise.all(
      names.map(async (name) => {
        const client = await this.#open(name, place);
        try {
          const server = this.#servers[name]!;
          const tools = selectTools(name, await client.listTools(), server.tools);
          this.#tools.set(name, namesOfTools(name, tools));
          const summary = server.summary ?? `The tools of the MCP server ${name}.`;
          return { name, summary, apis: describeTools(this.#tools.get(name)!) };
        } finally {
          await client.close();
        }
      }),
    );
  }

  async connect(place: ForeignPlace): Promise<ForeignConnection> {
    const names = Object.keys(this.#servers);
    const opened = await Promise.allSettled(
      names.map(async (name): Promise<[string, OpenServer]> => {
        const client = await this.#open(name, place);
        return [name, { client, tools: this.#tools.get(name) ?? new Map() }];
      }),
    );
    const servers = new Map(
      opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
    );
    const failure = opened.find((one) => one.status === "rejected");
    const connection = new McpConnection(servers, this.#options);
    if (!failure) return connection;
    await connection.close();
    throw failure.reason;
  }

  async #open(name: string, { directory, signal }: ForeignPlace): Promise<McpClient> {
    const era = this.#eras.get(name);
    const channel = openChannel(this.#servers[name]!, directory);
    signal.addEventListener("abort", () => void channel.close(), { once: true });
    try {
      const client = await McpClient.open(channel, era);
      this.#eras.set(name, client.era);
      return client;
    } catch (cause) {
      await channel.close();
      throw new BowlineError("world", `MCP server ${name}: ${errorMessage(cause)}`, { cause });
    }
  }
}

class McpConnection implements ForeignConnection {
  readonly #servers: ReadonlyMap<string, OpenServer>;
  readonly #options: McpAppsOptions;

  constructor(servers: ReadonlyMap<string, OpenServer>, options: McpAppsOptions) {
    this.#servers = servers;
    this.#options = options;
  }

  async begin(): Promise<void> {
    await this.#options.reset?.(async (server, tool, args = {}) => {
      const open = this.#servers.get(server);
      if (!open) throw new BowlineError("world", `reset: there is no server ${server}`);
      const reply = toReply(await open.client.callTool(tool, args));
      if (reply.ok) return reply.value;
      throw new BowlineError("world", `reset: ${server} ${tool}: ${reply.message}`);
    });
  }

  async call({ app, api, args }: ForeignCall): Promise<ForeignReply> {
    const server = this.#servers.get(app);
    const tool = server?.tools.get(api);
    if (!server || !tool) throw new BowlineError("world", `there is no tool ${app}.${api}`);
    try {
      return toReply(await server.client.callTool(tool.name, args));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return { ok: false, status: statusOf(error.code), message: cut(error.message) };
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#servers.values()].map(({ client }) => client.close()));
  }
}

/** The largest number of characters of an error message that the agent sees. */
const MAX_ERROR_CHARS = 1000;
const cut = (text: string) =>
  text.length > MAX_ERROR_CHARS ? `${text.slice(0, MAX_ERROR_CHARS)}...` : text;

function statusOf(code: number): number {
  if (code === -32601) return 404;
  return code === -32602 || code === -32600 ? 422 : 500;
}

/**
 * Returns the value of a result. This is the structured content, or else the only text, parsed if it is JSON, or else a
 * list with a text or a description for each part.
 */
function toReply({ content = [], structuredContent, isError }: McpToolResult): ForeignReply {
  const texts = content.flatMap(({ type, text }) => (type === "text" ? [text ?? ""] : []));
  if (isError) {
    return { ok: false, status: 422, message: cut(texts.join("\n") || "the tool failed") };
  }
  if (structuredContent !== undefined) return { ok: true, value: structuredContent };
  if (texts.length === content.length && texts.length === 1) {
    return { ok: true, value: parseJsonOrText(texts[0]!) };
  }
  const parts = content.map(({ type, text, mimeType, uri }) =>
    type === "text"
      ? (text ?? "")
      : `(${[type ?? "something", mimeType, uri].filter(Boolean).join(", ")})`,
  );
  return { ok: true, value: parts.length === 1 ? parts[0] : parts };
}

/** Returns the object or list that a text is the JSON of; any other text is returned as it is. */
function parseJsonOrText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function openChannel(server: McpServer, directory: string): RpcChannel {
  const fill = (text: string) => text.replaceAll("{dir}", directory);
  const fillAll = (texts: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));
  if ("url" in server) return new HttpChannel(fill(server.url), fillAll(server.headers));
  if (typeof server.command !== "string") {
    throw new BowlineError("world", `expected a command or a url, got ${formatValue(server)}`);
  }
  const { command, args = [], env, cwd = directory } = server;
  const { PATH = "", HOME = "" } = process.env;
  return new StdioChannel({
    ...{ command, args: args.map(fill), cwd: fill(cwd) },
    env: { PATH, HOME, ...fillAll(env) },
  });
}

/** Returns the tools that agents may call. Throws a `world` error for a name that the server does not list. */
function selectTools(
  server: string,
  tools: readonly McpTool[],
  wanted: readonly string[] | undefined,
): readonly McpTool[] {
  if (!wanted) return tools;
  const names = tools.map(({ name }) => name);
  const missing = wanted.find((name) => !names.includes(name));
  if (missing === undefined) return tools.filter(({ name }) => wanted.includes(name));
  throw new BowlineError(
    "world",
    `MCP server ${server}: it has no tool ${formatValue(missing)}${didYouMean(missing, names)}`,
  );
}
