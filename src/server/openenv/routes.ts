/**
 * The HTTP paths of OpenEnv. An episode needs a socket: `/reset` and `/step` answer on an episode that is closed again,
 * as OpenEnv's own server does.
 */
import type { ServerResponse } from "node:http";
import { type FrontCall, type ReplyText, sendReply } from "../http/index.ts";
import type { EpisodeSession } from "./episode-session.ts";
import { stepBodyFormat, taskQueryFormat } from "./formats.ts";
import { OpenEnvError, toOpenEnvError } from "./openenv-error.ts";
import { parseJsonText, readFields } from "./read-fields.ts";
import { answerDemonstration, type RemoteWorldContext } from "./remote-world.ts";
import { answerRpc, formatRpcError, type RpcContext } from "./rpc.ts";
import { SCHEMAS } from "./schemas.ts";
import { readTaskChoice } from "./task-choice.ts";
import type { TaskList } from "./task-list.ts";

/** What the routes answer from. */
export interface RouteContext extends Pick<RpcContext, "tools" | "registry" | "server"> {
  readonly tasks: TaskList;
  /** The name of the environment in paths. */
  readonly name: string;
  readonly remote: RemoteWorldContext;
  readonly metadata: object;
  readonly paths: object;
}

/** Writes an error in the form of FastAPI's servers. */
export function formatHttpError(error: unknown): ReplyText {
  const { status, message, details } = toOpenEnvError(error);
  const detail =
    "errors" in details ? { errors: details["errors"], detail: message } : { detail: message };
  return formatJson(status, detail);
}

export function formatJson(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): ReplyText {
  const text = value === undefined ? "" : JSON.stringify(value);
  return { status, headers: { "content-type": "application/json", ...headers }, text };
}

/** Answers a call. Throws an error of the protocol. */
export async function answerCall(
  call: FrontCall,
  response: ServerResponse,
  context: RouteContext,
): Promise<void> {
  if (call.path === "/mcp") return sendReply(response, await answerMcp(call, context));
  sendReply(response, formatJson(200, await findAnswer(call, context)));
}

async function findAnswer(call: FrontCall, context: RouteContext): Promise<unknown> {
  switch (`${call.method} ${call.path}`) {
    case "GET /health":
      return { status: "healthy" };
    case "GET /metadata":
      return context.metadata;
    case "GET /schema":
      return SCHEMAS;
    case "GET /openapi.json":
      return context.paths;
    case "GET /list_environments":
      return [context.name];
    case "GET /state":
      return { episode_id: null, step_count: 0 };
    case "POST /reset":
      return answerOnce(context, async (session) => session.reset(await readBody(call)));
    case "POST /step": {
      const { action } = readFields(stepBodyFormat, await readBody(call));
      return answerOnce(context, async (session) => {
        await session.openTask({});
        return session.step(action);
      });
    }
    default:
      return answerTaskCall(call, context);
  }
}

/** Answers on a session that is closed again. */
async function answerOnce<T>(
  { registry }: RouteContext,
  use: (session: EpisodeSession) => Promise<T>,
): Promise<T> {
  const session = registry.open({ hasSocket: false });
  try {
    return await use(session);
  } finally {
    await registry.close(session.id);
  }
}

/** Answers a call of the task API, `/NAME/splits`, `/NAME/tasks` and so on, and what remote worlds ask. */
async function answerTaskCall(
  call: FrontCall,
  { tasks, name, remote }: RouteContext,
): Promise<unknown> {
  const { method, path } = call;
  const [, environment = "", action = "", ...rest] = path.split("/");
  const route = rest.length > 0 ? "" : `${method} ${action}`;
  if (!/^(GET (splits|world)|POST (tasks|num_tasks|task|task_range|demonstration))$/.test(route)) {
    throw new OpenEnvError("SESSION_ERROR", `nothing answers ${method} ${path}`);
  }
  if (environment.toLowerCase() !== name.toLowerCase()) {
    const message = `unknown environment ${JSON.stringify(environment)}; there is ${name}`;
    throw new OpenEnvError("SESSION_ERROR", message);
  }
  if (action === "splits") return tasks.describeSplits();
  if (action === "world") return remote.facts;
  if (action === "demonstration") return answerDemonstration(await readBody(call), remote, tasks);
  const { split, index, start, stop } = readFields(taskQueryFormat, await readBody(call));
  const all = tasks.tasksOf(split);
  switch (action) {
    case "num_tasks":
      return { num_tasks: all.length };
    case "task":
      return { task: describeTask(tasks, split, index ?? -1) };
    case "task_range":
      return { tasks: listTasks(tasks, split, start ?? 0, stop ?? all.length) };
    default:
      return { tasks: listTasks(tasks, split, 0, all.length), env_name: name };
  }
}

function listTasks(tasks: TaskList, split: string, start: number, stop: number): object[] {
  const places = tasks.tasksOf(split).map((_, index) => index);
  return places.slice(start, stop).map((index) => describeTask(tasks, split, index));
}

function describeTask(tasks: TaskList, split: string, index: number): object {
  const { task } = tasks.taskAt(split, index);
  return { ...task, index };
}

/** An empty body is an empty object, as in OpenEnv's own server. */
async function readBody(call: FrontCall): Promise<unknown> {
  const body = await call.body();
  return body.length === 0 ? {} : parseJsonText(body);
}

const SESSION_HEADER = "mcp-session-id";

/** Answers `/mcp` over HTTP. The header `mcp-session-id` names the session, as in MCP's streamable HTTP. */
async function answerMcp(call: FrontCall, context: RouteContext): Promise<ReplyText> {
  const { registry } = context;
  const id = call.headers[SESSION_HEADER];
  if (call.method === "DELETE" && id !== undefined) {
    registry.find(id);
    await registry.close(id);
    return formatJson(200, {});
  }
  if (call.method !== "POST") {
    const message = `/mcp: expected POST, or DELETE with ${SESSION_HEADER}, got ${call.method}`;
    return formatJson(405, formatRpcError(new OpenEnvError("SESSION_ERROR", message)));
  }
  const own: Record<string, string> = {};
  try {
    const session = id === undefined ? undefined : registry.find(id);
    const { choice } = readTaskChoice(call.query);
    const answer = await answerRpc(parseJsonText(await call.body()), {
      ...context,
      choice,
      ...(session && { session }),
      announce: (opened) => Object.assign(own, { [SESSION_HEADER]: opened.id }),
    });
    return formatJson(answer === undefined ? 202 : 200, answer, own);
  } catch (error) {
    const { code, status } = toOpenEnvError(error);
    const isUnknownSession = code === "SESSION_ERROR";
    return formatJson(isUnknownSession ? status : 200, formatRpcError(error));
  }
}
