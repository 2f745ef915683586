/**
 * The application around the agent, as one function from a request to a response, which a server (`app.ts`) and a
 * serverless platform (`serverless.ts`) both call.
 */
import { answer } from "./agent.ts";
import { openDesk } from "./desk.ts";
import { openModel } from "./model.ts";
import { connectTools } from "./tools.ts";

// Replace this by your own database.
const desk = openDesk([
  { id: 412, customer: "Ada", content: "mug", state: "late" },
  { id: 305, customer: "Ada", content: "lamp", state: "lost" },
  { id: 733, customer: "Bo", content: "rug", state: "waiting" },
]);

let opened: ReturnType<typeof openModel> | undefined;

/** Answers `POST / { "request": "Ada asks about the lamp." }` with `{ "answer", "actions" }`. */
export async function handleRequest(request: Request): Promise<Response> {
  if (request.method !== "POST") return Response.json({ error: "expected POST" }, { status: 405 });
  const body = (await request.json().catch(() => ({}))) as { readonly request?: unknown };
  if (typeof body.request !== "string") {
    return Response.json({ error: "request: expected a text" }, { status: 400 });
  }
  opened ??= openModel();
  const { createModel } = await opened;
  const { model, close: closeModel } = createModel();
  const { tools, close } = await connectTools(desk);
  try {
    return Response.json({
      answer: await answer(body.request, tools, model, request.signal),
      actions: desk.actions,
    });
  } finally {
    closeModel();
    await close();
  }
}
