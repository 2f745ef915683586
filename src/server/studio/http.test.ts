/**
 * Tests which requests the studio answers. Raw bytes over a socket, because an HTTP client would correct bad requests.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type StudioServer, startServer } from "./http.ts";
import { loadPageFiles } from "./page-files.ts";
import { createApi, type Route } from "./routes.ts";
import { StudioError } from "./studio-error.ts";

const testFolder = mkdtempSync(join(tmpdir(), "bowline-studio-http-"));
let server: StudioServer;

const routes: readonly Route[] = [
  { method: "GET", pattern: "things/:thing", answer: (_, { thing }) => ({ json: { thing } }) },
  { method: "POST", pattern: "echo", answer: async (call) => ({ json: await call.json() }) },
  { method: "GET", pattern: "refused", answer: () => Promise.reject(new StudioError(409, "no")) },
  { method: "GET", pattern: "bug", answer: () => Promise.reject(new TypeError("x of undefined")) },
  { method: "GET", pattern: "events", answer: () => ({ events: threeEvents() }) },
];

async function* threeEvents() {
  for (const n of [1, 2, 3]) yield { n };
}

beforeAll(async () => {
  const page = join(testFolder, "page");
  mkdirSync(join(page, "assets"), { recursive: true });
  writeFileSync(join(page, "index.html"), '<meta name="style-nonce" content="__NONCE__">page');
  writeFileSync(join(page, "assets", "a.js"), "1");
  writeFileSync(join(testFolder, "secret.txt"), "secret");
  symlinkSync(join(testFolder, "secret.txt"), join(page, "link.txt"));
  server = await startServer({ api: createApi(routes), page: loadPageFiles(page), port: 0 });
});
afterAll(async () => {
  await server.close();
  rmSync(testFolder, { recursive: true });
});

interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Sends exactly this request line, these headers and this body. */
function sendRaw(line: string, headers: Readonly<Record<string, string>> = {}, body = "") {
  const allHeaders = {
    host: `127.0.0.1:${server.port}`,
    connection: "close",
    ...(body && { "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const head = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return sendBytes(`${line} HTTP/1.1\r\n${head.join("")}\r\n${body}`);
}

function sendBytes(bytes: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    socket.on("error", (error) => (text ? undefined : reject(error)));
    socket.on("close", () => {
      const [headers = "", ...rest] = text.split("\r\n\r\n");
      resolve({ status: Number(headers.split(" ")[1]), headers, body: rest.join("\r\n\r\n") });
    });
  });
}

const bearerHeader = () => ({ authorization: `Bearer ${server.token}` });
const sendWithToken = (line: string, headers = {}, body = "") =>
  sendRaw(line, { ...bearerHeader(), ...headers }, body);

describe("access to the server", () => {
  test("a request with the token is answered", async () => {
    const { status, body } = await sendWithToken("GET /api/things/a");
    expect({ status, body }).toEqual({ status: 200, body: '{"thing":"a"}' });
  });

  test.each([
    ["no token", () => ({})],
    ["an empty token", () => ({ authorization: "Bearer " })],
    ["a wrong token of the same length", () => ({ authorization: `Bearer ${"x".repeat(32)}` })],
    ["a part of the token", () => ({ authorization: `Bearer ${server.token.slice(0, -1)}` })],
    [
      "the token with an additional character",
      () => ({ authorization: `Bearer ${server.token}x` }),
    ],
    ["another authorization scheme", () => ({ authorization: `Basic ${server.token}` })],
    ["the token in a cookie", () => ({ cookie: `token=${server.token}` })],
  ])("a request with %s is refused", async (_, headers) => {
    const { status, body } = await sendRaw("GET /api/things/a", headers());
    expect({ status, error: JSON.parse(body).error }).toEqual({
      status: 401,
      error: expect.stringContaining("token"),
    });
    expect(body).not.toContain(server.token);
  });

  test("a token in the query is refused, because URLs end up in histories and logs", async () => {
    const { status } = await sendRaw(`GET /api/things/a?token=${server.token}`);
    expect(status).toBe(401);
  });

  test.each(["https://evil.example", "http://127.0.0.1:1", "http://localhost", "null"])(
    "a page of the origin %s is refused even with the token",
    async (origin) => {
      for (const path of ["/api/things/a", "/"]) {
        const { status, headers } = await sendWithToken(`GET ${path}`, { origin });
        expect({ path, status }).toEqual({ path, status: 403 });
        expect(headers).not.toMatch(/access-control/i);
      }
    },
  );

  test("a preflight request of another origin is refused", async () => {
    const { status, headers } = await sendRaw("OPTIONS /api/things/a", {
      origin: "https://evil.example",
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    });
    expect(status).toBe(403);
    expect(headers).not.toMatch(/access-control/i);
  });

  test("a page of the server's own origin is answered", async () => {
    const origin = `http://127.0.0.1:${server.port}`;
    expect((await sendWithToken("GET /api/things/a", { origin })).status).toBe(200);
  });

  test.each(["evil.example", "evil.example:80", "127.0.0.1.evil.example", "127.0.0.1@evil", ""])(
    "a request for the foreign host name %j is refused",
    async (host) => {
      for (const path of ["/api/things/a", "/"]) {
        const { status, body } = await sendWithToken(`GET ${path}`, { host });
        expect({ path, status }).toEqual({ path, status: 421 });
        expect(body).not.toContain("page");
      }
    },
  );

  test("the server listens on loopback only", async () => {
    const { address } = await import("node:os").then(({ networkInterfaces }) => {
      const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
      return all.find(({ internal, family }) => !internal && family === "IPv4") ?? { address: "" };
    });
    if (!address) return;
    await expect(
      new Promise((resolve, reject) => {
        connect(server.port, address, () => resolve("open")).on("error", reject);
      }),
    ).rejects.toThrow();
  });
});

describe("request paths", () => {
  test.each([
    ["/api/things/..%2f..%2fsecret.txt", "../../secret.txt"],
    ["/api/things/%252e%252e%252f", "%2e%2e%2f"],
    ["/api/things/a%00b", "a\0b"],
    ["/api/things/%2Fetc%2Fpasswd", "/etc/passwd"],
  ])("%s reaches a route as one segment, decoded once", async (path, thing) => {
    const { status, body } = await sendWithToken(`GET ${path}`);
    expect({ status, thing: JSON.parse(body).thing }).toEqual({ status: 200, thing });
  });

  test.each([
    ["//evil.example/api/things/a", 400],
    ["http://evil.example/api/things/a", 400],
    ["*", 400],
    ["/api/things/%", 400],
    ["/api/things/%ff", 400],
    ["/api/things/", 404],
    ["/api/things/a/b", 404],
    ["/api/things/../things/../../etc/passwd", 404],
    ["/api", 404],
    ["/api/", 404],
    ["/api//things/a", 404],
    ["/API/things/a", 404],
    ["/api/__proto__", 404],
    ["/api/constructor", 404],
  ])("the path %s answers status %i", async (path, wanted) => {
    const { status, body } = await sendWithToken(`GET ${path}`);
    expect({ status, error: typeof JSON.parse(body).error }).toEqual({
      status: wanted,
      error: "string",
    });
  });

  test.each([
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/assets/../../secret.txt",
    "/assets/..%5c..%5csecret.txt",
    "/link.txt",
    "/assets/a.js%00.html",
    "/assets/",
    "/__proto__",
  ])("no file outside the page's folder is served: %s", async (path) => {
    const { status, body } = await sendRaw(`GET ${path}`);
    expect({ status, isSecret: body.includes("secret.txt") }).toEqual({
      status: 404,
      isSecret: false,
    });
    expect(body).not.toBe("secret");
  });
});

describe("bodies and methods", () => {
  const json = { "content-type": "application/json" };

  test("a JSON body reaches the route", async () => {
    expect(await sendWithToken("POST /api/echo", json, '{"a":1}')).toMatchObject({
      status: 200,
      body: '{"a":1}',
    });
  });

  test.each([
    ["of the type text/plain", { "content-type": "text/plain" }, "{}", 400],
    ["of the type of a form", { "content-type": "application/x-www-form-urlencoded" }, "a=1", 400],
    ["of no type", {}, "{}", 400],
    ["of a type that only begins like JSON's", { "content-type": "application/jsonp" }, "{}", 400],
    ["not JSON", json, "{", 400],
    ["empty", json, "", 400],
    ["larger than 1 MiB", json, JSON.stringify("x".repeat((1 << 20) + 1)), 413],
  ])("a body is refused if it is %s", async (_, headers, body, wanted) => {
    const { status } = await sendWithToken("POST /api/echo", headers, body);
    expect(status).toBe(wanted);
  });

  test("an endless body is refused after 1 MiB", async () => {
    const { status } = await sendWithToken(
      "POST /api/echo",
      { ...json, "content-length": "9000000000" },
      "x".repeat(2 << 20),
    );
    expect(status).toBe(413);
  });

  test.each(["PUT", "PATCH", "DELETE", "POST", "TRACE", "OPTIONS"])(
    "the method %s is refused where only reading is allowed",
    async (method) => {
      expect((await sendWithToken(`${method} /api/things/a`)).status).toBe(400);
      expect((await sendRaw(`${method} /`)).status).toBe(400);
    },
  );

  test("HEAD of the page answers without a body", async () => {
    expect(await sendRaw("HEAD /")).toMatchObject({ status: 200, body: "" });
  });

  test("the server survives bytes that are not an HTTP request", async () => {
    expect((await sendBytes("\0\x16\x03\x01 nothing\r\n\r\n")).status).toBe(400);
    expect((await sendWithToken("GET /api/things/a")).status).toBe(200);
  });
});

describe("responses", () => {
  test("the page may run only its own script, cannot be framed, and gets a new nonce each time", async () => {
    const one = await sendRaw("GET /");
    const policy = /content-security-policy: (.*)/i.exec(one.headers)![1]!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
    expect(one.body).toContain(`content="${nonce}"`);
    const two = await sendRaw("GET /");
    expect(two.body).not.toContain(nonce);
  });

  test.each(["/", "/assets/a.js", "/api/things/a", "/api/nothing", "/nothing"])(
    "%s is sent with security headers and must not be cached",
    async (path) => {
      const { headers } = await sendWithToken(`GET ${path}`);
      expect(headers).toMatch(/x-content-type-options: nosniff/i);
      expect(headers).toMatch(/referrer-policy: no-referrer/i);
      expect(headers).toMatch(/cross-origin-resource-policy: same-origin/i);
      expect(headers).toMatch(/cache-control: no-store/i);
    },
  );

  test("a name in the path comes back as JSON, never as HTML", async () => {
    const { headers, body } = await sendWithToken(
      "GET /api/things/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
    );
    expect(headers).toMatch(/content-type: application\/json/i);
    expect(JSON.parse(body).thing).toBe("<script>alert(1)</script>");
  });

  test("a refusal and an unexpected error of a route are both answered", async () => {
    expect(await sendWithToken("GET /api/refused")).toMatchObject({
      status: 409,
      body: '{"error":"no"}',
    });
    const { status, body } = await sendWithToken("GET /api/bug");
    expect(status).toBe(500);
    expect(body).not.toMatch(/\.ts:\d/);
  });

  test("each event is one line, and the stream ends after the last", async () => {
    const { headers, body } = await sendWithToken("GET /api/events");
    expect(headers).toMatch(/content-type: text\/event-stream/i);
    const got = body.match(/^data: .*$/gm)!.map((line) => JSON.parse(line.slice(6)));
    expect(got).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test("a port that is in use is reported in words", async () => {
    const { port } = server;
    await expect(startServer({ api: createApi([]), page: () => undefined, port })).rejects.toThrow(
      "another program is listening on it",
    );
  });
});
