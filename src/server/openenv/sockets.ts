/** The two sockets of OpenEnv: `/ws`, where a client resets and steps, and `/mcp`, where it calls tools. */
import type { FrontSocket, SocketCall, SocketHandlers } from "../http/index.ts";
import type { EpisodeSession } from "./episode-session.ts";
import { messageFormats } from "./formats.ts";
import { formatErrorMessage, OpenEnvError } from "./openenv-error.ts";
import { parseJsonText, readFields } from "./read-fields.ts";
import { answerRpc, formatRpcError, type RpcContext } from "./rpc.ts";
import { readTaskChoice } from "./task-choice.ts";

type Shared = Pick<RpcContext, "tools" | "registry" | "server">;

/** The session of a socket: a new one, or one that was opened over HTTP. */
interface Seat {
  readonly session: EpisodeSession;
  leave(): void;
}

/** Returns what a socket does. Throws a 404 for a path without sockets. */
export function acceptSocket(
  call: SocketCall,
  shared: Shared,
): (socket: FrontSocket) => SocketHandlers {
  if (call.path === "/ws") return (socket) => createHandlers(socket, call, shared, wsDialect);
  if (call.path === "/mcp") return (socket) => createHandlers(socket, call, shared, mcpDialect);
  throw new OpenEnvError("SESSION_ERROR", `no WebSocket at ${call.path}; there are /ws and /mcp`);
}

/** What differs between the two sockets. */
interface SocketDialect {
  /** Returns the answer to a message; "close" ends the socket, and undefined answers nothing. */
  answer(
    value: unknown,
    context: RpcContext & { readonly session: EpisodeSession },
  ): Promise<object | "close" | undefined>;
  formatError(error: unknown): object;
}

const wsDialect: SocketDialect = { answer: answerMessage, formatError: formatErrorMessage };
const mcpDialect: SocketDialect = {
  answer: answerRpc,
  formatError: (error) => formatRpcError(error),
};

function createHandlers(
  socket: FrontSocket,
  call: SocketCall,
  shared: Shared,
  dialect: SocketDialect,
): SocketHandlers {
  const send = (value: object) => socket.send(JSON.stringify(value));
  const seat = tryTakeSeat(call, shared);
  if ("error" in seat) {
    return {
      async open() {
        await send(dialect.formatError(seat.error));
        socket.close(1013, "this server has no place for another episode");
      },
      message: async () => {},
      closed() {},
    };
  }
  const { session, leave, choice } = seat;
  return {
    async message(text) {
      let answer: object | "close" | undefined;
      try {
        answer = await dialect.answer(parseJsonText(text), { ...shared, session, choice });
      } catch (error) {
        answer = dialect.formatError(error);
      }
      if (answer === "close") socket.close(1000, "");
      else if (answer !== undefined) await send(answer);
    },
    closed: leave,
  };
}

/** Takes a place for a socket, or returns why there is none: clients read the reason only as a message. */
function tryTakeSeat(call: SocketCall, shared: Shared) {
  try {
    const { session_id, choice } = readTaskChoice(call.query);
    return { ...takeSeat(session_id, shared), choice };
  } catch (error) {
    return { error };
  }
}

function takeSeat(id: string | undefined, { registry }: Shared): Seat {
  if (id === undefined) {
    const session = registry.open({ hasSocket: true });
    return { session, leave: () => void registry.close(session.id) };
  }
  return { session: registry.attach(id), leave: () => registry.detach(id) };
}

/** Answers a message of `/ws`. Throws an error of the protocol, which does not end the socket. */
async function answerMessage(
  value: unknown,
  context: RpcContext & { readonly session: EpisodeSession },
): Promise<object | "close" | undefined> {
  const { session } = context;
  const type = readMessageType(value);
  switch (type) {
    case "reset": {
      const { data } = readFields(messageFormats.reset, value);
      return { type: "observation", data: await session.reset(data ?? {}) };
    }
    case "step": {
      const { data } = readFields(messageFormats.step, value);
      return { type: "observation", data: await session.step(data) };
    }
    case "state":
      readFields(messageFormats.state, value);
      return { type: "state", data: session.readState() };
    case "close":
      readFields(messageFormats.state, value);
      return "close";
    case "mcp": {
      const { data } = readFields(messageFormats.mcp, value);
      return { type: "mcp", data: (await answerRpc(data, context)) ?? {} };
    }
    default: {
      const known = Object.keys(messageFormats).join(", ");
      const message = `type: expected ${known} or close, got ${JSON.stringify(type) ?? "nothing"}`;
      throw new OpenEnvError("UNKNOWN_TYPE", message);
    }
  }
}

function readMessageType(value: unknown): unknown {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return (value as { readonly type?: unknown }).type;
  }
  throw new OpenEnvError("VALIDATION_ERROR", "expected an object with the field type");
}
