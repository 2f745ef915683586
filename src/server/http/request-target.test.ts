import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openGateway } from "../gateway/index.ts";
import { startServer } from "../studio/http.ts";
import { listen as listenTinker } from "../tinker/listener.ts";
import { parseRequestTarget } from "./request-target.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

test.each([
  ["/a/b?c=1&d=%20#e", "/a/b", { c: "1", d: " " }],
  ["//", "//", {}],
  ["/", "/", {}],
  ["/%zz?x", "/%zz", { x: "" }],
])("the target %s is split into its path and its query", (target, path, query) => {
  const parsed = parseRequestTarget(target)!;
  expect([parsed.path, Object.fromEntries(parsed.query)]).toEqual([path, query]);
});

const TARGETS = [
  "//",
  "///",
  "////a",
  "//:99999",
  "//[",
  "//[::1",
  "//@",
  "//a:b@c",
  "//%",
  "//a b",
  "/%",
  "/%zz",
  "/%00",
  "/\\",
  "/..",
  "/../../etc/passwd",
  "/./",
  "/a//b",
  "/?",
  "/??",
  "/#",
  "/a?b#c",
  "*",
  "http://[",
  "http://",
  "http://a:b:c/",
  "http://:99999/",
  "https://x/y",
  "file:///etc/passwd",
  "ftp://x",
  "javascript:1",
  "data:,x",
  "x",
  "?",
  "#",
  ":",
  "[",
  "%",
  "/\u00e9",
  "/e/%2e%2e/v1/chat/completions",
  `/${"a".repeat(9000)}`,
];
const METHODS = ["GET", "POST", "OPTIONS", "HEAD"];

/**
 * Sends one request line with a Host header over a socket, and returns the status of the answer; 0 if there is none.
 */
function sendRequestLine(port: number, method: string, target: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)));
    const head = [`${method} ${target} HTTP/1.1`, "host: 127.0.0.1", "connection: close", ""];
    socket.end(`${head.join("\r\n")}\r\n`, "latin1");
  });
}

const SERVERS: readonly [string, () => Promise<number>][] = [
  [
    "gateway",
    async () => {
      const gateway = await openGateway();
      closers.push(() => gateway.close());
      return Number(new URL(gateway.url).port);
    },
  ],
  [
    "Tinker server",
    async () => {
      const json = { detail: "unknown path" };
      const options = { host: "127.0.0.1", port: 0, bodyLimitBytes: 1000 };
      const server = await listenTinker(async () => ({ status: 404, json }), options);
      closers.push(() => server.close());
      return server.port;
    },
  ],
  [
    "studio",
    async () => {
      const api = async () => ({ json: {} });
      const server = await startServer({ api, page: () => undefined, port: 0 });
      closers.push(() => server.close());
      return server.port;
    },
  ],
];

test.each(SERVERS)(
  "every request line that nobody should send gets an answer from 200 to 499: %s",
  async (_, open) => {
    const port = await open();
    for (const method of METHODS) {
      const statuses = await Promise.all(
        TARGETS.map((target) => sendRequestLine(port, method, target)),
      );
      const wrong = TARGETS.filter((_, i) => statuses[i]! < 200 || statuses[i]! >= 500);
      expect({ method, wrong }).toEqual({ method, wrong: [] });
    }
  },
);
