/**
 * Hostile HTTP requests to the gateway, the Tinker server and the studio, over sockets. Each is answered with a status
 * below 500 or its connection is closed, no answer holds a stack, and afterwards the servers answer as before.
 */
import { connect } from "node:net";
import type { Rng } from "../../src/core/index.ts";
import { type AttackedServer, type GoodRequest, openAttackedServers } from "./http-servers.ts";
import { mutateBytes, mutateJson, mutateJsonText } from "./mutate.ts";
import type { CaseOutcome, Part, StepFilter } from "./part.ts";

const REQUESTS_PER_CASE = 20;
const AT_ONCE = 10;
/** A connection that is still open after this time was neither answered nor closed. */
const ANSWER_LIMIT_MS = 30_000;
/** After this time the client says that it sends no more. Then servers close the connection. */
const END_MS = 700;

/** Bytes for one connection. */
interface HostileRequest {
  readonly server: AttackedServer;
  readonly description: string;
  readonly bytes: Buffer;
  /** Whether the client disappears without reading the answer. */
  readonly isAbandoned: boolean;
  /** False for a good request, whose answer may take any time. */
  readonly maySendMore?: boolean;
}

const METHODS = [
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "TRACE",
  "CONNECT",
  "PRI",
  "get",
  "",
];
const TARGETS = [
  "//",
  "///",
  "//:99999",
  "//[",
  "http://[",
  "*",
  "",
  "/%",
  "/%zz",
  "/\\",
  "/..",
  "?",
  "#",
  "/api/",
  "/api//",
  "/api/v1//",
  "/e/",
  "/e//openai/v1/models",
  "/e/%00/openai/v1/models",
  "/e/__proto__/openai/v1/models",
  "/constructor",
  "/v1/__proto__",
  "file:///etc/passwd",
  "/api/runs/..%2f..%2fetc",
  "/api/runs/__proto__/metrics",
  "/assets/..%2f..%2fpackage.json",
  `/${"a".repeat(9000)}`,
  `/${"%41".repeat(2000)}`,
  "/a b",
  "/\u00e9\u0000",
];
const HEADERS: readonly string[] = [
  "content-length: 5",
  "content-length: -1",
  "content-length: 99999999999999999999",
  "content-length: 1, 2",
  "transfer-encoding: chunked",
  "transfer-encoding: gzip, chunked",
  "transfer-encoding: chunked, identity",
  "content-encoding: gzip",
  "content-type: application/json; charset=utf-99",
  "content-type: multipart/form-data; boundary=",
  "content-type: application/x-protobuf",
  "content-type: ",
  "accept: application/x-protobuf",
  "expect: 100-continue",
  "expect: banana",
  "upgrade: websocket",
  "connection: upgrade",
  "host: evil.example",
  "host: 127.0.0.1",
  "host: ",
  "origin: null",
  "origin: http://evil.example",
  "authorization: Bearer",
  "authorization: Bearer \u00e9\u00e9",
  "authorization: Basic a",
  "x-api-key: ",
  "x-api-key: __proto__",
  "anthropic-version: never",
  "anthropic-beta: , , ,",
  "idempotency-key: __proto__",
  "x-idempotency-key: a",
  "if-none-match: *",
  "range: bytes=0-99999999999",
  "cookie: a=b; __proto__=c",
  ": no name",
  "no colon",
  " folded: header",
  "a\u0000b: c",
  `x-long: ${"y".repeat(20_000)}`,
];

function drawRequest(rng: Rng, servers: readonly AttackedServer[]): HostileRequest {
  const server = rng.pick(servers);
  const good = rng.pick(server.requests);
  const [kind, text] = rng.pick(DRAWERS)(rng, server, good);
  const whole = typeof text === "string" ? Buffer.from(text, "latin1") : text;
  const isCut = rng.chance(0.1);
  return {
    server,
    description: `${kind} ${good.method} ${good.path}`,
    bytes: isCut ? whole.subarray(0, rng.integer(0, whole.length)) : whole,
    isAbandoned: rng.chance(0.05),
  };
}

type Drawer = (
  rng: Rng,
  server: AttackedServer,
  good: GoodRequest,
) => readonly [kind: string, bytes: string | Buffer];

