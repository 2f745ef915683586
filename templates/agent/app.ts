/** The application as a server of Node: `npm start`. PORT is its port, HOST its address. */
import { createServer } from "node:http";
import { handleRequest } from "./handler.ts";

const { HOST = "127.0.0.1", PORT = "3000" } = process.env;

const server = createServer(async (incoming, outgoing) => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = "GET", url = "/" } = incoming;
  const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
  const request = new Request(new URL(url, `http://${HOST}:${PORT}`), { method, ...body });
  const response = await handleRequest(request).catch((error: unknown) => {
    console.error(error);
    return Response.json({ error: "the agent failed" }, { status: 500 });
  });
  outgoing.writeHead(response.status, { "content-type": "application/json" });
  outgoing.end(await response.text());
});
server.listen(Number(PORT), HOST, () => console.log(`the agent answers at http://${HOST}:${PORT}`));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));
