/**
 * Requests that nobody should send, as bytes for a socket. Each of them ends in a 4xx or in a closed connection, and
 * the server goes on.
 */
import { connect } from "node:net";
import { gzipSync } from "node:zlib";

/** A server that hostile requests are sent to. */
export interface HostileTarget {
  readonly port: number;
  /** A path that takes JSON by POST. */
  readonly path: string;
  /** A body that the path accepts. */
  readonly body: string;
  /** The headers that a good request has besides `Host`, such as a key. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Bytes that are sent one after the other. A number is a pause in milliseconds. */
export type Part = string | Uint8Array | number;

export interface HostileRequest {
  readonly name: string;
  /** Statuses below 400 that parts of the request may get, where a good request precedes a bad one. */
  readonly also?: readonly number[];
  /** Whether the client leaves after the last part, without waiting for an answer. */
  readonly leaves?: boolean;
  parts(target: HostileTarget): readonly Part[];
}

/** What came back: the statuses of all answers in order, all bytes as text, and whether the server ended it. */
export interface Outcome {
  readonly statuses: readonly number[];
  readonly text: string;
  readonly isClosed: boolean;
}

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Returns a head with the target's own headers, which `changes` replaces. An empty list leaves a header out. */
export function writeHead(target: HostileTarget, line: string, changes: Headers = {}): string {
  const headers: Headers = {
    host: `127.0.0.1:${target.port}`,
    ...target.headers,
    "content-type": "application/json",
    ...changes,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}: ${one}\r\n`),
  );
  return `${line} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

function post(target: HostileTarget, body: string | Uint8Array, changes: Headers = {}): Part[] {
  const length = String(Buffer.byteLength(body));
  return [writeHead(target, `POST ${target.path}`, { "content-length": length, ...changes }), body];
}

const withBody = (name: string, body: string | Uint8Array, changes: Headers = {}) => ({
  name,
  parts: (target: HostileTarget) => post(target, body, changes),
});
const withHeaders = (name: string, changes: (target: HostileTarget) => Headers) => ({
  name,
  parts: (target: HostileTarget) => post(target, target.body, changes(target)),
});
const withBytes = (name: string, bytes: string | Uint8Array) => ({ name, parts: () => [bytes] });
const chunked = (name: string, chunks: string): HostileRequest => ({
  name,
  parts: (target) => [
    writeHead(target, `POST ${target.path}`, { "transfer-encoding": "chunked" }),
    chunks,
  ],
});
const nest = (open: string, close: string, depth: number) =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

const REQUEST_LINES: readonly HostileRequest[] = [
  "",
  "GET",
  "GET /",
  "GET  / HTTP/1.1",
  "GET / HTTP/9.9",
  "GET / HTTP/1.1 x",
  "GET / FTP/1.1",
  "G\u0000T / HTTP/1.1",
  "get / HTTP/1.1",
  "MAKE-ME-ROOT / HTTP/1.1",
  " GET / HTTP/1.1",
  "GET /\u0001 HTTP/1.1",
  "GET /a b HTTP/1.1",
  "HTTP/1.1 200 OK",
  "{}",
].map((line) =>
  withBytes(`the request line ${JSON.stringify(line)}`, `${line}\r\nhost: 127.0.0.1\r\n\r\n`),
);

const TARGETS: readonly HostileRequest[] = [
  "//",
  "http://[",
  "*",
  "//:99999",
  "/%",
  "/\\",
  "x",
].map((path) => ({
  name: `the target ${path}`,
  parts: (target) => [writeHead(target, `GET ${path}`)],
}));

const HEADS: readonly HostileRequest[] = [
  withHeaders("a header of 20 kB", () => ({ big: "x".repeat(20_000) })),
  withHeaders("a header of 1 MB", () => ({ big: "x".repeat(1_000_000) })),
  withHeaders("300 headers", () =>
    Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x-${i}`, "1"])),
  ),
  withHeaders("5,000 headers", () =>
    Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`x-${i}`, "1"])),
  ),
  withHeaders("a path in a header of 16 kB", () => ({ [`x${"y".repeat(17_000)}`]: "1" })),
  { name: "a path of 20 kB", parts: (t) => [writeHead(t, `GET /${"a".repeat(20_000)}`)] },
  {
    name: "a header without a colon",
    parts: (t) => [`GET ${t.path} HTTP/1.1\r\nhost 127.0.0.1\r\n\r\n`],
  },
  { name: "a header without a name", parts: (t) => [`GET ${t.path} HTTP/1.1\r\n: 1\r\n\r\n`] },
  withHeaders("a header with a null character", () => ({ bad: "a\u0000b" })),
  withHeaders("a header name with a space", () => ({ "bad name": "1" })),
  {
    name: "a folded header",
    parts: (t) => [`GET ${t.path} HTTP/1.1\r\nhost: 127.0.0.1\r\na: 1\r\n b\r\n\r\n`],
  },
  {
    name: "line feeds without carriage returns, and no host",
    parts: (t) => [`GET ${t.path} HTTP/1.1\n\n`],
  },
  withHeaders("no host", () => ({ host: [] })),
  withHeaders("two hosts", (t) => ({ host: [`127.0.0.1:${t.port}`, "evil.example"] })),
  ...["evil.example", "127.0.0.1.evil.example", "127.0.0.1@evil.example", "localhost.", ""].map(
    (host) => withHeaders(`the host ${JSON.stringify(host)}`, () => ({ host })),
  ),
  ...["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1"].map((origin) =>
    withHeaders(`the origin ${origin}`, () => ({ origin })),
  ),
  withHeaders("an expectation", () => ({ expect: "a-miracle" })),
  withHeaders("no key", () => ({
    authorization: [],
    "x-no-key": "1",
    "content-type": "multipart/form-data",
  })),
  { name: "CONNECT", parts: () => ["CONNECT 10.0.0.1:22 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"] },
  {
    name: "an upgrade to another protocol",
    parts: (t) => [writeHead(t, "GET /nowhere", { connection: "upgrade", upgrade: "websocket" })],
  },
  {
    name: "a preflight of another origin",
    parts: (t) => [
      writeHead(t, `OPTIONS ${t.path}`, {
        origin: "https://evil.example",
        "access-control-request-method": "POST",
      }),
    ],
  },
];

const LENGTHS: readonly HostileRequest[] = [
  withHeaders("two different lengths", () => ({ "content-length": ["2", "3"] })),
  withHeaders("a length twice", (t) => ({
    "content-length": [String(t.body.length), String(t.body.length)],
  })),
  ...["-1", "1e3", "0x10", "99999999999999999999", "1 1", "+5", "a"].map((length) =>
    withHeaders(`the length ${length}`, () => ({ "content-length": length })),
  ),
  withHeaders("a declared length of 100 MB", () => ({ "content-length": "100000000" })),
  withHeaders("a length and chunks", () => ({ "transfer-encoding": "chunked" })),
  withHeaders("an unknown transfer encoding", () => ({
    "content-length": [],
    "transfer-encoding": "zip",
  })),
  {
    name: "a body that is shorter than its length",
    parts: (t) => post(t, "{", { "content-length": "999" }),
  },
  {
    name: "a body that is longer than its length",
    also: [200, 202],
    parts: (t) => [...post(t, t.body), "}}}}{{{{\r\n\r\n"],
  },
];

const CHUNKS: readonly HostileRequest[] = [
  chunked("a chunk without a size", "hello\r\n"),
  chunked("a chunk of a wrong size", "2\r\nhello\r\n0\r\n\r\n"),
  chunked("a chunk of a negative size", "-5\r\nhello\r\n"),
  chunked("a chunk whose size is too large", "ffffffffffffffffff\r\nhello\r\n"),
  chunked("chunks that end early", "5\r\nhello\r\n"),
  chunked("a chunk with an endless extension", `5;${"x".repeat(100_000)}\r\nhello\r\n0\r\n\r\n`),
  chunked("endless trailers", `0\r\n${"a: b\r\n".repeat(10_000)}`),
  {
    name: "chunks that are too large together",
    parts: (t) => [
      writeHead(t, `POST ${t.path}`, { "transfer-encoding": "chunked" }),
      ...Array.from({ length: 40 }, () => `10000\r\n${" ".repeat(65_536)}\r\n`),
    ],
  },
];

const BODIES: readonly HostileRequest[] = [
  withBody("no JSON", "{"),
  withBody("an empty body", ""),
  withBody("a number", "1"),
  withBody("a list", "[]"),
  withBody("null", "null"),
  withBody("half a string", '{"a":"'),
  withBody("two values", "{} {}"),
  withBody("a lone byte 0xff", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
  withBody("UTF-16", Buffer.from("{}", "utf16le")),
  withBody("a truncated character", Buffer.from([0x22, 0xe2, 0x82])),
  withBody("lists 100,000 deep", nest("[", "]", 100_000)),
  withBody("objects 100,000 deep", nest('{"a":', "}", 100_000)),
  withBody("brackets that never close", "[".repeat(500_000)),
  withBody("a broken gzip", "not gzip", { "content-encoding": "gzip" }),
  withBody("a gzip bomb", gzipSync(Buffer.alloc(40_000_000, 0x20)), { "content-encoding": "gzip" }),
  withBody("an unknown encoding", "x", { "content-encoding": "br, gzip" }),
  withBody("a body that is too large", `"${"x".repeat(2_500_000)}"`),
  ...[
    "multipart/form-data; boundary=x",
    "image/png",
    "application/x-protobuf",
    "application/jsonp",
    "/",
  ].map((type) => withBody(`the content type ${type}`, "{}", { "content-type": type })),
];

const CONNECTIONS: readonly HostileRequest[] = [
  {
    name: "a slow head",
    parts: (t) => [
      `POST ${t.path} HTTP/1.1\r\n`,
      100,
      "host: 127.0.0.1\r\n",
      100,
      "a: b\r\n",
      2500,
    ],
  },
  {
    name: "a slow body",
    parts: (t) => [...post(t, "{", { "content-length": "50" }), 100, " ", 100, " ", 2500],
  },
  { name: "nothing at all", parts: () => [2500] },
  {
    name: "a greeting of TLS",
    parts: () => [Buffer.from("16030100a5010000a10303", "hex"), "\r\n\r\n"],
  },
  {
    name: "random bytes",
    parts: () => [Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 73 + 11) % 256))],
  },
  { name: "HTTP/2", parts: () => ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"] },
  {
    name: "a client that leaves within the head",
    leaves: true,
    parts: (t) => [`POST ${t.path} HT`],
  },
  {
    name: "a client that leaves within the body",
    leaves: true,
    parts: (t) => post(t, "{", { "content-length": "50" }),
  },
  { name: "a client that leaves before the answer", leaves: true, parts: (t) => post(t, t.body) },
  {
    name: "20 bad requests at once",
    parts: (t) => Array.from({ length: 20 }, () => post(t, "{")).flat(),
  },
  {
    name: "good requests and then garbage",
    also: [200, 202],
    parts: (t) => [...post(t, t.body), ...post(t, t.body), "\u0000\u0001 what?\r\n\r\n"],
  },
  { name: "1,000 empty lines", parts: () => ["\r\n".repeat(1000), "x\r\n\r\n"] },
];

/** All hostile requests. */
export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  ...REQUEST_LINES,
  ...TARGETS,
  ...HEADS,
  ...LENGTHS,
  ...CHUNKS,
  ...BODIES,
  ...CONNECTIONS,
];

/** Sends the parts and waits until the server ends the connection, or until it has been silent for `patienceMs`. */
export function sendParts(
  port: number,
  parts: readonly Part[],
  { patienceMs = 1800, leaves = false } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const received: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    const finish = (isClosed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(received).toString("latin1");
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
        Number(status),
      );
      resolve({ statuses, text, isClosed });
    };
    const waitOn = () => {
      clearTimeout(timer);
      timer = setTimeout(() => finish(false), patienceMs);
    };
    socket.on("data", (part) => {
      received.push(part);
      if (timer) waitOn();
    });
    socket.on("error", () => {});
    socket.on("close", () => finish(true));
    socket.on("connect", async () => {
      for (const part of parts) {
        if (socket.destroyed) return;
        if (typeof part === "number") await new Promise((done) => setTimeout(done, part));
        else socket.write(part);
      }
      if (leaves) socket.destroy();
      else waitOn();
    });
  });
}
