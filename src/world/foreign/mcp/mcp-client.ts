/**
 * A client of one MCP server: finds out which era of the protocol the server speaks, lists its tools and calls them.
 *
 * Since 2026-07-28 every request says its version, and `server/discover` asks for the server's. Older servers want the
 * handshake `initialize` first. Sources: modelcontextprotocol.io/specification/2026-07-28/basic/versioning and
 * 2025-11-25/basic/lifecycle.
 */
import { BowlineError, formatValue } from "../../../core/index.ts";
import type { JsonSchema } from "../../api/index.ts";
import { withTimeout } from "../timeout.ts";
import { type RpcChannel, RpcError } from "./json-rpc.ts";

/** An era of the protocol: `modern` has no handshake, `legacy` begins with one. */
export type McpEra = "modern" | "legacy";

/** A tool as a server lists it. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly title?: string };
}

/** What a tool answered. */
export interface McpToolResult {
  readonly content?: readonly {
    readonly type?: string;
    readonly text?: string;
    readonly mimeType?: string;
    readonly uri?: string;
  }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly resultType?: string;
}

const MODERN_VERSION = "2026-07-28";
const LEGACY_VERSION = "2025-11-25";
const CLIENT = { name: "bowline", version: "1" };
const META = "io.modelcontextprotocol";
/** A server of the older era may ignore a request before its handshake, so its silence is an answer too. */
const PROBE_MS = 3000;
const MAX_PAGES = 1000;

export class McpClient {
  readonly era: McpEra;
  readonly #channel: RpcChannel;

  private constructor(channel: RpcChannel, era: McpEra) {
    this.#channel = channel;
    this.era = era;
  }

  /** Opens a client. `era` is known from an earlier connection to the same server, or undefined. */
  static async open(channel: RpcChannel, era: McpEra | undefined): Promise<McpClient> {
    if (era === "modern" || (era === undefined && (await speaksModern(channel)))) {
      channel.setHeaders({ "mcp-protocol-version": MODERN_VERSION });
      return new McpClient(channel, "modern");
    }
    await shakeHands(channel);
    return new McpClient(channel, "legacy");
  }

  /** Lists all tools, page by page. */
  async listTools(): Promise<readonly McpTool[]> {
    const tools: McpTool[] = [];
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const result = (await this.#request("tools/list", params)) as {
        readonly tools?: unknown;
        readonly nextCursor?: unknown;
      };
      if (!Array.isArray(result.tools)) {
        throw new BowlineError(
          "world",
          `tools/list: expected a list of tools, got ${formatValue(result.tools)}`,
        );
      }
      tools.push(...(result.tools as McpTool[]));
      cursor = result.nextCursor;
      if (typeof cursor !== "string" || cursor === "") return tools;
    }
    throw new BowlineError("world", `tools/list: more than ${MAX_PAGES} pages`);
  }

  /** Calls a tool. Rejects with an `RpcError` when the server refuses the request. */
  async callTool(name: string, args: object): Promise<McpToolResult> {
    const result = await this.#request("tools/call", { name, arguments: args });
    if (typeof result !== "object" || result === null) {
      throw new BowlineError("world", `${name}: expected a result, got ${formatValue(result)}`);
    }
    const { resultType, content, structuredContent } = result as McpToolResult;
    if (resultType === "input_required") {
      throw new RpcError(-32600, `${name} asks for input of a person, which nobody can give here`);
    }
    if (!Array.isArray(content) && structuredContent === undefined) {
      throw new BowlineError(
        "world",
        `${name}: expected a result with content, got ${formatValue(result)}`,
      );
    }
    return result as McpToolResult;
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  #request(method: string, params: object): Promise<unknown> {
    return this.#channel.request(method, this.era === "modern" ? withMeta(params) : params);
  }
}

function withMeta(params: object): object {
  const meta = {
    [`${META}/protocolVersion`]: MODERN_VERSION,
    [`${META}/clientCapabilities`]: {},
    [`${META}/clientInfo`]: CLIENT,
  };
  return { ...params, _meta: meta };
}

/** Asks a server whether it speaks the newer era. */
async function speaksModern(channel: RpcChannel): Promise<boolean> {
  channel.setHeaders({ "mcp-protocol-version": MODERN_VERSION });
  try {
    const asked = channel.request("server/discover", withMeta({}));
    const found = (await withTimeout(asked, PROBE_MS, "server/discover")) as {
      readonly supportedVersions?: unknown;
    };
    const versions = found.supportedVersions;
    return Array.isArray(versions) && versions.includes(MODERN_VERSION);
  } catch (error) {
    if (error instanceof RpcError || isLate(error)) return false;
    throw error;
  }
}

const isLate = (error: unknown) =>
  BowlineError.is(error) && error.message.startsWith("server/discover did not end");

async function shakeHands(channel: RpcChannel): Promise<void> {
  channel.setHeaders({ "mcp-protocol-version": LEGACY_VERSION });
  const result = (await channel.request("initialize", {
    protocolVersion: LEGACY_VERSION,
    capabilities: {},
    clientInfo: CLIENT,
  })) as { readonly protocolVersion?: unknown };
  const version = result.protocolVersion;
  if (typeof version !== "string") {
    throw new BowlineError(
      "world",
      `initialize: expected a protocolVersion, got ${formatValue(version)}`,
    );
  }
  channel.setHeaders({ "mcp-protocol-version": version });
  await channel.notify("notifications/initialized", {});
}
