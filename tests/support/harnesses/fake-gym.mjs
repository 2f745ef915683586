/**
 * Stands for an agent server of NeMo Gym: each `POST /run` asks the model at MODEL_PORT, as the gym's model server
 * would, and answers with a reward. The row's field `fault` says what goes wrong. It listens on PORT, and prints it.
 */
import { createServer } from "node:http";

const { PORT = "0", MODEL_PORT } = process.env;

async function askModel({ metadata, ...params }) {
  const answer = await fetch(`http://127.0.0.1:${MODEL_PORT}/v1/responses`, {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body: JSON.stringify({ ...params, metadata, model: "any" }),
  });
  const body = await answer.json();
  return body.output?.[0]?.content[0]?.text;
}

const FAULTS = {
  dies: () => process.exit(3),
  hangs: () => {},
  exits: (response) => response.writeHead(500).end("Internal Server Error"),
  failed: (response) => response.writeHead(502).end('{"detail":"the model server failed"}'),
  garbage: (response) => response.end("{nonsense"),
  silent: (response) => response.end("{}"),
  cut(response) {
    response.writeHead(200, { "content-length": "100" }).write('{"reward": 1');
    setTimeout(() => response.socket?.destroy(), 5);
  },
};

const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  const { responses_create_params: params, fault } = JSON.parse(text);
  const said = await askModel(params).catch(() => undefined);
  if (FAULTS[fault]) return FAULTS[fault](response);
  if (said === undefined) return FAULTS.failed(response);
  response.end(JSON.stringify({ reward: said === "yes" ? 1 : 0 }));
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(server.address().port));
process.stdin.on("end", () => process.exit(0)).resume();
