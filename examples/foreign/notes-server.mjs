/**
 * An HTTP API of notes with an OpenAPI document, for the world beside it: `node notes-server.mjs 8133`. The header
 * `x-session` names whose notes a request means.
 */
import { createServer } from "node:http";

const json = (schema) => ({ content: { "application/json": { schema } } });
const note = {
  type: "object",
  properties: { id: { type: "integer" }, text: { type: "string" } },
};
const document = {
  openapi: "3.1.0",
  info: { title: "Notes", version: "1.0.0" },
  paths: {
    "/notes": {
      get: {
        operationId: "list_notes",
        summary: "List the notes.",
        responses: { 200: json({ type: "array", items: note }) },
      },
      post: {
        operationId: "add_note",
        summary: "Add a note.",
        requestBody: json({
          type: "object",
          properties: { text: { type: "string" } },
          required: ["text"],
        }),
        responses: { 201: json(note) },
      },
    },
  },
};

const sessions = new Map();
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => {
    body += part;
  });
  request.on("end", () => {
    const send = (status, value) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.url === "/openapi.json") return send(200, document);
    if (request.url !== "/notes") return send(404, { message: "no such path" });
    const session = request.headers["x-session"] ?? "";
    const notes = sessions.get(session) ?? [];
    sessions.set(session, notes);
    if (request.method === "GET") return send(200, notes);
    notes.push({ id: notes.length + 1, text: JSON.parse(body).text });
    send(201, notes.at(-1));
  });
});
server.listen(Number(process.argv[2] ?? 8133), "127.0.0.1");
