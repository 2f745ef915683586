/**
 * A small server for tests that has one list for each session, and speaks the protocols of three doors: an HTTP API with
 * an OpenAPI document, OpenEnv's socket, and a resources server of NeMo Gym. It prints its port. Its lists are in memory.
 *
 *   PORT         the port to listen on; any free one without it
 *   FAULT_RATE   the share of requests at which something goes wrong; 0 without it
 *   FAULT_SEED   seeds the faults, together with the number of the process
 *   CLOCK        anything, to show a time in every answer of read-list
 */
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const { PORT = "0", FAULT_RATE = "0", FAULT_SEED = "1", CLOCK } = process.env;
let seed = (Number(FAULT_SEED) * 7919 + process.pid) >>> 0;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

/** Lists with the items that they should have, by the name of the session. */
const sessions = new Map();
const isReached = ({ items, goal }) => JSON.stringify(items) === JSON.stringify(goal);

const TOOLS = {
  add_item({ items }, { item }) {
    if (typeof item !== "string" || item === "") throw new Error("item must be a text");
    items.push(item);
    return { length: items.length };
  },
  "read-list": ({ items }) => ({
    items: CLOCK ? [...items, String(process.hrtime.bigint())] : [...items],
  }),
};
const ITEM = { type: "object", properties: { item: { type: "string" } }, required: ["item"] };

/** What goes wrong instead of an answer. `raw` sends text, and `cut` ends the connection, after some text. */
function fail({ raw, cut }) {
  const faults = [
    () => process.exit(3),
    () => process.kill(process.pid, "SIGKILL"),
    () => {}, // The request is never answered.
    () => raw("<html>Bad Gateway</html>"),
    () => raw('{"type":"observation","data":{"result"'),
    () => cut(),
  ];
  faults[Math.floor(random() * faults.length)]();
}

/** Answers a request, unless a fault is due: then it was executed, or it was not. */
function serve(way, execute) {
  const isFaulty = random() < Number(FAULT_RATE);
  const answer = !isFaulty || random() < 0.5 ? execute() : undefined;
  if (isFaulty) fail(way);
  else way.raw(JSON.stringify(answer.value), answer.status, answer.headers);
}

const json = (schema) => ({ content: { "application/json": { schema } } });
const DOCUMENT = {
  openapi: "3.1.0",
  paths: {
    "/items": {
      get: { operationId: "read-list", responses: { 200: json({ type: "object" }) } },
      post: { operationId: "add_item", requestBody: json(ITEM), responses: {} },
    },
    "/reset": {
      post: {
        operationId: "reset",
        requestBody: json({ type: "object", properties: { items: {}, goal: {} } }),
        responses: {},
      },
    },
  },
};

function answerHttp(what, session, body) {
  if (what === "POST /reset") {
    sessions.set(session, { items: [...body.items], goal: body.goal });
    return { status: 200, value: {} };
  }
  const list = sessions.get(session);
  if (!list) return { status: 410, value: { detail: "no such session" } };
  const tool = what === "GET /items" ? "read-list" : "add_item";
  return { status: 200, value: TOOLS[tool](list, body) };
}

let seeded = 0;
function answerNemo(path, session, body) {
  const id = session ?? `${process.pid}x${seeded++}`;
  const headers = { "set-cookie": `session=${id}; Path=/` };
  if (path === "/seed_session") {
    sessions.set(id, { items: [...body.items], goal: body.goal });
    return { status: 200, headers, value: {} };
  }
  const list = sessions.get(id);
  if (!list) return { status: 400, value: { detail: "the session was not seeded" } };
  if (path === "/verify")
    return { status: 200, value: { ...body, reward: isReached(list) ? 1 : 0 } };
  return { status: 200, headers, value: { output: TOOLS[path.slice(1)](list, body) } };
}

const NEMO_PATHS = ["/seed_session", "/verify", ...Object.keys(TOOLS).map((name) => `/${name}`)];

const server = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => {
    text += part;
  });
  request.on("end", () => {
    const raw = (body, status = 200, headers = {}) => {
      const all = { "content-type": "application/json", ...headers };
      response.writeHead(status, all).end(body);
    };
    const { url, method } = request;
    const body = text === "" ? {} : JSON.parse(text);
    if (url === "/openapi.json") return raw(JSON.stringify(DOCUMENT));
    if (url === "/sockets") return raw(JSON.stringify(sockets.clients.size));
    const cut = () => {
      response.writeHead(200, { "content-length": "100" }).write("{");
      request.socket.destroy();
    };
    serve({ raw, cut }, () => {
      if (!NEMO_PATHS.includes(url)) {
        return answerHttp(`${method} ${url}`, request.headers["x-session"], body);
      }
      return answerNemo(url, /session=(\w+)/.exec(request.headers.cookie ?? "")?.[1], body);
    });
  });
});

/** The environment of one socket. The rewards of its steps add up to 1 as long as the list is as it should be. */
function answerOpenEnv(list, { type, data }) {
  const observe = (observation, reward = null) => ({
    value: { type: "observation", data: { observation, reward, done: false } },
  });
  if (type === "reset") {
    Object.assign(list, { items: [...(data.items ?? [])], goal: data.goal });
    return observe({ items: list.items });
  }
  if (data.type === "list_tools") {
    const tools = Object.keys(TOOLS).map((name) => ({
      name,
      input_schema: name === "add_item" ? ITEM : {},
    }));
    return observe({ tools });
  }
  const before = Number(isReached(list));
  try {
    const result = TOOLS[data.tool_name](list, data.arguments);
    return observe({ result, error: null }, Number(isReached(list)) - before);
  } catch (error) {
    return observe({ result: null, error: { message: error.message } }, 0);
  }
}

const sockets = new WebSocketServer({ server, path: "/ws" });
sockets.on("connection", (socket) => {
  const list = { items: [], goal: undefined };
  socket.on("message", (text) => {
    const message = JSON.parse(String(text));
    if (message.type === "close") return socket.close();
    const way = { raw: (body) => socket.send(body), cut: () => socket.terminate() };
    const isDescribing = message.data?.type === "list_tools" || message.data?.goal === undefined;
    if (isDescribing && message.data?.type !== "call_tool") {
      return way.raw(JSON.stringify(answerOpenEnv(list, message).value));
    }
    serve(way, () => answerOpenEnv(list, message));
  });
});

server.listen(Number(PORT), "127.0.0.1", () => console.log(server.address().port));
// The server ends with the process that started it.
process.stdin.on("end", () => process.exit(0)).resume();