const DRAWERS: readonly Drawer[] = [
  (rng, server, good) => ["body changed:", writeRequest(server, good, changeBody(rng, good))],
  (rng, server, good) => ["body changed:", writeRequest(server, good, changeBody(rng, good))],
  (rng, server, good) => ["body changed:", writeRequest(server, good, changeBody(rng, good))],
  (rng, server, good) => ["bytes changed:", mutateBytes(rng, writeRequest(server, good))],
  (rng, server, good) => {
    const line = `${rng.pick(METHODS)} ${rng.pick(TARGETS)} HTTP/${rng.pick(["1.1", "1.0", "2.0", "9", ""])}`;
    return [
      `line ${JSON.stringify(line.slice(0, 80))}:`,
      writeRequest(server, good, undefined, [], line),
    ];
  },
  (rng, server, good) => {
    const path = changePath(rng, good.path);
    const method = rng.chance(0.2) ? rng.pick(METHODS) : good.method;
    return [`path ${path.slice(0, 200)}:`, writeRequest(server, { ...good, method, path })];
  },
  (rng, server, good) => {
    const headers = rng.sample(HEADERS, rng.integer(1, 3));
    return [
      `headers ${JSON.stringify(headers).slice(0, 200)}:`,
      writeRequest(server, good, undefined, headers),
    ];
  },
  (rng, server, good) => {
    const count = rng.pick([200, 3000]);
    const many = Array.from({ length: count }, (_, i) => `x-${i}: ${i}`);
    return [`${count} headers:`, writeRequest(server, good, undefined, many)];
  },
  (rng) => [
    "noise:",
    Buffer.from(Array.from({ length: rng.integer(0, 300) }, () => rng.integer(0, 255))),
  ],
];

function changePath(rng: Rng, path: string): string {
  const [route = "", query] = path.split("?");
  const parts = route.split("/");
  const odd = rng.pick([
    "",
    "..",
    "%2e%2e",
    "%00",
    "%",
    "__proto__",
    "constructor",
    "toString",
    "-1",
    "NaN",
    "a".repeat(3000),
    "%F0%9F%92%A9",
    "*",
    "/",
  ]);
  const at = rng.integer(1, Math.max(1, parts.length - 1));
  const kind = rng.integer(0, 3);
  if (kind === 0) parts[at] = odd;
  if (kind === 1) parts.splice(at, 1);
  if (kind === 2) parts.splice(at, 0, odd);
  const values = [
    "",
    "-1",
    "1e9",
    "NaN",
    "[]",
    "__proto__",
    "%",
    "99999999999999999999",
    "dev",
    "a\u0000",
  ];
  const names = [
    "offset",
    "limit",
    "seed",
    "split",
    "find",
    "checks",
    "page",
    "__proto__",
    "scenarios",
    "tokens",
    "sort",
  ];
  const extra = rng.chance(0.5) ? `?${rng.pick(names)}=${rng.pick(values)}&${rng.pick(names)}` : "";
  return parts.join("/") + (query !== undefined && rng.chance(0.5) ? `?${query}` : extra);
}

function changeBody(rng: Rng, { body }: GoodRequest): Buffer {
  if (body instanceof Uint8Array) return mutateBytes(rng, body);
  const value = body ?? {};
  switch (rng.integer(0, 7)) {
    case 0:
      return Buffer.from(mutateJsonText(rng, value));
    case 1:
      return mutateBytes(rng, Buffer.from(JSON.stringify(value)));
    case 2:
      return Buffer.from(JSON.stringify(growBody(rng, value)));
    default:
      return Buffer.from(JSON.stringify(mutateJson(rng, value)));
  }
}

/** Makes a text or a list in the body long. */
function growBody(rng: Rng, value: unknown): unknown {
  const count = rng.pick([1000, 20_000]);
  let grown = 0;
  return JSON.parse(JSON.stringify(value), (_, item) => {
    if (grown > 0 || rng.chance(0.7)) return item;
    if (typeof item === "string") grown += 1;
    else if (Array.isArray(item) && item.length > 0) grown += 1;
    else return item;
    return typeof item === "string"
      ? rng.pick(["a ", "<", "\ud83d\ude00", "1"]).repeat(count)
      : new Array(Math.min(count, 3000)).fill(item[0]);
  });
}

