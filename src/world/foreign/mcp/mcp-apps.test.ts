import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { ForeignConnection } from "../define.ts";
import { mcpApps } from "./mcp-apps.ts";
import type { McpServer } from "./mcp-servers.ts";

const SCRIPT = fileURLToPath(
  new URL("../../../../tests/support/foreign/fake-mcp-server.mjs", import.meta.url),
);
const directory = mkdtempSync(join(tmpdir(), "bowline-mcp-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const place = () => ({ directory, signal: new AbortController().signal });

let connection: ForeignConnection | undefined;
afterEach(async () => {
  await connection?.close();
  connection = undefined;
});

const stdioServer = (env: Record<string, string> = {}): McpServer => ({
  command: process.execPath,
  args: [SCRIPT],
  env,
});

async function connect(server: McpServer) {
  const apps = mcpApps({ list: server });
  const [app] = await apps.describe(place());
  connection = await apps.connect(place());
  const start = { task: undefined, seed: 0, files: {}, data: undefined };
  await connection.begin(start);
  const call = (api: string, args: object = {}) =>
    connection!.call({ app: "list", api, args: args as Record<string, unknown> });
  return { app: app!, call };
}

describe.each(["legacy", "modern"])("a server of the %s era over stdio", (era) => {
  test("is documented from its schemas, under names that are identifiers", async () => {
    const { app } = await connect(stdioServer({ ERA: era }));
    expect(Object.keys(app.apis)).toEqual(["addItem", "readList"]);
    const { addItem, readList } = app.apis;
    expect(addItem!.params.properties?.["item"]).toEqual({
      type: "string",
      description: "what to add",
    });
    expect(readList).toMatchObject({ readOnly: true, returns: { type: "object" } });
  });

  test("answers with structured content, JSON in a text, and errors for the agent", async () => {
    const { call } = await connect(stdioServer({ ERA: era }));
    const before = (await call("readList")) as { value: { items: string[] } };
    const length = before.value.items.length + 1;
    expect(await call("addItem", { item: "milk" })).toEqual({ ok: true, value: { length } });
    expect(await call("readList")).toMatchObject({ ok: true, value: { items: { length } } });
    const refused = { ok: false, status: 422, message: "item must be a text" };
    expect(await call("addItem", { item: 7 })).toEqual(refused);
  });
});

describe("a server that fails", () => {
  test.each([
    ["dies", "exit(3)"],
    ["writes no JSON", "not a message"],
  ])("rejects the call when it %s", async (_, what) => {
    const code =
      what === "exit(3)"
        ? "process.exit(3)"
        : `process.stdout.write(${JSON.stringify(`${what}\n`)})`;
    const script = `process.stdin.on("data", (text) => { for (const line of String(text).split("\\n").filter(Boolean)) {
        const { id, method } = JSON.parse(line); if (id === undefined) continue;
        const result = { "initialize": { protocolVersion: "2025-11-25" }, "tools/list": { tools: [{ name: "go" }] } }[method];
        const error = { code: -32601, message: "unknown" };
        if (method === "tools/call") ${code};
        else console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) })); } })`;
    const { call } = await connect({ command: process.execPath, args: ["-e", script] });
    await expect(call("go")).rejects.toMatchObject({ code: "world" });
  });

  test("ends with everything that it started", async () => {
    const script = `const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
      const result = { protocolVersion: "2025-11-25", tools: [{ name: "go" }], content: [{ type: "text", text: String(child.pid) }] };
      process.on("SIGTERM", () => {});
      setInterval(() => {}, 1000);
      process.stdin.on("data", (text) => { for (const line of String(text).split("\\n").filter(Boolean)) {
        const { id, method } = JSON.parse(line); if (id === undefined) continue;
        console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(method === "server/discover" ? { error: { code: -32601 } } : { result }) })); } })`;
    const { call } = await connect({ command: process.execPath, args: ["-e", script] });
    const { value: pid } = (await call("go")) as { value: string };
    expect(() => process.kill(Number(pid), 0)).not.toThrow();
    await connection!.close();
    await expect.poll(() => isAlive(Number(pid)), { timeout: 5000 }).toBe(false);
  });

  test("is reported with what it wrote when it cannot start", async () => {
    const apps = mcpApps({
      list: { command: process.execPath, args: ["-e", "throw new Error('no licence')"] },
    });
    await expect(apps.describe(place())).rejects.toThrow(/MCP server list: .*no licence/s);
    const missing = mcpApps({ list: { command: "no-such-program" } });
    await expect(missing.describe(place())).rejects.toThrow(/cannot start/);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.each(["legacy", "modern"])("a server of the %s era over HTTP", (era) => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  test("is called with the headers of its era, and answers by JSON or events", async () => {
    const seen: (readonly [string, string | undefined])[] = [];
    const url = await startServer(era, seen);
    const { app, call } = await connect({ url });
    expect(Object.keys(app.apis)).toEqual(["sum"]);
    expect(await call("sum", { a: 1 })).toEqual({ ok: true, value: "done" });
    await connection!.close();
    connection = undefined;
    const sessions = seen
      .filter(([method]) => method === "tools/call")
      .map(([, session]) => session);
    expect(sessions).toEqual([era === "legacy" ? "session-1" : undefined]);
    expect(seen.some(([method]) => method === "DELETE")).toBe(era === "legacy");
  });

  async function startServer(
    era: string,
    seen: (readonly [string, string | undefined])[],
  ): Promise<string> {
    server = createServer(async (request, response) => {
      let text = "";
      for await (const part of request) text += part;
      const session = request.headers["mcp-session-id"] as string | undefined;
      const { id, method = "DELETE", params } = text === "" ? {} : JSON.parse(text);
      seen.push([method, session]);
      const answer = (message: object, headers = {}) => {
        const body = JSON.stringify({ jsonrpc: "2.0", id, ...message });
        const isStream = method === "tools/call";
        response.writeHead(200, {
          "content-type": isStream ? "text/event-stream" : "application/json",
          ...headers,
        });
        response.end(isStream ? `event: message\ndata: ${body}\n\n` : body);
      };
      const isModern = params?._meta !== undefined;
      if (method === "DELETE" || id === undefined) response.writeHead(202).end();
      else if (
        isModern !== (era === "modern") ||
        (isModern && request.headers["mcp-method"] !== method)
      )
        response.writeHead(400).end();
      else if (method === "server/discover")
        answer({ result: { supportedVersions: ["2026-07-28"] } });
      else if (method === "initialize")
        answer({ result: { protocolVersion: "2025-06-18" } }, { "mcp-session-id": "session-1" });
      else if (method === "tools/list") answer({ result: { tools: [{ name: "sum" }] } });
      else answer({ result: { content: [{ type: "text", text: "done" }] } });
    });
    await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }
});

test("two tools that would have one name are refused by name", async () => {
  const script = `process.stdin.on("data", (text) => { for (const line of String(text).split("\\n").filter(Boolean)) {
    const { id } = JSON.parse(line); if (id === undefined) continue;
    const result = { supportedVersions: ["2026-07-28"], tools: [{ name: "get-sum" }, { name: "get_sum" }] };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result })); } })`;
  const apps = mcpApps({ list: { command: process.execPath, args: ["-e", script] } });
  await expect(apps.describe(place())).rejects.toThrow(
    /get-sum and get_sum would both be list\.getSum/,
  );
});
