/**
 * JSON-RPC of `/mcp`: the APIs of the world as tools, for clients of MCP and for OpenEnv's own client, which adds two
 * methods that open and close a session.
 */
import type { EpisodeSession } from "./episode-session.ts";
import { initializeFormat, rpcFormat, toolsCallFormat, toolsListFormat } from "./formats.ts";
import { OpenEnvError, toOpenEnvError } from "./openenv-error.ts";
import { readFields } from "./read-fields.ts";
import type { SessionRegistry } from "./session-registry.ts";
import type { TaskChoice } from "./task-list.ts";
import type { ToolList } from "./tool-list.ts";

export type RpcId = string | number | null;
export type RpcReply = Readonly<Record<string, unknown>>;

/** What a request is answered with. */
export interface RpcContext {
  readonly tools: ToolList;
  readonly registry: SessionRegistry;
  readonly server: { readonly name: string; readonly version: string };
  /** The session of the socket or of the header `mcp-session-id`. */
  readonly session?: EpisodeSession;
  /** The task that is opened when the client sends no reset. */
  readonly choice: TaskChoice;
  /** Is called with a session that `initialize` opened. */
  readonly announce?: (session: EpisodeSession) => void;
}

type Params = Readonly<Record<string, unknown>>;

const ERROR_CODES = {
  INVALID_JSON: -32700,
  UNKNOWN_TYPE: -32601,
  VALIDATION_ERROR: -32602,
  EXECUTION_ERROR: -32603,
  CAPACITY_REACHED: -32000,
  FACTORY_ERROR: -32000,
  SESSION_ERROR: -32602,
} as const;
const INVALID_REQUEST = -32600;

/** The versions of MCP that the server speaks; the first one is offered to clients that ask for another. */
const MCP_VERSIONS = ["2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05"];

/** Writes an error as JSON-RPC does. */
export function formatRpcError(error: unknown, id: RpcId = null, code?: number): RpcReply {
  const { code: name, message, details } = toOpenEnvError(error);
  const data = Object.keys(details).length > 0 ? { data: details } : {};
  return { jsonrpc: "2.0", id, error: { code: code ?? ERROR_CODES[name], message, ...data } };
}

/** Answers a request. A notification, which has no id, gets undefined. No error is thrown. */
export async function answerRpc(
  value: unknown,
  context: RpcContext,
): Promise<RpcReply | undefined> {
  let id: RpcId = null;
  let code: number | undefined = INVALID_REQUEST;
  try {
    const request = readFields(rpcFormat, value);
    id = request.id ?? null;
    code = undefined;
    if (request.id === undefined && request.method.startsWith("notifications/")) return undefined;
    const result = await callMethod(request.method, request.params ?? {}, context);
    return { jsonrpc: "2.0", id, result };
  } catch (error) {
    return formatRpcError(error, id, code);
  }
}

async function callMethod(method: string, params: Params, context: RpcContext): Promise<unknown> {
  const { tools, registry, session } = context;
  switch (method) {
    case "ping":
      return {};
    case "initialize":
      return initialize(params, context);
    case "tools/list":
      readFields(toolsListFormat, params);
      return { tools: tools.tools };
    case "tools/call":
      return callTool(params, context);
    case "openenv/session/create":
      return { session_id: (session ?? registry.open({ hasSocket: false })).id };
    case "openenv/session/close":
      return closeSession(params, context);
    default:
      throw new OpenEnvError("UNKNOWN_TYPE", `Method not found: ${method}`);
  }
}

/** Begins a session of MCP. The instruction of its task is what MCP calls instructions. */
async function initialize(params: Params, context: RpcContext) {
  const { protocolVersion } = readFields(initializeFormat, params);
  const { registry, choice, announce, server } = context;
  const session = context.session ?? registry.open({ hasSocket: false });
  try {
    const { task } = session.task ?? (await session.openTask(choice));
    announce?.(session);
    return {
      protocolVersion: MCP_VERSIONS.find((known) => known === protocolVersion) ?? MCP_VERSIONS[0],
      capabilities: { tools: {} },
      serverInfo: server,
      instructions: task.instruction,
    };
  } catch (error) {
    if (context.session === undefined) await registry.close(session.id);
    throw error;
  }
}

async function callTool(params: Params, { session, registry, choice }: RpcContext) {
  const { name, arguments: args, session_id } = readFields(toolsCallFormat, params);
  const own = session ?? (session_id != null ? registry.find(session_id) : undefined);
  if (own) return own.callTool(name, args ?? {}, choice);
  const passing = registry.open({ hasSocket: false });
  try {
    return await passing.callTool(name, args ?? {}, choice);
  } finally {
    await registry.close(passing.id);
  }
}

async function closeSession({ session_id: id }: Params, { session, registry }: RpcContext) {
  if (typeof id !== "string") {
    const message = `session_id: expected a text, got ${JSON.stringify(id) ?? "nothing"}`;
    throw new OpenEnvError("VALIDATION_ERROR", message);
  }
  if (id === session?.id) {
    throw new OpenEnvError("SESSION_ERROR", "a socket's own session ends with the socket");
  }
  registry.find(id);
  await registry.close(id);
  return { session_id: id, closed: true };
}