/** Writes a request as it goes over the wire. Without `body`, the good request's own body is sent. */
function writeRequest(
  server: AttackedServer,
  { method, path, headers = {}, body: ownBody }: GoodRequest,
  body: Buffer | undefined = encodeBody(ownBody),
  extraHeaders: readonly string[] = [],
  line = `${method} ${path} HTTP/1.1`,
): Buffer {
  const head = [
    line,
    `host: 127.0.0.1:${server.port}`,
    "connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...extraHeaders,
    ...(body ? [`content-length: ${body.length}`] : []),
  ];
  return Buffer.concat([
    Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"),
    body ?? Buffer.alloc(0),
  ]);
}

function encodeBody(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
}

/** The status is 0 when the connection was closed without an answer. */
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly timedOut: boolean;
}

function sendBytes({
  server,
  bytes,
  isAbandoned,
  maySendMore = true,
}: HostileRequest): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(server.port, "127.0.0.1");
    let [text, timedOut] = ["", false];
    const timer = setTimeout(() => {
      timedOut = true;
      socket.destroy();
    }, ANSWER_LIMIT_MS);
    socket.on("data", (data) => {
      if (text.length < 100_000) text += data.toString("latin1");
      // A stream of events lasts until the client leaves.
      if (/^content-type: text\/event-stream/im.test(text)) socket.destroy();
    });
    // The server may wait for the rest of a request that is cut off, or for the next one.
    const endTimer = setTimeout(() => maySendMore && socket.end(), END_MS);
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      clearTimeout(endTimer);
      resolve({ status: Number(/^HTTP\/1\.\d (\d+)/.exec(text)?.[1] ?? 0), text, timedOut });
    });
    socket.write(bytes, () => isAbandoned && socket.destroy());
  });
}

const HAS_STACK = /(?:^|\\n|\n)\s+at [^\n]*:\d+:\d+/;

function findProblem(answer: Answer): string | undefined {
  if (answer.timedOut) return `neither answered nor closed within ${ANSWER_LIMIT_MS} ms`;
  if (answer.status >= 500) return `status ${answer.status}: ${answer.text.slice(-400)}`;
  if (HAS_STACK.test(answer.text)) return `the answer has a stack: ${answer.text.slice(-400)}`;
  return undefined;
}

async function probeServer(server: AttackedServer): Promise<string[]> {
  const bytes = writeRequest(server, server.probe);
  const answer = await sendBytes({
    server,
    description: "",
    bytes,
    isAbandoned: false,
    maySendMore: false,
  });
  return answer.status === 200
    ? []
    : [`${server.name} answers a good request with ${answer.status}`];
}

async function attackServers(
  servers: readonly AttackedServer[],
  rng: Rng,
  steps: StepFilter,
): Promise<CaseOutcome> {
  const drawn = Array.from({ length: REQUESTS_PER_CASE }, () => drawRequest(rng, servers));
  const chosen = steps.choose(drawn);
  const counts: Record<string, number> = { requests: chosen.length };
  const failures: string[] = [];
  for (let start = 0; start < chosen.length; start += AT_ONCE) {
    const batch = chosen.slice(start, start + AT_ONCE);
    const answers = await Promise.all(batch.map(sendBytes));
    answers.forEach((answer, i) => {
      const { server, description } = batch[i]!;
      const ending = answer.status === 0 ? "closed" : `${Math.floor(answer.status / 100)}xx`;
      counts[ending] = (counts[ending] ?? 0) + 1;
      const problem = findProblem(answer);
      if (problem) failures.push(`${server.name}: ${description} ${problem}`);
    });
  }
  for (const server of servers) failures.push(...(await probeServer(server)));
  return { counts, failures };
}

export const httpRequests: Part = {
  name: "http",
  summary: "hostile requests to the gateway, the Tinker server and the studio",
  weight: 1,
  caseLimitMs: 240_000,
  async open(folder) {
    const servers = await openAttackedServers(folder);
    return {
      runCase: (rng, steps) => attackServers(servers, rng, steps),
      close: async () => {
        await Promise.all(servers.map((server) => server.close()));
      },
    };
  },
};
