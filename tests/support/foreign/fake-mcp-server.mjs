/**
 * A small MCP server for tests, over standard input and output. Its state is a list in `list.json` in the working folder,
 * which it reads at every call.
 *
 *   FAULT_RATE   the share of calls at which something goes wrong; 0 without it
 *   FAULT_SEED   seeds the faults, together with the number of the process
 *   ERA          `modern` or `legacy`
 *   JOURNAL      a file to which every executed call is appended
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { FAULT_RATE = "0", FAULT_SEED = "1", ERA = "legacy", JOURNAL, CLOCK } = process.env;
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
let seed = (Number(FAULT_SEED) * 7919 + process.pid) >>> 0;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
const readList = () =>
  existsSync("list.json") ? JSON.parse(readFileSync("list.json", "utf8")) : [];

const object = (properties, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});
const tools = [
  {
    name: "add_item",
    description: "Add an item to the list.",
    inputSchema: object({ item: { $ref: "#/$defs/item" } }),
  },
  {
    name: "read-list",
    description: "Read the list.",
    inputSchema: object({}),
    outputSchema: object({ items: { type: "array", items: { type: "string" } } }),
    annotations: { readOnlyHint: true },
  },
];
tools[0].inputSchema.$defs = { item: { type: "string", description: "what to add" } };

const calls = {
  add_item({ item }) {
    if (typeof item !== "string" || item === "") {
      return { content: [{ type: "text", text: "item must be a text" }], isError: true };
    }
    const items = [...readList(), item];
    writeFileSync("list.json", JSON.stringify(items));
    if (JOURNAL) appendFileSync(JOURNAL, `${process.cwd()} ${item}\n`);
    return { content: [{ type: "text", text: JSON.stringify({ length: items.length }) }] };
  },
  "read-list"() {
    const items = readList();
    if (CLOCK) items.push(String(process.hrtime.bigint()));
    return { content: [{ type: "text", text: "the list" }], structuredContent: { items } };
  },
};

/** Does something that no server should do. */
function fail(id, result) {
  const kind = Math.floor(random() * 6);
  if (kind === 0) process.exit(3);
  if (kind === 1) return; // The call is never answered.
  if (kind === 2) process.stdout.write("Segmentation fault (core dumped)\n");
  else if (kind === 3) process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"con`);
  else if (kind === 4) send({ id, result: { content: 7 } });
  else process.kill(process.pid, "SIGKILL");
  if (kind === 3) process.exit(0);
  void result;
}

const methods = {
  "server/discover": () => ({ supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }),
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "fake", version: "1" },
  }),
  "tools/list": ({ cursor }) =>
    cursor === undefined ? { tools: [tools[0]], nextCursor: "2" } : { tools: [tools[1]] },
};

process.stdout.write("Fake server, greeting whoever starts it.\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const isModern = ERA === "modern";
  const version = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  if (isModern !== (version === "2026-07-28") || (isModern && method === "initialize")) {
    send({ id, error: { code: -32601, message: `${method} is not of this era` } });
    return;
  }
  if (method !== "tools/call") {
    send({ id, result: { ...methods[method]?.(params), resultType: "complete" } });
    return;
  }
  const run = calls[params.name];
  if (!run) {
    send({ id, error: { code: -32602, message: `Tool ${params.name} not found` } });
    return;
  }
  const isFaulty = random() < Number(FAULT_RATE);
  const isExecuted = !isFaulty || random() < 0.5;
  const result = isExecuted ? run(params.arguments) : undefined;
  if (isFaulty) fail(id, result);
  else send({ id, result: { ...result, resultType: "complete" } });
});
